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
  const size_t first = first_word(sentence);
  out.resize(words(sentence));
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t word = first + i;
    out[i] = {field(word, Column::form), field(word, Column::lemma), field(word, Column::upos), field(word, Column::xpos),
              field(word, Column::feats)};
  }
}

std::vector<int32_t> Document::lengths() const {
  std::vector<int32_t> lengths;
  lengths.reserve(sentences());
  for (const Sentence& entry : buffer_->sentences) lengths.push_back(static_cast<int32_t>(entry.words));
  return lengths;
}

std::vector<std::string_view> Document::column(Column column) const {
  std::vector<std::string_view> values;
  values.reserve(total_words());
  for (size_t word = 0; word < total_words(); ++word) values.push_back(field(word, column));
  return values;
}

std::vector<Document::Fields> Document::rows(size_t sentence) const {
  const Sentence& here = entry(sentence);
  std::vector<Fields> rows(here.rows);
  size_t word = here.first_word;  // the next one
  for (size_t i = 0; i < here.rows; ++i) {
    const size_t row = here.first_row + i;
    const bool is_word = word < here.first_word + here.words && buffer_->word_rows[word] == row;
    for (size_t c = 0; c < column_count; ++c) {
      const auto column = static_cast<Column>(c);
      rows[i][c] = is_word ? field(word, column) : row_field(row, column);
    }
    if (is_word) ++word;
  }
  return rows;
}

std::vector<std::string_view> Document::comment_lines(size_t sentence) const {
  const Sentence& here = entry(sentence);
  std::vector<std::string_view> lines;
  lines.reserve(here.comments);
  std::string_view rest = std::string_view(buffer_->bytes).substr(here.begin, here.end - here.begin);
  for (size_t i = 0; i < here.comments; ++i) {
    lines.push_back(rest.substr(0, rest.find('\n') + 1));
    rest.remove_prefix(lines.back().size());
  }
  return lines;
}

size_t Document::line(size_t sentence, size_t word) const {
  const Sentence& here = entry(sentence);
  return here.line + here.comments + (buffer_->word_rows[here.first_word + word - 1] - here.first_row);
}

}  // namespace accord::text
