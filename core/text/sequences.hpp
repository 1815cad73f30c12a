// SPDX-License-Identifier: Apache-2.0
// Sequences of tokens, wherever they come from: the words of a document's sentences, the characters of texts, or columns of numbers.
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

  // What a network says of each token: [token][label] scores of single labels, which a labeller adds to those of its features. Empty:
  // nothing.
  std::vector<float>& label_scores() { return label_scores_; }
  const std::vector<float>& label_scores() const { return label_scores_; }

 protected:
  virtual void plain_tokens(size_t sequence, std::vector<Token>& out) const = 0;

  std::vector<size_t> starts_ = {0};

 private:
  std::vector<LexicalValues> lexical_;
  std::vector<float> label_scores_;
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

// Tokens that are columns of numbers, made outside of the core: hashes of words, of tags, or of whatever stands around a token in some
// view of the sequence. Templates read them as `column1`, `column2`, ... and, where a token has any number of values, as `marks`.
class ColumnSequences final : public Sequences {
 public:
  // `columns`: [token][column]. The marks of token i are marks[mark_starts[i]] to marks[mark_starts[i + 1]]. Throws
  // std::invalid_argument when the sizes do not fit together.
  ColumnSequences(std::span<const int64_t> lengths, std::vector<uint64_t> columns, size_t width, std::vector<uint64_t> marks,
                  std::span<const int64_t> mark_starts);

 private:
  void plain_tokens(size_t sequence, std::vector<Token>& out) const override;

  std::vector<uint64_t> columns_;
  size_t width_;
  std::vector<uint64_t> marks_;
  std::vector<size_t> mark_starts_;
};

}  // namespace accord::text
