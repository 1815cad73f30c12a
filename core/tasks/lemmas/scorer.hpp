// SPDX-License-Identifier: Apache-2.0
// Keys of a word for its lemma: those of the lexicon, those of the candidate rules, and the features that score a candidate.
//
// A feature is a property of the word (affixes, tags, shape, length) together with a rule, or of the lemma that the rule makes (its
// ending, whether training has seen it). Affixes are those of the lower-cased form.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/lexicons/lemma_rules.hpp"
#include "core/text/token.hpp"

namespace accord::tasks {

// The lexicon is asked from the most exact key to the least.
constexpr int lexicon_levels = 3;
std::array<uint64_t, lexicon_levels> lexicon_keys(const text::Token& word);

// The endings of a lower-cased form by which candidate rules are found: at most six characters, longest first, the empty one last.
std::vector<std::string_view> word_endings(std::string_view lowered);
uint64_t ending_key(std::string_view upos, std::string_view ending);
uint64_t known_lemma_key(std::string_view lemma, std::string_view upos);
uint64_t rule_key(std::string_view rule);

class LemmaFeatures {
 public:
  // Reads a word; the views in it must stay.
  void prepare(const text::Token& word);
  const text::Token& word() const { return word_; }
  const std::string& lowered() const { return lowered_; }
  // The form in a casing, made once.
  const std::string& cased(text::Casing casing);

  // The features of a candidate.
  std::span<const uint64_t> keys(uint64_t rule, std::string_view lemma, bool known);

 private:
  text::Token word_;
  std::string lowered_;
  std::array<std::string, 4> cased_;
  std::array<bool, 4> made_{};
  uint64_t upos_ = 0;
  std::vector<uint64_t> own_, keys_;
};

}  // namespace accord::tasks
