// The best tree under part scores, by the solver of choice.
//
//   ad3, subgradient   dual decomposition over the factor graph of core/graph/part_graph.hpp; an optimum comes with its proof,
//                      a fractional answer is rounded to the best tree under its arcs
//   branch_and_bound   the same bounds inside a search: always proved, unless the budget ends first
//   belief_propagation beliefs, then the tree of the largest expected number of right arcs
// One object per thread; buffers are reused.
#pragma once
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/result.hpp"
#include "core/trees/part_layout.hpp"
#include "core/trees/space.hpp"

namespace accord::tasks {

enum class Solver { ad3, subgradient, belief_propagation, branch_and_bound };

// Throws std::invalid_argument for an unknown name.
Solver parse_solver(std::string_view name);

struct DecoderSettings {
  Solver solver = Solver::ad3;
  int iterations = 200;
  double seconds = std::numeric_limits<double>::infinity();
  double gap = 1e-6;
  int nodes = 10000;  // branch and bound
};

struct Decoded {
  graph::Status status = graph::Status::budget;
  double score = 0;                                        // of the tree
  double bound = std::numeric_limits<double>::infinity();  // no tree scores more
  int iterations = 0;
};

class PartDecoder {
 public:
  PartDecoder(bool projective, bool single_root);

  bool projective() const { return projective_; }
  bool single_root() const { return single_root_; }

  // heads: size n+1. Scores by slot, finite. The candidates must contain a tree. Evidence by arc: 0 forbidden, 1 required, -1
  // free; none at all: all free. `infeasible`, heads untouched, when no tree agrees with it.
  Decoded decode(const trees::PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                 std::span<int32_t> heads, std::span<const int8_t> evidence = {});

  // Values of the arcs in the last answer: 0/1 where it is a proved tree, fractional where the relaxation is.
  std::span<const double> posteriors() const { return posteriors_; }

 private:
  bool best_tree(const trees::PartLayout& layout, std::span<const double> weights, std::span<const double> scores);

  bool projective_, single_root_;
  std::unique_ptr<trees::TreeSpace> space_;
  std::span<const int8_t> evidence_;
  std::vector<double> posteriors_, dense_;
  std::vector<int32_t> heads_;
};

}  // namespace accord::tasks
