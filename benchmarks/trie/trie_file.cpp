// SPDX-License-Identifier: Apache-2.0
// A frozen trie as bytes: magic, version, the templates (from which the tree is built again), the arrays of the cells
// and of the feature rows as they lie in memory, and a checksum of all of it. Loading copies the arrays and checks
// every number that a walk uses as a place, so that bytes which pass the checksum by design or accident cannot read
// outside them.
#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "benchmarks/trie/trie.hpp"

namespace accord::text {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are saved as they lie in memory");

constexpr std::string_view magic = "accord2d";
constexpr std::uint32_t version = 1;

[[noreturn]] void fail(const char* reason) { throw std::invalid_argument(std::string("not a saved trie: ") + reason); }

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0x243F6A8885A308D3u ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 29;
  }
  return sum;
}

class Writer {
 public:
  template <typename T>
  void value(T number) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(T));
  }
  template <typename T>
  void array(std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T> || std::is_same_v<T, LabelWeight>);
    value<std::uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  std::string finish() && {
    value(checksum(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_{magic};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {
    if (!bytes.starts_with(magic)) fail("it begins differently");
    if (bytes.size() < magic.size() + sizeof(std::uint64_t)) fail("it is cut short");
    std::uint64_t expected = 0;
    std::memcpy(&expected, bytes.data() + bytes.size() - sizeof(expected), sizeof(expected));
    bytes_.remove_suffix(sizeof(expected));
    if (checksum(bytes_) != expected) fail("it is cut short or damaged");
    bytes_.remove_prefix(magic.size());
  }
  template <typename T>
  T value() {
    T number{};
    std::memcpy(&number, take(sizeof(T)).data(), sizeof(T));
    return number;
  }
  template <typename T>
  std::vector<T> array() {
    const auto count = value<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) fail("an array is longer than the file");
    std::vector<T> values(count);
    const std::string_view raw = take(count * sizeof(T));
    if (!raw.empty()) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  std::size_t left() const { return bytes_.size(); }
  void finish() const {
    if (!bytes_.empty()) fail("it is longer than its contents");
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) fail("it ends early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

TemplateTree read_tree(Reader& reader) {
  const auto unit_count = reader.value<std::int32_t>();
  const auto template_count = reader.value<std::uint32_t>();
  if (template_count > reader.left()) fail("it has fewer templates than it says");
  std::vector<std::vector<std::int32_t>> templates(template_count);
  for (auto& units : templates) units = reader.array<std::int32_t>();
  const auto presence = reader.array<double>();
  return TemplateTree(std::move(templates), unit_count, presence);
}

}  // namespace

std::string FeatureTrie::save() const {
  if (!frozen_) throw std::invalid_argument("freeze the trie before saving it");
  Writer writer;
  writer.value(version);
  writer.value(tree_.unit_count());
  writer.value(static_cast<std::uint32_t>(tree_.template_count()));
  for (const auto& units : tree_.templates()) writer.array(std::span<const std::int32_t>(units));
  writer.array(std::span<const double>(tree_.presence()));
  writer.value(labels_.label_count());
  writer.value(row_count_);
  writer.value(layout());
  if (const auto* hash = std::get_if<HashCells>(&cells_)) {
    writer.array(hash->slots());
  } else {
    const auto& double_array = std::get<DoubleArrayCells>(cells_);
    writer.array(double_array.bases());
    writer.array(double_array.slots());
  }
  LabelRows::for_each_array(labels_, [&](const auto& values) { writer.array(std::span(values)); });
  return std::move(writer).finish();
}

FeatureTrie FeatureTrie::load(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.value<std::uint32_t>() != version) fail("it is of another version");
  TemplateTree tree = read_tree(reader);
  const auto label_count = reader.value<std::int32_t>();
  FeatureTrie trie(std::move(tree), label_count);
  trie.row_count_ = reader.value<std::uint32_t>();
  trie.frozen_ = true;
  const auto layout = reader.value<TrieLayout>();
  if (layout == TrieLayout::hash) {
    trie.cells_ = HashCells(reader.array<HashCells::Slot>());
  } else if (layout == TrieLayout::double_array) {
    auto bases = reader.array<std::uint32_t>();
    if (bases.size() != trie.row_count_) fail("it has another number of rows than it says");
    trie.cells_ = DoubleArrayCells(std::move(bases), reader.array<DoubleArrayCells::Slot>());
  } else {
    fail("it has an unknown layout");
  }
  LabelRows::for_each_array(trie.labels_,
                            [&](auto& values) { values = reader.array<typename std::remove_reference_t<decltype(values)>::value_type>(); });
  reader.finish();
  trie.labels_.check();
  trie.check_nodes();
  return trie;
}

// Rows of a node follow the row it lies in, and exist: what every pass over the cells relies on.
void FeatureTrie::check_nodes() const {
  const std::uint64_t most_children = tree_.most_children();
  if (row_count_ < static_cast<std::uint64_t>(tree_.root_child_count()) + most_children) fail("a row is missing");
  with_cells([&](const auto& cells) {
    for (const auto& slot : cells.slots()) {
      if (slot.row == no_row) continue;
      const TrieNode& node = slot.node;
      if (slot.row >= row_count_ || node.first_row <= slot.row || node.first_row + most_children > row_count_)
        fail("a node points outside its rows");
      if (node.label_row != no_row && node.label_row >= labels_.row_count()) fail("a node points outside its features");
    }
  });
}

}  // namespace accord::text
