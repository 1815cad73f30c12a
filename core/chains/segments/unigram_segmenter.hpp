// SPDX-License-Identifier: Apache-2.0
// Words found by a dictionary: the segmentation of a text into words of the largest joint probability, words being independent
// (the "maximum probability segmenter" of R. Zhang, Kikui & Sumita 2006; Xu et al. 2008).
//
// Set:        all ways to cut the characters of a UTF-8 text into dictionary words and single characters.
// Score:      sum of log P(word);  P(w) = (count(w) + delta) / (N + delta |V|) for a word of the dictionary,
//             P(c) = delta / (N + delta |V|) for any other single character, so that there always is a segmentation.
// Complexity: O(T L_max) look-ups and arcs for T characters and words of at most L_max.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/chains/segments/lattice.hpp"

namespace accord::chains {

class UnigramSegmenter {
 public:
  // Throws std::invalid_argument when delta is not positive, a word is empty or no UTF-8, or a count is negative. The counts of
  // a word that stands twice are added up.
  UnigramSegmenter(const std::vector<std::string>& words, const std::vector<double>& counts, double delta = 0.5);

  // -infinity for strings that are no candidate: longer than a character and not in the dictionary.
  double log_probability(std::string_view word) const;

  // Order 0 over the characters of the text; edges stand by their first character, then by length. Throws std::invalid_argument when
  // the text is no UTF-8.
  Lattice lattice(std::string_view text) const;

  // Where each word of the best segmentation ends, in characters.
  std::vector<int> segment(std::string_view text) const;

  size_t words() const { return scores_.size(); }
  size_t longest_word() const { return longest_; }  // in characters

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::unordered_map<std::string, double, Hash, std::equal_to<>> scores_;  // log P
  double unknown_ = 0;                                                     // log P of a character that is no word
  size_t longest_ = 1;
};

}  // namespace accord::chains
