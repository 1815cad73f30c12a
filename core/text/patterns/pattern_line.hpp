// SPDX-License-Identifier: Apache-2.0
// A line of patterns.hpp as it is written: statements about words by their names, nothing checked but the syntax.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace accord::text {

struct PatternLine {
  struct Arc {
    std::string head, dependent;
  };
  struct Test {
    std::string word, attribute;
    bool equal;
    std::vector<std::string> values;
    std::string other;  // the word to agree with; empty: the values
  };
  struct Order {
    std::string first, second;
    int reach = std::numeric_limits<int>::max();
  };

  std::string name;  // empty: nothing but a comment
  std::vector<Arc> arcs;
  std::vector<Test> tests;
  std::vector<Order> orders;
};

// Throws std::invalid_argument with the reason.
PatternLine read_pattern_line(std::string_view line);

}  // namespace accord::text
