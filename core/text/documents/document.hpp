// SPDX-License-Identifier: Apache-2.0
// A treebank document: one byte buffer and a table of field offsets.
//
// Nothing is copied per word: a field is a view into the buffer. Text that was not changed is written back byte for
// byte by construction, because writing copies the buffer and splices replaced fields in. Reading is one pass,
// O(bytes); access to any field is O(1). Memory: the bytes, 4 per boundary of a leading column, 8 per word.
//
// A sentence is a maximal run of non-blank lines: comments, then rows. A row is a word (ID 1..n), a multiword range
// (a-b, directly before word a) or an empty node (i.1, i.2, ... after word i). What is refused, and why, stands in
// docs/formats.md.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/documents/document_layout.hpp"
#include "core/text/token.hpp"

namespace accord::text {

// Where and why a text is not a document. Thrown by Document::parse, or collected when it keeps going.
struct FormatProblem {
  size_t line;
  std::string reason;
};

// New values for whole columns: one entry per word of the whole document, sentences concatenated. Empty: left as it is.
struct Edits {
  std::span<const int32_t> heads;                                       // 0..n of its sentence, or -1 for unknown ("_")
  std::array<std::span<const std::string_view>, column_count> columns;  // any but id and head
  std::span<const std::string_view> misc_entries;                       // "Key=Value|Key=Value" merged into MISC; "" adds nothing
};

class Document {
 public:
  // `first_line` numbers the first line of `bytes` in messages. With keep_going a sentence that cannot be read is kept
  // verbatim, has zero words, and is told in problems(); without, the first problem is thrown.
  static Document parse(std::string bytes, const Layout& layout = layouts::conllu, size_t first_line = 1, bool keep_going = false);

  size_t sentences() const noexcept { return sentences_.size(); }
  size_t words(size_t sentence) const { return sentences_[sentence].words; }
  size_t total_words() const noexcept { return heads_.size(); }
  // Words before this sentence: where it starts in heads() and in the columns of Edits.
  size_t first_word(size_t sentence) const { return sentences_[sentence].first_word; }
  std::vector<int32_t> lengths() const;  // words of each sentence
  bool broken(size_t sentence) const { return sentences_[sentence].words == 0; }

  std::string_view field(size_t sentence, size_t word /* 1..n */, Column column) const {
    return row_field(word_rows_[first_word(sentence) + word - 1], column);
  }
  int32_t head(size_t sentence, size_t word /* 1..n */) const { return heads_[first_word(sentence) + word - 1]; }
  std::span<const int32_t> heads() const noexcept { return heads_; }
  std::span<const int32_t> heads(size_t sentence) const { return heads().subspan(first_word(sentence), words(sentence)); }
  // The words alone, no ranges and no empty nodes: n entries.
  void tokens(size_t sentence, std::vector<Token>& out) const;
  // One column of every word of the document.
  std::vector<std::string_view> column(Column column) const;

  using Fields = std::array<std::string_view, column_count>;
  // Every row, ranges and empty nodes included, by role.
  std::vector<Fields> rows(size_t sentence) const;
  // Comment lines, '#' included, line ends not.
  std::vector<std::string_view> comments(size_t sentence) const;
  // The lines of the sentence as they stand in the buffer, line ends included, blank lines after it not.
  std::string_view text(size_t sentence) const;
  // Number of the sentence's first line; of the row of one of its words.
  size_t line(size_t sentence) const { return sentences_[sentence].line; }
  size_t line(size_t sentence, size_t word /* 1..n */) const;

  std::string_view bytes() const noexcept { return bytes_; }
  const Layout& layout() const noexcept { return layout_; }
  const std::vector<FormatProblem>& problems() const noexcept { return problems_; }

  // The document with some columns replaced and everything else byte for byte. Throws std::invalid_argument when an
  // edit does not fit: wrong count, a value that is empty or would break the row, a column the format does not have.
  std::string write(const Edits& edits = {}) const;
  // The words in another tab-separated format, '\n' line ends. Broken sentences are left out.
  std::string to_conllu() const;
  std::string to_conllx() const;

 private:
  friend class DocumentReader;

  struct Sentence {
    uint32_t begin, end;  // bytes, from the first comment to the end of the last row's line
    uint32_t first_row, rows;
    uint32_t first_word, words;
    uint32_t comments;
    size_t line;
  };

  // Column c of a row spans [boundary[c], boundary[c + 1] - 1): the byte between is the tab or the end of the line.
  std::string_view row_column(size_t row, int place) const {
    const uint32_t* boundary = boundaries_.data() + row * (layout_.leading + 1u) + static_cast<size_t>(place);
    return std::string_view(bytes_.data() + boundary[0], boundary[1] - 1 - boundary[0]);
  }
  std::string_view row_field(size_t row, Column column) const {
    const int place = layout_.place(column);
    return place < 0 ? std::string_view("_") : row_column(row, place);
  }

  std::string bytes_;
  Layout layout_ = layouts::conllu;
  std::vector<Sentence> sentences_;
  std::vector<uint32_t> boundaries_;  // leading + 1 for each row
  std::vector<uint32_t> word_rows_;   // the row of each word
  std::vector<int32_t> heads_;        // of each word; -1: unknown
  std::vector<FormatProblem> problems_;
};

}  // namespace accord::text
