// SPDX-License-Identifier: Apache-2.0
// Which lemma rules a word may follow, whatever a network thinks of the others.
//
//   seen forms    the rules that the form, or else its lower-cased form, followed with the word's part of speech in training
//   other forms   the rules that enough different forms with this part of speech followed; all rules where there is none
// The best-scored one of these is the word's rule.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace accord::neural {

class LemmaGuide {
 public:
  LemmaGuide() = default;
  // keys: sorted, of forms with parts of speech; keys[i] may follow rules[starts[i]:starts[i + 1]]. often: parts of speech x rules,
  // not 0 where forms that were not seen may follow the rule. Throws std::invalid_argument where something does not fit.
  LemmaGuide(std::vector<uint64_t> keys, std::vector<uint32_t> starts, std::vector<uint16_t> rules, std::vector<uint8_t> often,
             size_t tags);

  bool empty() const { return often_.empty(); }
  size_t tags() const { return tags_; }
  size_t rules() const { return tags_ == 0 ? 0 : often_.size() / tags_; }

  static uint64_t key(std::string_view form, int32_t tag);
  // The rule of a word by the scores of all rules; tag: the number of its part of speech.
  int32_t choose(std::string_view form, int32_t tag, std::span<const float> scores) const;

 private:
  // The best of a seen form's rules; -1: it was not seen.
  int32_t of_form(std::string_view form, int32_t tag, std::span<const float> scores) const;

  std::vector<uint64_t> keys_;
  std::vector<uint32_t> starts_;
  std::vector<uint16_t> rules_;
  std::vector<uint8_t> often_;
  size_t tags_ = 0;
};

}  // namespace accord::neural
