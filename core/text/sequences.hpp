// SPDX-License-Identifier: Apache-2.0
// Sequences of tokens, wherever they come from: the words of a document's sentences, or the characters of texts.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/documents/document.hpp"
#include "core/text/token.hpp"

namespace accord::text {

class Sequences {
 public:
  virtual ~Sequences() = default;

  size_t size() const { return starts_.size() - 1; }
  size_t length(size_t sequence) const { return starts_[sequence + 1] - starts_[sequence]; }
  // Tokens before this sequence: where it starts in arrays over all tokens.
  size_t first(size_t sequence) const { return starts_[sequence]; }
  size_t total() const { return starts_.back(); }
  // Views that live as long as this object; with what a lexicon said, if it was asked.
  void tokens(size_t sequence, std::vector<Token>& out) const;

  // What a lexicon says of each token; filled by Lexicon::annotate.
  std::vector<LexicalValues>& lexical() { return lexical_; }

 protected:
  virtual void plain_tokens(size_t sequence, std::vector<Token>& out) const = 0;

  std::vector<size_t> starts_ = {0};

 private:
  std::vector<LexicalValues> lexical_;
};

// The document must outlive this object.
class DocumentSequences final : public Sequences {
 public:
  explicit DocumentSequences(const Document& document);

 private:
  void plain_tokens(size_t sequence, std::vector<Token>& out) const override { document_.tokens(sequence, out); }

  const Document& document_;
};

// One token a character; texts must be UTF-8 (std::invalid_argument says where one is not).
class CharacterSequences final : public Sequences {
 public:
  explicit CharacterSequences(std::span<const std::string> texts);

  std::string_view text(size_t sequence) const;
  // Byte offsets of the characters of a sequence within its text, and its length in bytes.
  std::span<const uint32_t> offsets(size_t sequence) const;

 private:
  void plain_tokens(size_t sequence, std::vector<Token>& out) const override;

  std::string bytes_;
  std::vector<size_t> text_starts_ = {0};
  std::vector<uint32_t> offsets_;  // of each sequence: length + 1 entries
};

}  // namespace accord::text
