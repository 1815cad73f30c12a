// SPDX-License-Identifier: Apache-2.0
// A treebank document: one byte buffer, a table of field offsets, and columns that were replaced since it was read.
//
// Nothing is copied per word: a field is a view into the buffer, or into the new values of its column. An edited document shares
// the buffer with the one it was made from, so that steps which fill in columns one after another print nothing. Text that was
// not changed is written back byte for byte by construction, because writing copies the buffer and splices replaced fields in.
// Reading is one pass, O(bytes); access to any field is O(1). Memory: the bytes, 4 per boundary of a leading column, 8 per word;
// for an edited column its values and 8 per word.
//
// A sentence is a maximal run of non-blank lines: comments, then rows. A row is a word (ID 1..n), a multiword range
// (a-b, directly before word a) or an empty node (i.1, i.2, ... after word i). What is refused, and why, stands in
// docs/formats.md.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

// One value for each word of a document, in one piece of memory.
class ColumnValues {
 public:
  void reserve(size_t words, size_t bytes) {
    ends_.reserve(words);
    text_.reserve(bytes);
  }
  // Values are appended to text(), and each is ended.
  std::string& text() noexcept { return text_; }
  void end_value() { ends_.push_back(text_.size()); }
  std::string_view operator[](size_t word) const {
    const size_t begin = word == 0 ? 0 : ends_[word - 1];
    return std::string_view(text_).substr(begin, ends_[word] - begin);
  }

 private:
  std::string text_;
  std::vector<size_t> ends_;
};

class Document {
 public:
  // `first_line` numbers the first line of `bytes` in messages. With keep_going a sentence that cannot be read is kept
  // verbatim, has zero words, and is told in problems(); without, the first problem is thrown.
  static Document parse(std::string bytes, const Layout& layout = layouts::conllu, size_t first_line = 1, bool keep_going = false);

  size_t sentences() const noexcept { return buffer_->sentences.size(); }
  size_t words(size_t sentence) const { return entry(sentence).words; }
  size_t total_words() const noexcept { return heads_.size(); }
  // Words before this sentence: where it starts in heads() and in the columns of Edits.
  size_t first_word(size_t sentence) const { return entry(sentence).first_word; }
  std::vector<int32_t> lengths() const;  // words of each sentence
  bool broken(size_t sentence) const { return entry(sentence).words == 0; }

  std::string_view field(size_t sentence, size_t word /* 1..n */, Column column) const {
    return field(first_word(sentence) + word - 1, column);
  }
  std::string_view field(size_t index /* among all words, from 0 */, Column column) const {
    const ColumnValues* edited = edited_[static_cast<size_t>(column)].get();
    return edited != nullptr ? (*edited)[index] : row_field(buffer_->word_rows[index], column);
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
  std::vector<std::string> comments(size_t sentence) const;
  // Number of the sentence's first line, as it was read; of the row of one of its words.
  size_t line(size_t sentence) const { return entry(sentence).line; }
  size_t line(size_t sentence, size_t word /* 1..n */) const;

  const Layout& layout() const noexcept { return buffer_->layout; }
  const std::vector<FormatProblem>& problems() const noexcept { return buffer_->problems; }

  // The document with some columns replaced and everything else byte for byte. Throws std::invalid_argument when an
  // edit does not fit: wrong count, a value that is empty or would break the row, a column the format does not have.
  Document edited(const Edits& edits) const;
  // The document with a comment "# key = value" in each sentence that has a value. A comment with the same key makes room for
  // it; else it comes after the last one, ended as the document's first line is.
  Document with_comments(std::string key, std::vector<std::optional<std::string>> values) const;

  // The bytes of the document.
  std::string write() const;
  // The same without a copy, where nothing was replaced or added since the document was read.
  std::optional<std::string_view> as_read() const;
  // The lines of one sentence, line ends included, blank lines after it not.
  std::string write(size_t sentence) const;
  // The words in another tab-separated format, '\n' line ends. Broken sentences are left out.
  std::string to_conllu() const;
  std::string to_conllx() const;

 private:
  friend class DocumentReader;
  friend class DocumentBuilder;
  friend class DocumentWriter;

  struct Sentence {
    uint32_t begin, end;  // bytes, from the first comment to the end of the last row's line
    uint32_t first_row, rows;
    uint32_t first_word, words;
    uint32_t comments;
    size_t line;
  };

  std::string_view row_field(size_t row, Column column) const { return buffer_->row_field(row, column); }
  const Sentence& entry(size_t sentence) const { return buffer_->sentences[sentence]; }
  // A comment of a sentence: its line as it was read, line end included, and what takes its place. One that is new has no line.
  struct Comment {
    std::string_view line;
    std::string added;  // empty: as it was read

    std::string_view content() const { return added.empty() ? line.substr(0, line.find_last_not_of("\r\n") + 1) : std::string_view(added); }
  };
  std::vector<std::string_view> comment_lines(size_t sentence) const;
  std::vector<Comment> edited_comments(size_t sentence) const;

  // What was read. Documents that are edited from one another share it.
  struct Buffer {
    std::string bytes;
    Layout layout = layouts::conllu;
    std::vector<Sentence> sentences;
    std::vector<uint32_t> boundaries;  // leading + 1 for each row
    std::vector<uint32_t> word_rows;   // the row of each word
    std::vector<FormatProblem> problems;

    // Column c of a row spans [boundary[c], boundary[c + 1] - 1): the byte between is the tab or the end of the line.
    std::string_view row_field(size_t row, Column column) const {
      const int place = layout.place(column);
      if (place < 0) return "_";
      const uint32_t* boundary = boundaries.data() + row * (layout.leading + 1u) + static_cast<size_t>(place);
      return std::string_view(bytes.data() + boundary[0], boundary[1] - 1 - boundary[0]);
    }
  };
  struct AddedComments {
    std::string key;
    std::vector<std::optional<std::string>> values;  // by sentence
  };

  Document(std::shared_ptr<const Buffer> buffer, std::vector<int32_t> heads) : buffer_(std::move(buffer)), heads_(std::move(heads)) {}

  std::shared_ptr<const Buffer> buffer_;
  std::vector<int32_t> heads_;                                            // of each word; -1: unknown
  std::array<std::shared_ptr<const ColumnValues>, column_count> edited_;  // none: as in the buffer
  std::vector<std::shared_ptr<const AddedComments>> added_comments_;      // in the order in which they came
};

}  // namespace accord::text
