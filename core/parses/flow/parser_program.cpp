// SPDX-License-Identifier: Apache-2.0
#include "core/parses/flow/parser_program.hpp"

#include <memory>
#include <numeric>

#include "core/parses/flow/flow_rows.hpp"

namespace accord::parses {

namespace {

// Rows and nothing else: what only a program can solve.
class ParserProgram final : public graph::Factor {
 public:
  ParserProgram(int words, std::vector<std::pair<int, int>> arcs, FlowParts parts)
      : words_(words),
        arcs_(std::move(arcs)),
        parts_(std::move(parts)) {}
  std::string_view kind() const override { return "parser_rows"; }
  size_t size() const override { return arcs_.size(); }
  bool can(Ability ability) const override { return ability == Ability::rows; }
  double maximize(std::span<const double>, std::span<uint8_t>) override { return graph::impossible; }
  double score(std::span<const uint8_t>) override { return graph::impossible; }
  void rows(graph::RowSink& sink) override { emit_parser_rows(sink, words_, arcs_, parts_); }
  bool tight() const override { return false; }

 private:
  int words_;
  std::vector<std::pair<int, int>> arcs_;
  FlowParts parts_;
};

}  // namespace

graph::LinearProgram parser_program(int words, std::vector<std::pair<int, int>> arcs, std::span<const double> scores, FlowParts parts) {
  graph::FactorGraph graph;
  graph.add_variables(scores);
  std::vector<int64_t> variables(arcs.size());
  std::iota(variables.begin(), variables.end(), int64_t{0});
  graph.add_factor(std::make_unique<ParserProgram>(words, std::move(arcs), std::move(parts)), variables);
  return graph::collect(graph);
}

}  // namespace accord::parses
