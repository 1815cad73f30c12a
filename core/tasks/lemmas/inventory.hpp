// SPDX-License-Identifier: Apache-2.0
// What a training text says about lemmas, counted: its rules, the rules of each ending, the lexicon, the lemmas.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/documents/document.hpp"
#include "core/text/lexicons/dictionary.hpp"
#include "core/text/token.hpp"

namespace accord::tasks {

// A form with its tags, and the lemma it has most often; views into the document.
struct LemmaType {
  std::string_view form, upos, xpos, feats, lemma;
  std::string lowered;  // the form in lower case
  uint16_t rule = 0;
  uint32_t count = 0;  // of words

  text::Token word() const { return {form, lemma, upos, xpos, feats}; }
};

class LemmaInventory {
 public:
  // The document must stay. Throws std::invalid_argument when it has no words.
  explicit LemmaInventory(const text::Document& document);

  const std::vector<LemmaType>& types() const { return types_; }
  const std::vector<std::string>& rules() const { return rules_; }  // those of most types first

  // Without entries that say what a less exact one says already.
  text::Dictionary<uint16_t> lexicon() const;
  // The rules that at least two types follow, for each UPOS and ending, most frequent first.
  std::pair<text::Dictionary<uint32_t>, std::vector<uint16_t>> endings() const;
  std::vector<uint64_t> known() const;  // a BloomFilter of known_lemma_key
  // Whether another form than this one's has the lemma.
  bool known_by_others(const LemmaType& type, std::string_view lemma) const;

 private:
  void collect(const text::Document& document);
  void number_rules();
  void count_lemmas();

  std::vector<LemmaType> types_;
  std::vector<std::string> rules_;
  std::vector<uint32_t> rule_types_;                    // how many types follow a rule
  std::unordered_map<uint64_t, uint32_t> lemma_forms_;  // known_lemma_key -> different lower-cased forms
};

}  // namespace accord::tasks
