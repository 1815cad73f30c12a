// SPDX-License-Identifier: Apache-2.0
#include "core/text/patterns/pattern_line.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace accord::text {

namespace {

constexpr std::string_view blanks = " \t\r", signs = ",;:|=!<>.\"'#";

[[noreturn]] void fail(const std::string& reason) { throw std::invalid_argument(reason); }

class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  PatternLine read() {
    if (at_end()) return {};
    line_.name = name();
    if (!take(":")) fail("expected ':' after the pattern's name");
    do {
      if (!at_end() && rest_.front() != ',' && rest_.front() != ';') read_statement();
    } while (take(",") || take(";"));
    if (!at_end()) fail("expected ',' before '" + std::string(rest_) + "'");
    return std::move(line_);
  }

 private:
  // Blanks and comments are skipped.
  bool at_end() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    if (rest_.starts_with('#')) rest_ = {};
    return rest_.empty();
  }

  bool take(std::string_view sign) {
    if (at_end() || !rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  std::string cut(size_t length) {
    std::string found(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }

  std::string name() {
    size_t end = 0;
    const auto ends = [&] {
      return blanks.find(rest_[end]) != blanks.npos || signs.find(rest_[end]) != signs.npos || rest_.substr(end).starts_with("->");
    };
    if (!at_end())
      while (end < rest_.size() && !ends()) ++end;
    if (end == 0) fail(rest_.empty() ? "something is missing at the end" : "expected a word before '" + std::string(rest_) + "'");
    return cut(end);
  }

  std::string value() {
    if (at_end() || (rest_.front() != '"' && rest_.front() != '\'')) return name();
    const size_t end = rest_.find(rest_.front(), 1);
    if (end == rest_.npos) fail("a quote is not closed: " + std::string(rest_));
    return cut(end + 1).substr(1, end - 1);
  }

  void read_statement() {
    std::string word = name();
    if (take(".")) return read_test(std::move(word));
    const size_t before = line_.arcs.size() + line_.orders.size();
    while (true) {
      if (take("->")) {
        line_.arcs.push_back({word, name()});
        word = line_.arcs.back().dependent;
      } else if (take("<")) {
        const int reach = number();
        line_.orders.push_back({word, name(), reach});
        word = line_.orders.back().second;
      } else {
        break;
      }
    }
    if (line_.arcs.size() + line_.orders.size() == before) fail("expected '->', '<' or '.' after '" + word + "'");
  }

  int number() {
    int reach = PatternLine::Order().reach;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), reach);
    if (error == std::errc::result_out_of_range || reach < 1) fail("the number after '<' must be 1 or more");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return reach;
  }

  void read_test(std::string word) {
    PatternLine::Test& test = line_.tests.emplace_back();
    test.word = std::move(word);
    test.attribute = name();
    test.equal = !take("!");
    if (!take("=")) fail("expected '=' or '!=' after '" + test.word + "." + test.attribute + "'");
    test.values.push_back(value());
    if (!take(".")) {
      while (take("|")) test.values.push_back(value());
      return;
    }
    std::swap(test.other, test.values.back());
    test.values.clear();
    if (name() != test.attribute) fail("'" + test.word + "' and '" + test.other + "' must be compared by one attribute");
  }

  std::string_view rest_;
  PatternLine line_;
};

}  // namespace

PatternLine read_pattern_line(std::string_view line) { return LineReader(line).read(); }

}  // namespace accord::text
