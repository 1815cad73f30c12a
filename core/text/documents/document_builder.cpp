// SPDX-License-Identifier: Apache-2.0
#include "core/text/documents/document_builder.hpp"

#include <limits>
#include <stdexcept>

namespace accord::text {

void DocumentBuilder::begin_sentence() {
  sentence_ = {};
  sentence_.begin = static_cast<uint32_t>(buffer_->bytes.size());
  sentence_.first_row = static_cast<uint32_t>(buffer_->boundaries.size() / (column_count + 1));
  sentence_.first_word = static_cast<uint32_t>(buffer_->word_rows.size());
  sentence_.line = line_;
}

void DocumentBuilder::add_comment(std::string_view comment) {
  buffer_->bytes.append(comment).push_back('\n');
  ++sentence_.comments;
  ++line_;
}

void DocumentBuilder::add_word(std::string_view form, std::string_view misc) {
  buffer_->word_rows.push_back(sentence_.first_row + sentence_.rows);
  buffer_->boundaries.push_back(static_cast<uint32_t>(buffer_->bytes.size()));
  buffer_->bytes += std::to_string(++sentence_.words);
  add_row(form, misc);
}

void DocumentBuilder::add_range(size_t words, std::string_view form, std::string_view misc) {
  buffer_->boundaries.push_back(static_cast<uint32_t>(buffer_->bytes.size()));
  buffer_->bytes.append(std::to_string(sentence_.words + 1)).push_back('-');
  buffer_->bytes += std::to_string(sentence_.words + words);
  add_row(form, misc);
}

// All columns after the ID.
void DocumentBuilder::add_row(std::string_view form, std::string_view misc) {
  std::string& bytes = buffer_->bytes;
  for (size_t column = 1; column < column_count; ++column) {
    bytes += '\t';
    buffer_->boundaries.push_back(static_cast<uint32_t>(bytes.size()));
    bytes += column == 1 ? form : column + 1 == column_count ? misc : "_";
  }
  bytes += '\n';
  buffer_->boundaries.push_back(static_cast<uint32_t>(bytes.size()));
  ++sentence_.rows;
  ++line_;
}

void DocumentBuilder::end_sentence() {
  sentence_.end = static_cast<uint32_t>(buffer_->bytes.size());
  buffer_->bytes += '\n';
  buffer_->sentences.push_back(sentence_);
  ++line_;
}

Document DocumentBuilder::finish() {
  if (buffer_->bytes.size() >= std::numeric_limits<uint32_t>::max()) {
    throw std::invalid_argument("4 GiB or more in one document: read it as a stream");
  }
  std::vector<int32_t> heads(buffer_->word_rows.size(), -1);
  return Document(std::move(buffer_), std::move(heads));
}

}  // namespace accord::text
