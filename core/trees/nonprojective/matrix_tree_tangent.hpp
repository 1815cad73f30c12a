// SPDX-License-Identifier: Apache-2.0
// How the arc marginals of non-projective trees move when scores move along a direction, in O(n^3).
//
// Set and score: those of matrix_tree.hpp. The result is the Hessian of log Z, which is the covariance of the arcs, times the
// direction. The Hessian is symmetric: the same product serves derivatives forwards and backwards.
// Method: where weights are moderate, from the matrix inverse, d(K^-1) = -K^-1 dK K^-1 (plain_inverse.hpp). Elsewhere the
// recursion of escape_table.hpp runs on Tangent numbers, in doubles where they can be trusted, else in WideReal. There a single
// root is had by giving the root's arcs a factor so small that no tree with two of them counts: it is a power of two, so nothing
// is rounded, and graphs in which some words cannot reach all others need no care.
#pragma once
#include <span>
#include <vector>

#include "core/trees/nonprojective/matrix_tree.hpp"
#include "core/trees/number.hpp"

namespace accord::trees {

class MatrixTreeTangent {
 public:
  // direction and out: (n+1)^2. False, with zeros in out, when no tree exists.
  bool solve(ArcScores scores, std::span<const double> direction, bool single_root, std::span<double> out);

 private:
  template <class Number>
  struct Workspace {
    NormalisedWeights<Number> weights;
    std::vector<Tangent<Number>> original, arcs, root, escape, total;  // arcs and root are overwritten
    EscapeTable<Tangent<Number>> table;
  };

  // With space.weights filled: the log of the total weight, -infinity or NaN when out is not written.
  template <class Number>
  double escape(Workspace<Number>& space, std::span<const double> direction, int words, bool single_root, std::span<double> out);

  PlainInverse plain_;
  std::vector<double> marginals_;
  Workspace<double> narrow_;
  Workspace<WideReal> wide_;
};

}  // namespace accord::trees
