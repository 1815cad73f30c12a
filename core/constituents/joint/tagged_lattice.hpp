// SPDX-License-Identifier: Apache-2.0
// Words that a text may have, with tags that they may have, and what stands beside each of them most likely.
//
// Set:    paths of tagged words from place 0 to place n, each beginning where the last one ended.
// Score:  the sum of the scores of words, of their tags, and of transitions between neighbouring tags.
// Context: inside a span the words are known; outside, the likeliest neighbours stand for the true ones (Qian & Liu 2012). The likeliest
//         word before a place is the last one of the best path of words from 0 to that place (by the words' scores alone), and its tag is
//         the best one given the tag of the word behind, over all paths that end in that word. Behind a place it is the same backwards.
//         Along the best path of words the neighbours are the true ones.
// Complexity: O(words) for words; for tags, the sum over places of (tagged words that end there) x (that begin there).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/constituents/span_scores.hpp"

namespace accord::constituents {

struct LatticeWord {
  int32_t begin, end;
  double score;
};

// Words by their places, and the best path to and from each place.
class WordLattice {
 public:
  // Words that no path uses are left out, the others sorted by begin and end. Throws std::invalid_argument where a word does not go
  // forward within 0..length, or has a score that is no number or +infinity; and where there is no path.
  WordLattice(int length, std::vector<LatticeWord> words);

  int length() const { return length_; }
  std::span<const LatticeWord> words() const { return words_; }
  // Of each word that is left: its number as it was given.
  std::span<const int32_t> given() const { return given_; }
  // The likeliest word before or behind a place, -1 at the ends.
  int32_t before(int place) const { return before_[static_cast<std::size_t>(place)]; }
  int32_t behind(int place) const { return behind_[static_cast<std::size_t>(place)]; }
  std::vector<int32_t> best_path() const;

 private:
  void keep_used();

  int length_;
  std::vector<LatticeWord> words_;
  std::vector<int32_t> given_;
  std::vector<int32_t> before_, behind_;  // by place
};

struct TaggedWord {
  int32_t word;  // of the lattice
  int32_t tag;
  double score;  // of word and tag
};

class TaggedLattice {
 public:
  // `candidates` stand by word, in its order. `transitions`: [previous tag][tag], or nothing; they must outlive this object. Throws
  // std::invalid_argument where a word has no candidate or a tag no transitions.
  TaggedLattice(const WordLattice& words, std::vector<TaggedWord> candidates, int tags, std::span<const double> transitions);

  int length() const { return length_; }
  std::span<const TaggedWord> words() const { return words_; }
  int begin(int32_t word) const { return begins_[static_cast<std::size_t>(word)]; }
  int end(int32_t word) const { return ends_[static_cast<std::size_t>(word)]; }
  const TaggedWord& operator[](int32_t word) const { return words_[static_cast<std::size_t>(word)]; }
  // Tagged words from begin to end: a range of numbers.
  std::pair<int32_t, int32_t> between(int begin, int end) const;
  // Whether words may begin or end there.
  bool place(int place) const { return places_[static_cast<std::size_t>(place)] != 0; }
  double transition(int32_t left, int32_t right) const {
    return transitions_.empty()
               ? 0.0
               : transitions_[static_cast<std::size_t>((*this)[left].tag) * tags_ + static_cast<std::size_t>((*this)[right].tag)];
  }
  // The likeliest tagged word beside one, -1 at the ends.
  int32_t before(int32_t word) const { return word < 0 ? -1 : before_[static_cast<std::size_t>(word)]; }
  int32_t behind(int32_t word) const { return word < 0 ? -1 : behind_[static_cast<std::size_t>(word)]; }
  // The best path, with tags given the best path of words: what a pipeline of segmenter and tagger finds.
  std::vector<int32_t> pipeline_path(const WordLattice& words) const;

 private:
  void find_neighbours(const WordLattice& words);

  int length_;
  std::size_t tags_;
  std::span<const double> transitions_;
  std::vector<TaggedWord> words_;
  std::vector<int32_t> begins_, ends_;  // by tagged word
  std::vector<int32_t> starts_;         // by place: tagged words that begin there
  std::vector<uint8_t> places_;
  std::vector<int32_t> before_, behind_;  // by tagged word
};

}  // namespace accord::constituents
