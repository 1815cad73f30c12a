// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/needed_rows.hpp"

#include <array>
#include <string_view>

#include "core/graph/negated.hpp"
#include "core/graph/programs/row_collector.hpp"
#include "core/graph/row_builder.hpp"

namespace accord::graph {

namespace {

constexpr std::array<std::string_view, 10> counted_kinds = {
    // whose own columns are 0 or 1 at integral points
    "at_least_one", "at_most_one", "budget", "categorical_table", "exactly_one", "linear", "or_output", "pair", "sparse_table", "table"};

// The rows of one factor, where less than all of them is enough; literals are columns, or one minus a column.
class NeededRows {
 public:
  NeededRows(const FactorGraph& graph, NeededProgram& program, RowCollector& sink) : graph_(graph), program_(program), sink_(sink) {}

  void write(size_t s) {
    sink_.enter(s);
    Factor& factor = graph_.factor(s);
    const std::string_view kind = factor.kind();
    if ((kind == "pair" || kind == "table") && factor.size() == 2) {
      write_corners(factor);
    } else if (kind == "or_output" && decides_output(s)) {
      write_output(s);
    } else {
      factor.rows(sink_);
    }
    bool counted = false;
    for (const std::string_view known : counted_kinds) counted = counted || known == kind;
    program_.counted = program_.counted && counted;
  }

 private:
  // Scores of the four corners of two variables.
  void write_corners(Factor& factor) {
    std::array<double, 4> corners;  // bit 0: the first is on
    int forbidden_corners = 0;
    for (uint8_t bits = 0; bits < 4; ++bits) {
      corners[bits] = factor.score(std::array<uint8_t, 2>{static_cast<uint8_t>(bits & 1), static_cast<uint8_t>(bits >> 1)});
      forbidden_corners += corners[bits] == impossible;
    }
    if (forbidden_corners > 1) return factor.rows(sink_);
    if (forbidden_corners == 1) forbid(corners);
    const double first = corners[1] - corners[0], second = corners[2] - corners[0];
    sink_.add_constant(corners[0]);
    if (first != 0) sink_.add_score(0, first);
    if (second != 0) sink_.add_score(1, second);
    write_both(corners[3] - corners[2] - corners[1] + corners[0]);
  }

  // A row against the one forbidden corner, whose score becomes what the other three say if they are linear.
  void forbid(std::array<double, 4>& corners) {
    uint8_t bad = 0;
    while (corners[bad] > impossible) ++bad;
    const std::array<double, 2> signs = {bad & 1 ? 1.0 : -1.0, bad & 2 ? 1.0 : -1.0};
    sink_.row(impossible, std::array<int, 2>{0, 1}, signs, 1.0 - (signs[0] < 0) - (signs[1] < 0));  // not both literals of the corner
    corners[bad] = corners[bad ^ 1] + corners[bad ^ 2] - corners[bad ^ 3];
  }

  void write_both(double score) {
    if (score == 0) return;
    const int both = sink_.column(score, false, 1.0);
    if (score > 0) {
      for (const int one : {0, 1}) RowBuilder(sink_).add(both, 1).add(one, -1).at_most(0);
    } else {
      RowBuilder(sink_).add(0, 1).add(1, 1).add(both, -1).at_most(1);
    }
  }

  bool decides_output(size_t s) const {
    const auto output = static_cast<size_t>(graph_.variables_of(s).back());
    return graph_.degrees()[output] == 1 && graph_.evidence()[output] < 0;
  }

  void write_output(size_t s) {
    const Bare bare(graph_.factor(s));
    const int output = static_cast<int>(bare.mask.size()) - 1;
    const auto variable = static_cast<size_t>(graph_.variables_of(s).back());
    const double worth = bare.mask.back() ? -graph_.scores()[variable] : graph_.scores()[variable];
    program_.integral[variable] = 0;
    program_.followed.push_back(s);
    if (output == 1) return join(worth, bare, variable);
    RowBuilder row(sink_);
    double shift = 0;  // of the constants of negated literals
    const auto add = [&](int place, double coefficient) {
      const bool negated = bare.mask[static_cast<size_t>(place)] != 0;
      row.add(place, negated ? -coefficient : coefficient);
      if (negated) shift += coefficient;
    };
    if (worth >= 0) {  // no more than the inputs together
      add(output, 1);
      for (int i = 0; i < output; ++i) add(i, -1);
      row.at_most(-shift);
      return;
    }
    for (int i = 0; i < output; ++i) {  // no less than any input
      shift = 0;
      add(i, 1);
      add(output, -1);
      row.at_most(-shift);
    }
  }

  // An output of one input is worth to the input what it is worth itself.
  void join(double worth, const Bare& bare, size_t output) {
    program_.scores[output] = 0;
    if (bare.mask[1]) sink_.add_constant(-worth);
    sink_.add_score(0, bare.mask[0] ? -worth : worth);
    if (bare.mask[0]) sink_.add_constant(worth);
  }

  const FactorGraph& graph_;
  NeededProgram& program_;
  RowCollector& sink_;
};

}  // namespace

NeededProgram collect_needed(const FactorGraph& graph) {
  NeededProgram program;
  RowCollector collector(graph, program);
  NeededRows rows(graph, program, collector);
  for (size_t s = 0; s < graph.factors(); ++s) rows.write(s);
  return program;
}

void follow(const FactorGraph& graph, const NeededProgram& program, std::vector<uint8_t>& assignment) {
  std::vector<uint8_t> local;
  for (const size_t s : program.followed) {
    const std::span<const int32_t> variables = graph.variables_of(s);
    local.clear();
    for (const int32_t r : variables) local.push_back(assignment[static_cast<size_t>(r)]);
    if (graph.factor(s).score(local) == impossible) assignment[static_cast<size_t>(variables.back())] ^= 1;
  }
}

}  // namespace accord::graph
