// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lemmas/scorer.hpp"

#include <algorithm>

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"

namespace accord::tasks {

using text::combine;
using text::hash_bytes;

namespace {

constexpr int longest_ending = 6, longest_prefix = 4, longest_suffix = 6, longest_tagged_suffix = 5, longest_inflected_suffix = 3,
              longest_lemma_suffix = 4;

// Numbers that keep kinds of keys apart.
struct Kind {
  enum Number : uint64_t {
    lexicon = 1,
    ending,
    known,
    rule,
    bias,
    tag,
    tags,
    morphology,
    prefix,
    suffix,
    tagged,
    inflected,
    shape,
    length,
    lemma_suffix,
    lemma_known,
    rule_known
  };
};

int characters(std::string_view text) {
  const auto first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<int>(std::count_if(text.begin(), text.end(), first_byte));
}

}  // namespace

std::array<uint64_t, lexicon_levels> lexicon_keys(const text::Token& word) {
  const uint64_t coarse = combine(hash_bytes(word.form, Kind::lexicon), hash_bytes(word.upos));
  const uint64_t fine = combine(coarse, hash_bytes(word.xpos == "_" ? word.feats : word.xpos));
  return {combine(fine, hash_bytes(word.feats)), fine, coarse};
}

std::vector<std::string_view> word_endings(std::string_view lowered) {
  std::vector<std::string_view> endings;
  for (int length = longest_ending; length >= 0; --length) {
    const std::string_view ending = text::suffix(lowered, length);
    if (endings.empty() || ending.size() < endings.back().size()) endings.push_back(ending);
  }
  return endings;
}

uint64_t ending_key(std::string_view upos, std::string_view ending) { return combine(hash_bytes(ending, Kind::ending), hash_bytes(upos)); }

uint64_t known_lemma_key(std::string_view lemma, std::string_view upos) {
  return combine(hash_bytes(lemma, Kind::known), hash_bytes(upos));
}

uint64_t rule_key(std::string_view rule) { return hash_bytes(rule, Kind::rule); }

void LemmaFeatures::prepare(const text::Token& word) {
  word_ = word;
  made_.fill(false);
  lowered_ = text::lower_case(word.form);
  upos_ = hash_bytes(word.upos);
  const uint64_t xpos = combine(upos_, hash_bytes(word.xpos)), feats = combine(upos_, hash_bytes(word.feats));
  const uint64_t fine = word.xpos == "_" ? feats : xpos;
  own_.clear();
  const auto add = [&](uint64_t kind, uint64_t value) { own_.push_back(combine(kind, value)); };
  add(Kind::bias, 0);
  add(Kind::tag, upos_);
  add(Kind::tags, xpos);
  add(Kind::morphology, feats);
  for (int count = 1; count <= longest_prefix; ++count)
    add(Kind::prefix, combine(upos_, hash_bytes(text::prefix(lowered_, count), static_cast<uint64_t>(count))));
  for (int count = 1; count <= longest_suffix; ++count) {
    const uint64_t ending = hash_bytes(text::suffix(lowered_, count), static_cast<uint64_t>(count));
    add(Kind::suffix, combine(upos_, ending));
    if (count <= longest_tagged_suffix) add(Kind::tagged, combine(fine, ending));
    if (count <= longest_inflected_suffix && word.xpos != "_") add(Kind::inflected, combine(feats, ending));
  }
  add(Kind::shape, combine(upos_, hash_bytes(text::shape(word.form))));
  add(Kind::length, combine(upos_, static_cast<uint64_t>(std::min(characters(lowered_), 12))));
}

const std::string& LemmaFeatures::cased(text::Casing casing) {
  if (casing == text::Casing::lower) return lowered_;
  const auto index = static_cast<size_t>(casing);
  if (!made_[index]) cased_[index] = text::with_casing(word_.form, casing);
  made_[index] = true;
  return cased_[index];
}

std::span<const uint64_t> LemmaFeatures::keys(uint64_t rule, std::string_view lemma, bool known) {
  keys_.clear();
  for (const uint64_t feature : own_) keys_.push_back(feature + rule);
  const uint64_t seen = known ? 1 : 0;
  keys_.push_back(combine(Kind::lemma_known, combine(upos_, seen)));
  keys_.push_back(combine(Kind::rule_known, combine(upos_, seen)) + rule);
  for (int count = 1; count <= longest_lemma_suffix; ++count)
    keys_.push_back(combine(Kind::lemma_suffix, combine(upos_, hash_bytes(text::suffix(lemma, count), static_cast<uint64_t>(count)))));
  return keys_;
}

}  // namespace accord::tasks
