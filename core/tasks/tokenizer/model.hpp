// SPDX-License-Identifier: Apache-2.0
// A tokeniser at work: a text in; sentences, tokens and words out, as spans or as a document. Immutable; any number of threads may
// share it.
//
// A chain over characters finds tokens and, unless a network over words does, ends of sentences. Every character that is not blank is
// part of exactly one token. A sentence longer than `longest_sentence` tokens is cut where a sentence end is most probable.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tasks/tokenizer/character_labeller.hpp"
#include "core/tasks/tokenizer/multiword.hpp"
#include "core/tasks/tokenizer/sentence_ends.hpp"
#include "core/text/documents/token_table.hpp"

namespace accord::tasks {

// What a text holds: anything; a sentence in each line; a sentence in each line, with blanks between its tokens.
enum class TextMode { text, sentences, tokens };
TextMode parse_text_mode(std::string_view name);  // throws std::invalid_argument

class Tokenizer {
 public:
  static constexpr size_t longest_sentence = 1000;

  // rules, ends: must outlive this object, as must what `characters` refers to. ends: null where the characters say what ends a sentence.
  Tokenizer(CharacterLabeller characters, const MultiwordRules& rules, const SentenceEnds* ends = nullptr)
      : characters_(characters),
        rules_(rules),
        ends_(ends) {}

  const CharacterLabeller& characters() const { return characters_; }

  TokenSpans spans(std::string_view text, TextMode mode, int threads) const;
  // offsets: TokenRange=begin:end in MISC, counted in code points.
  text::Document document(std::string text, TextMode mode, const text::TextPlace& place, bool offsets, int threads) const;
  // Where a stream may be cut: how many characters of the text so far are a document of their own, and whether they end a paragraph (a
  // line, where lines are sentences). Before the last paragraph; else the last sentence; else the last word; else the last character.
  std::pair<int64_t, bool> cut(std::string_view text, TextMode mode, int threads) const;

 private:
  // `odds`: also, of each token of a text, the logarithm of the odds that a sentence ends there.
  TokenSpans spans_by_characters(std::string_view text, TextMode mode, int threads, std::vector<double>* odds) const;
  // The words of each form of some tokens; none for a form that is one word.
  std::vector<Words> words_of(const text::TokenTable& tokens, TextMode mode) const;
  void cut_long_sentences(const SqueezedText& text, std::vector<int32_t>& labels, int threads) const;

  CharacterLabeller characters_;
  const MultiwordRules& rules_;
  const SentenceEnds* ends_;
};

}  // namespace accord::tasks
