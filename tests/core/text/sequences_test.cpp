// SPDX-License-Identifier: Apache-2.0
// Sequences of columns: tokens read what was given, templates see columns and marks, sizes that do not fit are refused.
#include <stdexcept>
#include <string>
#include <vector>

#include "core/text/features/features.hpp"
#include "core/text/sequences.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

ColumnSequences sample() {
  const std::vector<int64_t> lengths = {2, 0, 1}, starts = {0, 2, 2, 3};
  return ColumnSequences(lengths, {1, 10, 2, 20, 3, 30}, 2, {7, 8, 9}, starts);
}

bool refused(std::vector<int64_t> lengths, std::vector<uint64_t> columns, size_t width, std::vector<uint64_t> marks,
             std::vector<int64_t> starts) {
  try {
    ColumnSequences(lengths, std::move(columns), width, std::move(marks), starts);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("tokens read the columns and marks that were given") {
  const ColumnSequences sequences = sample();
  CHECK(sequences.size() == 3 && sequences.total() == 3 && sequences.length(1) == 0);
  std::vector<Token> tokens;
  sequences.tokens(0, tokens);
  CHECK(tokens.size() == 2 && tokens[1].columns[0] == 2 && tokens[1].columns[1] == 20);
  CHECK(tokens[0].marks.size() == 2 && tokens[0].marks[1] == 8 && tokens[1].marks.empty());
}

TEST("templates see columns and marks, and nothing beyond the last column") {
  const ColumnSequences sequences = sample();
  std::vector<Token> tokens;
  sequences.tokens(0, tokens);
  std::vector<Attribute> attributes;
  const TemplateSet set =
      TemplateSet::compile("[state]\nhere.column2\nhere-1.column1\nhere.marks\nhere.column9\n", "state", {"here"}, attributes);
  const AtomTable atoms(tokens, attributes, ClusterLexicon());
  PartFeatures features;
  features.prepare(set, atoms);
  CHECK(features.at(1).size() == 5);  // three columns and two marks
  CHECK(features.at(2).size() == 3);
  const std::vector<uint64_t> first(features.at(1).begin(), features.at(1).end());
  sequences.tokens(2, tokens);
  const AtomTable others(tokens, attributes, ClusterLexicon());
  features.prepare(set, others);
  CHECK(features.at(1).size() == 4);
  CHECK(features.at(1)[0] != first[0] || features.at(1)[1] != first[1]);
}

TEST("sizes that do not fit together are refused") {
  CHECK(refused({2}, {1, 2, 3}, 2, {}, {0, 0, 0}));
  CHECK(refused({-1}, {}, 1, {}, {0}));
  CHECK(refused({1}, {1}, 1, {5}, {0, 0}));
  CHECK(refused({2}, {1, 2}, 1, {5}, {0, 2, 1}));
  CHECK(refused({1}, {1}, 1, {}, {}));
}
