// SPDX-License-Identifier: Apache-2.0
// Characters of a word as feature extraction needs them: code points, lower case, shape, prefixes and suffixes.
// Input is valid UTF-8 (readers check it). Case is mapped for the Latin, Greek, Cyrillic and Armenian blocks; other
// scripts have none or are left as they are.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace accord::text {

// The code point that starts at byte `at`; moves `at` behind it.
uint32_t next_code_point(std::string_view text, size_t& at);
void append_code_point(std::string& text, uint32_t point);

uint32_t lower_case(uint32_t point);
uint32_t upper_case(uint32_t point);  // the nearest character whose lower case this is; itself when there is none
bool is_upper(uint32_t point);
std::string lower_case(std::string_view text);

// The first or last `count` characters; the whole word when it is shorter.
std::string_view prefix(std::string_view text, int count);
std::string_view suffix(std::string_view text, int count);

// The place-th character (1, 2, ... from the front, -1, -2, ... from the end); empty when the word is shorter.
std::string_view character_at(std::string_view text, int place);

// What kind of character a text begins with, as segmenters and tokenisers tell them apart.
enum class CharacterType {
  none,
  space,
  newline,
  lower,
  upper,
  digit,
  chinese_digit,
  date,
  ideograph,
  kana,
  hangul,
  other_letter,
  full_stop,
  question,
  comma,
  apostrophe,
  quote,
  hyphen,
  opening,
  closing,
  symbol,
  mark
};
CharacterType character_type(std::string_view text);

// "Xx-dd" style: upper X, lower x, digit d, other characters as they are; runs are cut to at most two of a kind.
std::string shape(std::string_view text);

// Whether the letters are small, large, large at the beginning of the word only, or otherwise mixed; nothing is small where no letter is.
enum class LetterCase { none, lower, capital, upper, mixed };
LetterCase letter_case(std::string_view text);

enum class Share { none, some, all };
Share share_of_digits(std::string_view text);
Share share_of_punctuation(std::string_view text);

}  // namespace accord::text
