// SPDX-License-Identifier: Apache-2.0
// The words of a text by frequency, and how often one follows another.
//
// Text comes in pieces of whole lines: sentences a line, words between blanks. Pairs do not cross lines.
// Complexity: O(tokens) time and memory while counting (four bytes a token), O(pairs log pairs) to sum up.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accord::text {

struct Neighbour {
  int32_t word;
  double count;  // a whole number
};

// Words are numbered by falling frequency.
struct Bigrams {
  std::vector<std::string> words;
  std::vector<uint64_t> counts;
  double total = 0;  // pairs in all

  // Classes of words as words of their own, without names; `class_of` by word.
  Bigrams by_class(std::span<const int32_t> class_of, size_t classes) const;

  std::span<const Neighbour> right(size_t word) const { return of(right_, right_starts_, word); }
  std::span<const Neighbour> left(size_t word) const { return of(left_, left_starts_, word); }

 private:
  friend class BigramCounter;
  static std::span<const Neighbour> of(const std::vector<Neighbour>& all, const std::vector<size_t>& starts, size_t word) {
    return std::span(all).subspan(starts[word], starts[word + 1] - starts[word]);
  }
  std::vector<Neighbour> right_, left_;
  std::vector<size_t> right_starts_, left_starts_;
};

class BigramCounter {
 public:
  void add(std::string_view lines);
  // Words that occur `least_count` times or more, `most_words` of them at most (0: all). Other words part their neighbours.
  Bigrams sum_up(int least_count, int most_words) const;
  size_t tokens() const { return tokens_.size(); }

 private:
  static constexpr int32_t line_end = -1;
  int32_t number_of(std::string_view word);

  std::deque<std::string> words_;  // does not move its strings
  std::unordered_map<std::string_view, int32_t> numbers_;
  std::vector<uint64_t> counts_;
  std::vector<int32_t> tokens_;
};

}  // namespace accord::text
