// SPDX-License-Identifier: Apache-2.0
// A lexicon as feature extraction reads it: words with the tags they were seen with, and names with their types.
//
// For words it says `tags`. For characters it says, after Xu et al. (2008), how long the longest word is that begins (`begins`) or
// ends (`ends`) with the character and whether it is a word `alone`; and, looking at the text, how long the longest word is that
// starts here, ends here or lies around (`starts_word`, `ends_word`, `inside_word`; two characters at least), and the same for names.
// Names whose types are whole numbers count as a dictionary with logarithms of frequencies. It then says where in a word the character
// stands in the most probable row of its words (`path`).
// Complexity: O(characters x longest word) look-ups a text.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/sequences.hpp"

namespace accord::text {

class Lexicon {
 public:
  // Lines "word" or "word<TAB>tags"; names likewise, with their type. Words of characters are matched when `matching`.
  Lexicon(std::string_view words, std::string_view names, bool matching);

  size_t size() const { return tags_.size(); }
  bool contains(std::string_view word) const;

  // Writes what it says of the tokens of some sequences; sequences that are not listed keep what was written before.
  void annotate(Sequences& sequences, std::span<const size_t> which) const;
  void annotate(Sequences& sequences) const;

 private:
  struct Ends {
    uint8_t begins = 0, ends = 0, alone = 0;
  };
  using Table = std::unordered_map<uint64_t, uint64_t>;

  void annotate_words(std::span<const Token> tokens, LexicalValues* out) const;
  void annotate_matches(std::span<const Token> tokens, LexicalValues* out, const Table& table, int longest, Lexical starts, Lexical ends,
                        Lexical inside) const;
  void annotate_path(std::span<const Token> tokens, LexicalValues* out) const;

  Table tags_, names_;
  std::unordered_map<uint64_t, double> frequencies_;  // by type: logarithms of the shares of the names; empty: no dictionary
  std::unordered_map<uint64_t, Ends> characters_;
  double rarest_ = 0;  // of characters that are no name
  int longest_word_ = 0, longest_name_ = 0;
  bool matching_;
};

}  // namespace accord::text
