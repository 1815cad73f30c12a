// SPDX-License-Identifier: Apache-2.0
// Words that a user wants to be tokens wherever they occur.
//
// *Preferred* words add a bonus to the labels that make a token of each of their occurrences. *Forced* words forbid every other label,
// at the longest matches from left to right. Words do not hold blanks.
// Complexity: O(characters x longest word) look-ups.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace accord::tasks {

class UserWords {
 public:
  // bonus: of each character of a word, added to scores of labels; infinity forces.
  UserWords(const std::vector<std::string>& words, double bonus);

  // Adds what these words say of a text to the scores of the labels of its characters, rows of character_labels.
  void add_bonus(std::string_view text, std::span<double> scores) const;

 private:
  void prefer(size_t begin, size_t end, std::span<double> scores) const;
  void force(size_t begin, size_t end, std::span<double> scores) const;

  std::unordered_set<std::string> words_;
  size_t longest_ = 0;  // in characters
  double bonus_;
};

}  // namespace accord::tasks
