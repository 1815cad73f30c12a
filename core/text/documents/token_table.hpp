// SPDX-License-Identifier: Apache-2.0
// The tokens that a tokeniser found in a text, and the document of them.
//
// Every character that is not blank belongs to one token. MISC of a token says what follows it when that is not one blank:
// SpaceAfter=No, or SpacesAfter with the blanks, written \s \t \r \n \p \\ as UDPipe writes them and \uXXXX for the others. The
// first token of a document says SpacesBefore, a token with unusual blanks inside SpacesInToken. Blank are the white space of
// Unicode and all control characters. Linear in the text.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/documents/document.hpp"

namespace accord::text {

bool is_blank(uint32_t point);
// Blanks and other characters as a value of MISC.
std::string escape_blanks(std::string_view text);
// The text with one blank for every run of blanks.
std::string one_blank(std::string_view text);

// Where a document stands in the text that it is a part of.
struct TextPlace {
  std::optional<std::string> newdoc;  // what the text is called, in its first sentence and in the ids of all
  size_t sentences = 0;               // before this document
  size_t characters = 0;
  bool inside_paragraph = false;  // the document goes on with a paragraph
};

class TokenTable {
 public:
  // Tokens begin[k]:end[k] of a text, in code points and in order. Throws std::invalid_argument where they are not inside it.
  TokenTable(std::string text, std::span<const int64_t> begin, std::span<const int64_t> end, bool blanks_inside);

  // The forms of the tokens, each once, in the order in which they first come.
  const std::vector<std::string>& forms() const { return forms_; }
  size_t size() const { return tokens_.size(); }
  // The number of a token's form.
  size_t form(size_t token) const { return tokens_[token].form; }

  // `words` of each form: none for a token that is one word. last, paragraph: of each token, whether it is the last one of its
  // sentence, and the first one of its paragraph. offsets: TokenRange=begin:end in MISC, counted in code points.
  Document document(std::span<const std::vector<std::string>> words, std::span<const uint8_t> last, std::span<const uint8_t> paragraph,
                    const TextPlace& place, bool offsets) const;

 private:
  struct Token {
    size_t begin, end;      // bytes
    int64_t first, behind;  // code points
    uint32_t form;          // number in forms_
  };

  std::string_view source(const Token& token) const { return std::string_view(text_).substr(token.begin, token.end - token.begin); }
  std::string_view gap_after(size_t token) const;
  std::string misc(size_t token, const TextPlace& place, bool offsets) const;
  std::string shown_text(size_t first, size_t last) const;

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<std::string> forms_;
};

}  // namespace accord::text
