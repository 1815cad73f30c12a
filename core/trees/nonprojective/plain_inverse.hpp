// SPDX-License-Identifier: Apache-2.0
// Log-partition and arc marginals by one matrix inverse, for weights that need no more care than that.
//
// With every column of weights summing to one (root included), the matrix of Koo, Globerson, Carreras & Collins (2007)
// is I - A for several roots; for a single root its last row is replaced by the root's weights. Eliminating the words in
// order meets only positive pivots in both cases: the words before the last form an M-matrix whose columns are diagonally
// dominant, and what reaches the last row is a sum of positive terms. So no pivoting is needed, and the elimination is one
// regular loop that compiles to vector code.
//
// Differences of nearly equal numbers lose digits when weights are extreme; callers turn to escape_table.hpp unless the
// weights are moderate and the inverse is small (about 2^-53 times its norm is the error that is left).
#pragma once
#include <span>
#include <vector>

namespace accord::trees {

class PlainInverse {
 public:
  static constexpr double smallest_weight = 1e-6;  // below it, relative accuracy of marginals is not this method's
  static constexpr double largest_norm = 1e3;

  // arcs: words x words by [head][dependent], diagonal zero; root: by dependent. True when the answer can be trusted;
  // then log_tree is the logarithm of the total weight, and out the marginals, (words+1)^2 with the root first.
  bool marginals(const std::vector<double>& arcs, const std::vector<double>& root, int words, bool single_root, double& log_tree,
                 std::span<double> out);

  // After a trusted answer, with the same arguments: how its marginals move when the logarithms of the weights move along the
  // direction, by d(K^-1) = -K^-1 dK K^-1. direction, marginals, out: (words+1)^2 with the root first.
  void tangents(const std::vector<double>& arcs, const std::vector<double>& root, int words, bool single_root,
                std::span<const double> direction, std::span<const double> marginals, std::span<double> out);

 private:
  std::vector<double> matrix_, diagonal_;
  std::vector<double> change_, product_, moved_;  // of the matrix, times the inverse, of the inverse
};

}  // namespace accord::trees
