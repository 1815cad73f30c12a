// SPDX-License-Identifier: Apache-2.0
// A CoNLL-U document made row by row, from tokens that are known already. The rows and the table of their fields come into being
// together, so that nothing has to be read again. Forms, MISC and comments must be valid UTF-8 without tabs and line ends; they
// are not checked here.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/documents/document.hpp"

namespace accord::text {

class DocumentBuilder {
 public:
  DocumentBuilder() : buffer_(std::make_shared<Document::Buffer>()) {}

  void begin_sentence();
  // A whole line, '#' included.
  void add_comment(std::string_view comment);
  void add_word(std::string_view form, std::string_view misc);
  // The row of a token of several words, which follow it.
  void add_range(size_t words, std::string_view form, std::string_view misc);
  void end_sentence();
  // Throws std::invalid_argument when it has 4 GiB or more.
  Document finish();

 private:
  void add_row(std::string_view form, std::string_view misc);

  std::shared_ptr<Document::Buffer> buffer_;
  Document::Sentence sentence_{};
  size_t line_ = 1;
};

}  // namespace accord::text
