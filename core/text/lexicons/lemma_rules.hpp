// SPDX-License-Identifier: Apache-2.0
// A lemma as an edit of its form, so that words never seen can be given one.
//
// The rule of (form, lemma): change the casing of the form, cut characters at its front and end and put others there, around the
// longest substring that the cased form shares with the lemma; of the casings the one with the shortest edit, and where nothing
// is shared the whole lemma. As text: "casing/cut/put/cut/put", front before end, or "word/lemma"; '/', '\' and line ends in a
// string are escaped by '\'. flies -> fly is "lower/0//3/y", went -> go is "word/go".
// Characters are code points of valid UTF-8. Deriving a rule costs O(|form| |lemma|), applying it O(|form| + |lemma|).
// Chrupala: Simple data-driven context-sensitive lemmatization, SEPLN 2006; Straka and Strakova: UDPipe, CoNLL 2017.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace accord::text {

enum class Casing : uint8_t {
  lower,        // all characters to lower case
  keep,         // as it is
  lower_first,  // the first character to lower case
  upper_first,  // the first character to upper case, the others to lower case
  word          // no edit: the lemma is given whole
};

// `text` with another casing; Casing::word leaves it as it is.
std::string with_casing(std::string_view text, Casing casing);

struct LemmaRule {
  Casing casing = Casing::lower;
  int front_cut = 0, end_cut = 0;  // characters
  std::string front_put, end_put;  // Casing::word: the lemma is front_put

  static LemmaRule derive(std::string_view form, std::string_view lemma);
  // Throws std::invalid_argument when the text is no rule.
  static LemmaRule parse(std::string_view text);
  std::string text() const;

  // Whether it changes more than the casing.
  bool edits() const { return casing == Casing::word || front_cut + end_cut > 0 || !front_put.empty() || !end_put.empty(); }
  // The lemma; nothing when the form has fewer characters than are cut, or nothing would be left.
  std::optional<std::string> apply(std::string_view form) const;
  // The same with the casing already applied to the form.
  std::optional<std::string> apply_to_cased(std::string_view cased) const;

  bool operator==(const LemmaRule&) const = default;
};

// The text of the rule of (form, lemma), and what a rule's text makes of a form.
std::string derive_lemma_rule(std::string_view form, std::string_view lemma);
std::optional<std::string> apply_lemma_rule(std::string_view rule, std::string_view form);

}  // namespace accord::text
