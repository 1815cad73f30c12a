// SPDX-License-Identifier: Apache-2.0
// Reading: one pass over the bytes, line by line. IDs and heads are checked as they come, what needs the sentence's
// length when it ends. Messages are built only once something is wrong.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/text/documents/document.hpp"
#include "core/text/documents/document_line.hpp"

namespace accord::text {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string number(size_t value) { return std::to_string(value); }

}  // namespace

// Fills a Document. A sentence that fails leaves no trace in the tables but one broken entry.
class DocumentReader {
 public:
  DocumentReader(Document::Buffer& buffer, std::vector<int32_t>& heads, size_t first_line, bool keep_going)
      : buffer_(buffer),
        heads_(heads),
        layout_(buffer.layout),
        data_(buffer.bytes.data()),
        size_(static_cast<uint32_t>(buffer.bytes.size())),
        line_number_(first_line),
        keep_going_(keep_going) {}

  void read() {
    const size_t lines = 1 + static_cast<size_t>(std::count(data_, data_ + size_, '\n'));
    buffer_.boundaries.reserve(lines * (layout_.leading + 1u));
    buffer_.word_rows.reserve(lines);
    heads_.reserve(lines);
    if (line_number_ == 1 && buffer_.bytes.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    while (at_ < size_) {
      if (const uint32_t blank = blank_line_at(at_); blank > at_) {
        at_ = blank;
        ++line_number_;
      } else {
        read_sentence();
      }
    }
  }

 private:
  // Where the line after the blank line at `at` begins; `at` itself when the line is not blank.
  uint32_t blank_line_at(uint32_t at) const {
    const uint32_t content = at + (at < size_ && data_[at] == '\r' ? 1 : 0);
    if (content == size_) return size_;
    return data_[content] == '\n' ? content + 1 : at;
  }

  void read_sentence() {
    begin_sentence();
    bool good = true;
    while (good && at_ < size_ && blank_line_at(at_) == at_) {
      good = read_line();
      ++line_number_;
    }
    good = good && finish_sentence();
    if (!good) {
      if (!keep_going_) throw std::move(problem_);
      buffer_.problems.push_back(std::move(problem_));
      skip_sentence();
    }
    sentence_.end = at_;
    buffer_.sentences.push_back(sentence_);
  }

  void begin_sentence() {
    sentence_ = {};
    sentence_.begin = at_;
    sentence_.line = line_number_;
    sentence_.first_row = static_cast<uint32_t>(buffer_.boundaries.size() / (layout_.leading + 1u));
    sentence_.first_word = static_cast<uint32_t>(heads_.size());
    range_ = {};
    empty_nodes_ = 0;
  }

  // Undo what the tables hold of this sentence and pass over the rest of its lines.
  void skip_sentence() {
    buffer_.boundaries.resize(sentence_.first_row * (layout_.leading + 1u));
    buffer_.word_rows.resize(sentence_.first_word);
    heads_.resize(sentence_.first_word);
    sentence_.rows = sentence_.words = sentence_.comments = 0;
    while (at_ < size_ && blank_line_at(at_) == at_) {
      const void* newline = std::memchr(data_ + at_, '\n', size_ - at_);
      at_ = newline == nullptr ? size_ : static_cast<uint32_t>(static_cast<const char*>(newline) - data_) + 1;
      ++line_number_;
    }
  }

  bool read_line() {
    const size_t row_begin = buffer_.boundaries.size();
    buffer_.boundaries.resize(row_begin + layout_.leading + 1u);
    uint32_t* const boundaries = buffer_.boundaries.data() + row_begin;
    const Line line = scan_line(data_, size_, at_, {boundaries, layout_.leading + 1u});
    at_ = line.next;
    if (line.fault != nullptr) return fail(line.fault);
    if (data_[line.begin] == '#') {
      buffer_.boundaries.resize(row_begin);
      if (sentence_.rows > 0) return fail("comment inside a sentence: comments stand before its first row");
      ++sentence_.comments;
      return true;
    }
    return check_columns(line) && read_row();
  }

  bool check_columns(const Line& line) {
    const bool fits = layout_.exact ? line.columns == layout_.minimum : line.columns >= layout_.minimum;
    if (fits && line.empty_column == 0) return true;
    const std::string_view content(data_ + line.begin, line.end - line.begin);
    if (content.find_first_not_of(" \t") == std::string_view::npos) {
      return fail("line of white space: a blank line must be empty");
    }
    if (!fits) {
      return fail(number(line.columns) + (line.columns == 1 ? " column" : " columns") + " where " + std::string(layout_.name) + " has " +
                  number(layout_.minimum) + (layout_.exact ? "" : " or more") + ", separated by tabs");
    }
    return fail("column " + number(line.empty_column) + " is empty: a missing value is written _");
  }

  bool read_row() {
    const size_t row = sentence_.first_row + sentence_.rows++;
    const std::string_view id = buffer_.row_field(row, Column::id);
    uint32_t value = 0;
    if (!parse_number(id, value)) return id.find('-') != id.npos ? read_range(id) : read_empty_node(id);
    if (value != sentence_.words + 1) {
      return fail("ID " + number(value) + " where " + number(sentence_.words + 1) + " was expected");
    }
    ++sentence_.words;
    empty_nodes_ = 0;
    range_.open = false;
    buffer_.word_rows.push_back(static_cast<uint32_t>(row));
    return read_head(buffer_.row_field(row, Column::head));
  }

  bool read_head(std::string_view head) {
    uint32_t value = 0;
    if (head == "_") {
      heads_.push_back(-1);
      return true;
    }
    if (!parse_number(head, value)) return fail("HEAD " + quoted(head) + " is neither a number nor _");
    heads_.push_back(static_cast<int32_t>(value));
    return true;
  }

  bool read_range(std::string_view id) {
    const size_t dash = id.find('-');
    uint32_t first = 0, last = 0;
    if (!parse_number(id.substr(0, dash), first) || !parse_number(id.substr(dash + 1), last)) return bad_id(id);
    if (first > last) return fail("range " + quoted(id) + " ends before it begins");
    if (range_.open || first <= range_.last) return fail("range " + quoted(id) + " overlaps the range before it");
    if (first != sentence_.words + 1) {
      return fail("range " + quoted(id) + " does not stand before its first word: word " + number(sentence_.words + 1) + " is next");
    }
    range_ = {last, line_number_, true};
    return true;
  }

  bool read_empty_node(std::string_view id) {
    const size_t dot = id.find('.');
    uint32_t word = 0, index = 0;
    if (dot == id.npos || !parse_number(id.substr(0, dot), word) || !parse_number(id.substr(dot + 1), index)) {
      return bad_id(id);
    }
    if (range_.open) return fail("empty node " + quoted(id) + " between a range and its first word");
    if (word != sentence_.words || index != empty_nodes_ + 1) {
      return fail("empty node " + quoted(id) + " where '" + number(sentence_.words) + "." + number(empty_nodes_ + 1) + "' was expected");
    }
    ++empty_nodes_;
    return true;
  }

  bool bad_id(std::string_view id) { return fail("ID " + quoted(id) + " is not a word (3), a range (3-4) or an empty node (3.1)"); }

  bool finish_sentence() {
    if (range_.last > sentence_.words) {
      return fail_at(range_.line, "range reaches word " + number(range_.last) + " of " + number(sentence_.words));
    }
    if (sentence_.words == 0) {
      return fail_at(sentence_.line, sentence_.rows == 0 ? "comments without a sentence" : "sentence without words");
    }
    for (size_t word = 0; word < sentence_.words; ++word) {
      const int32_t head = heads_[sentence_.first_word + word];
      if (head <= static_cast<int32_t>(sentence_.words)) continue;
      const size_t row = buffer_.word_rows[sentence_.first_word + word] - sentence_.first_row;
      return fail_at(sentence_.line + sentence_.comments + row,
                     "HEAD " + number(static_cast<size_t>(head)) + " is out of range 0.." + number(sentence_.words));
    }
    return true;
  }

  bool fail(std::string reason) { return fail_at(line_number_, std::move(reason)); }
  bool fail_at(size_t line, std::string reason) {
    problem_ = {line, std::move(reason)};
    return false;
  }

  Document::Buffer& buffer_;
  std::vector<int32_t>& heads_;
  const Layout& layout_;
  const char* const data_;
  const uint32_t size_;
  size_t line_number_;
  const bool keep_going_;
  uint32_t at_ = 0;

  // The sentence being read.
  struct Range {
    uint32_t last = 0;  // the last word it covers
    size_t line = 0;
    bool open = false;  // its first word has not come yet
  };
  Document::Sentence sentence_{};
  Range range_;
  uint32_t empty_nodes_ = 0;  // since the last word
  FormatProblem problem_{};
};

Document Document::parse(std::string bytes, const Layout& layout, size_t first_line, bool keep_going) {
  if (bytes.size() >= std::numeric_limits<uint32_t>::max()) {
    throw FormatProblem{first_line, "4 GiB or more in one document: read it as a stream"};
  }
  const auto buffer = std::make_shared<Buffer>();
  buffer->bytes = std::move(bytes);
  buffer->layout = layout;
  std::vector<int32_t> heads;
  DocumentReader(*buffer, heads, first_line, keep_going).read();
  return Document(buffer, std::move(heads));
}

}  // namespace accord::text
