// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie_baselines.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "benchmarks/trie/trie_packing.hpp"

namespace accord::text {
namespace {

constexpr char unit_separator = '\x1f';

using Key = std::pair<std::string, std::uint32_t>;

std::vector<Key> sorted_keys(const FeatureTrie& trie, const FeatureSpeller& speller) {
  std::vector<Key> keys;
  std::string feature;
  trie.for_each_path([&](const FeatureTrie::StoredPath& path) {
    speller.spell(static_cast<std::size_t>(path.template_id), path.tokens.data(), feature);
    keys.emplace_back(feature, path.label_row);
  });
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The keys that share their first `depth` bytes, which is what a trie node is, and the cell that leads to it.
struct KeyRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  std::size_t cell = 0;
};

// A byte trie as rows of bytes; byte 0 ends a key. Rows are numbered depth first: the tail of a key, a chain of rows
// of one byte each, is then packed into neighbouring slots and read from one or two cache lines.
struct ByteRows {
  std::vector<std::size_t> row_begin{0};
  std::vector<std::uint32_t> bytes;
  std::vector<std::uint32_t> next;  // the row of the next byte, or the label row after byte 0
};

std::uint32_t byte_at(const Key& key, std::size_t depth) {
  return depth < key.first.size() ? static_cast<unsigned char>(key.first[depth]) : 0;
}

ByteRows byte_rows(const std::vector<Key>& keys) {
  constexpr std::size_t no_cell = static_cast<std::size_t>(-1);
  ByteRows rows;
  std::vector<KeyRange> waiting{{0, keys.size(), 0, no_cell}};
  while (!waiting.empty()) {
    const KeyRange range = waiting.back();
    waiting.pop_back();
    if (range.cell != no_cell) rows.next[range.cell] = static_cast<std::uint32_t>(rows.row_begin.size() - 1);
    const std::size_t first_waiting = waiting.size();
    for (std::size_t begin = range.begin; begin < range.end;) {
      const std::uint32_t byte = byte_at(keys[begin], range.depth);
      std::size_t end = begin + 1;
      while (end < range.end && byte_at(keys[end], range.depth) == byte) ++end;
      if (byte != 0) waiting.push_back({begin, end, range.depth + 1, rows.bytes.size()});
      rows.bytes.push_back(byte);
      rows.next.push_back(keys[begin].second);
      begin = end;
    }
    std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(first_waiting), waiting.end());
    rows.row_begin.push_back(rows.bytes.size());
  }
  return rows;
}

}  // namespace

FeatureSpeller::FeatureSpeller(const TemplateTree& tree, std::vector<std::vector<std::string>> alphabets,
                               std::vector<std::int32_t> alphabet_of_unit)
    : templates_(tree.templates()),
      alphabets_(std::move(alphabets)),
      alphabet_of_unit_(std::move(alphabet_of_unit)) {
  if (alphabet_of_unit_.size() != static_cast<std::size_t>(tree.unit_count())) throw std::invalid_argument("every unit needs an alphabet");
  for (const std::int32_t alphabet : alphabet_of_unit_)
    if (alphabet < 0 || static_cast<std::size_t>(alphabet) >= alphabets_.size())
      throw std::invalid_argument("no alphabet " + std::to_string(alphabet));
  for (std::size_t index = 0; index < templates_.size(); ++index) template_names_.push_back(std::to_string(index));
}

bool FeatureSpeller::spell(std::size_t template_id, const std::int32_t* tokens, std::string& feature) const {
  feature.assign(template_names_[template_id]);
  for (const std::int32_t unit : templates_[template_id]) {
    const auto token = static_cast<std::size_t>(tokens[unit]);
    const auto& alphabet = alphabets_[static_cast<std::size_t>(alphabet_of_unit_[static_cast<std::size_t>(unit)])];
    if (tokens[unit] < 0 || token >= alphabet.size()) return false;
    feature += unit_separator;
    feature += alphabet[token];
  }
  return true;
}

StringHashIndex::StringHashIndex(const FeatureTrie& trie, FeatureSpeller speller) : speller_(std::move(speller)) {
  label_rows_.reserve(trie.labels().row_count());
  std::string feature;
  trie.for_each_path([&](const FeatureTrie::StoredPath& path) {
    if (speller_.spell(static_cast<std::size_t>(path.template_id), path.tokens.data(), feature))
      label_rows_.emplace(feature, path.label_row);
  });
}

std::size_t StringHashIndex::memory_bytes() const {
  // A node holds the link to the next, the stored hash and the pair; the allocator adds a word.
  constexpr std::size_t node_bytes = sizeof(std::pair<const std::string, std::uint32_t>) + 3 * sizeof(void*);
  constexpr std::size_t inside = 15;
  std::size_t bytes = label_rows_.bucket_count() * sizeof(void*) + label_rows_.size() * node_bytes;
  for (const auto& [feature, label_row] : label_rows_)
    if (feature.size() > inside) bytes += feature.capacity() + 1 + sizeof(void*);
  return bytes;
}

ByteTrieIndex::ByteTrieIndex(const FeatureTrie& trie, FeatureSpeller speller) : speller_(std::move(speller)) {
  const ByteRows rows = byte_rows(sorted_keys(trie, speller_));
  PackedRows packed = pack_rows(rows.row_begin, rows.bytes);
  // Slot 0 is the root, so everything moves up by one.
  for (std::uint32_t& base : packed.bases) ++base;
  slots_.resize(packed.slot_count + 1);
  if (packed.bases.empty()) return;
  slots_[0].base = packed.bases[0];
  std::vector<std::uint32_t> slot_of_row(packed.bases.size(), 0);
  for (std::size_t row = 0; row < packed.bases.size(); ++row) {
    for (std::size_t cell = rows.row_begin[row]; cell < rows.row_begin[row + 1]; ++cell) {
      const std::uint32_t slot = packed.bases[row] + rows.bytes[cell];
      const bool ends = rows.bytes[cell] == 0;
      slots_[slot] = {ends ? rows.next[cell] : packed.bases[rows.next[cell]], slot_of_row[row]};
      if (!ends) slot_of_row[rows.next[cell]] = slot;
    }
  }
}

std::uint32_t ByteTrieIndex::find(std::string_view feature) const noexcept {
  std::uint32_t slot = 0;
  const auto step = [&](unsigned char byte) {
    const std::uint32_t next = slots_[slot].base + byte;
    if (next >= slots_.size() || slots_[next].check != slot) return false;
    slot = next;
    return true;
  };
  for (const char byte : feature)
    if (!step(static_cast<unsigned char>(byte))) return no_row;
  return step(0) ? slots_[slot].base : no_row;
}

}  // namespace accord::text
