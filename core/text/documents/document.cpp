// SPDX-License-Identifier: Apache-2.0
// Access to a parsed document: views and small tables, nothing is searched.
#include "core/text/documents/document.hpp"

#include <stdexcept>

namespace accord::text {

const Layout& layout_named(std::string_view name) {
  for (const Layout* layout : {&layouts::conllu, &layouts::conllx, &layouts::conll2008, &layouts::conll2009}) {
    if (layout->name == name) return *layout;
  }
  throw std::invalid_argument("no format is named '" + std::string(name) + "'");
}

void Document::tokens(size_t sentence, std::vector<Token>& out) const {
  const Sentence& entry = sentences_[sentence];
  out.resize(entry.words);
  for (size_t i = 0; i < entry.words; ++i) {
    const size_t row = word_rows_[entry.first_word + i];
    out[i] = {row_field(row, Column::form), row_field(row, Column::lemma), row_field(row, Column::upos), row_field(row, Column::xpos),
              row_field(row, Column::feats)};
  }
}

std::vector<int32_t> Document::lengths() const {
  std::vector<int32_t> lengths;
  lengths.reserve(sentences_.size());
  for (const Sentence& entry : sentences_) lengths.push_back(static_cast<int32_t>(entry.words));
  return lengths;
}

std::vector<std::string_view> Document::column(Column column) const {
  std::vector<std::string_view> values;
  values.reserve(word_rows_.size());
  for (const uint32_t row : word_rows_) values.push_back(row_field(row, column));
  return values;
}

std::vector<Document::Fields> Document::rows(size_t sentence) const {
  const Sentence& entry = sentences_[sentence];
  std::vector<Fields> rows(entry.rows);
  for (size_t i = 0; i < entry.rows; ++i) {
    for (size_t c = 0; c < column_count; ++c) rows[i][c] = row_field(entry.first_row + i, static_cast<Column>(c));
  }
  return rows;
}

std::vector<std::string_view> Document::comments(size_t sentence) const {
  const Sentence& entry = sentences_[sentence];
  std::vector<std::string_view> comments;
  comments.reserve(entry.comments);
  std::string_view rest = text(sentence);
  for (size_t i = 0; i < entry.comments; ++i) {
    const size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    if (line.ends_with('\r')) line.remove_suffix(1);
    comments.push_back(line);
    rest.remove_prefix(newline + 1);
  }
  return comments;
}

std::string_view Document::text(size_t sentence) const {
  const Sentence& entry = sentences_[sentence];
  return std::string_view(bytes_).substr(entry.begin, entry.end - entry.begin);
}

size_t Document::line(size_t sentence, size_t word) const {
  const Sentence& entry = sentences_[sentence];
  return entry.line + entry.comments + (word_rows_[entry.first_word + word - 1] - entry.first_row);
}

}  // namespace accord::text
