// SPDX-License-Identifier: Apache-2.0
// Sentences with their derivations, as trainers of spines read them, and the tags of words as numbers.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/constituents/spines/derivation.hpp"
#include "core/text/features/atoms.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// XPOS, else UPOS; a word of another tag counts as one of the first tag.
class TagNumbers {
 public:
  explicit TagNumbers(const std::vector<std::string>& names) {
    for (size_t k = 0; k < names.size(); ++k) numbers_.emplace(names[k], static_cast<int32_t>(k));
    if (numbers_.empty()) throw std::invalid_argument("a grammar has tags");
  }

  void read(std::span<const text::Token> tokens, std::vector<int32_t>& tags) const {
    tags.assign(1, -1);
    for (const text::Token& token : tokens) {
      const std::string_view name = token.xpos != "_" ? token.xpos : token.upos != "_" ? token.upos : std::string_view("X");
      const auto found = numbers_.find(std::string(name));
      tags.push_back(found == numbers_.end() ? 0 : found->second);
    }
  }

 private:
  std::unordered_map<std::string, int32_t> numbers_;
};

// Spines, heads, nodes and kinds of adjunction of all words of a treebank, sentence after sentence. A sentence that has a word whose spine
// is negative has no derivation. Sequences are somebody else's.
struct SpineData {
  const text::Sequences& sequences;
  std::vector<int32_t> spines, heads, nodes, regular;
  text::ClusterLexicon clusters;

  // Throws std::invalid_argument where numbers are out of range.
  void check(const constituents::SpineGrammar& grammar) const {
    const size_t total = sequences.total();
    if (spines.size() != total || heads.size() != total || nodes.size() != total || regular.size() != total)
      throw std::invalid_argument("one spine and one adjunction for each word");
    for (size_t s = 0; s < sequences.size(); ++s)
      for (size_t k = sequences.first(s); k < sequences.first(s) + sequences.length(s); ++k) {
        const int32_t head = heads[k];
        if (spines[k] >= static_cast<int32_t>(grammar.spines()) || head < 0 || static_cast<size_t>(head) > sequences.length(s))
          throw std::invalid_argument("a spine or a head is out of range");
        const int32_t above = head == 0 ? -1 : spines[sequences.first(s) + static_cast<size_t>(head) - 1];
        if (nodes[k] < 0 || (above >= 0 && static_cast<size_t>(nodes[k]) >= grammar.spine(above).size()))
          throw std::invalid_argument("a spine has no such node");
      }
  }

  // False: there is no word, or no derivation. All words are read in any case.
  bool read(size_t sentence, constituents::SpineDerivation& gold) const {
    const size_t first = sequences.first(sentence), length = sequences.length(sentence);
    bool known = length > 0;
    gold.resize(static_cast<int>(length));
    for (size_t k = 0; k < length; ++k) {
      gold.spine[k + 1] = spines[first + k];
      gold.head[k + 1] = heads[first + k];
      gold.node[k + 1] = nodes[first + k];
      gold.regular[k + 1] = regular[first + k] != 0;
      known = known && spines[first + k] >= 0;
    }
    return known;
  }
};

}  // namespace accord::tasks
