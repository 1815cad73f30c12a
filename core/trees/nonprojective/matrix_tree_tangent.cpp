// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/matrix_tree_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include "core/trees/space.hpp"

namespace accord::trees {

namespace {

// About 2^-10^12: below the ratio of any two trees, and its powers up to the number of words still fit an exponent.
WideReal vanishing() {
  WideReal factor(std::ldexp(1.0, -1000));
  for (int doubling = 0; doubling < 30; ++doubling) factor = factor * factor;
  return factor;
}

}  // namespace

template <class Number>
double MatrixTreeTangent::escape(Workspace<Number>& space, std::span<const double> direction, int words, bool single_root,
                                 std::span<double> out) {
  using Moving = Tangent<Number>;
  const std::size_t size = index(words), width = size + 1;
  space.arcs.resize(size * size);
  space.root.resize(size);
  space.escape.resize(size * size);
  for (std::size_t m = 0; m < size; ++m) space.root[m] = Moving(space.weights.root[m], direction[m + 1]);
  for (std::size_t h = 0; h < size; ++h)
    for (std::size_t m = 0; m < size; ++m)
      space.arcs[h * size + m] = Moving(space.weights.arcs[h * size + m], direction[(h + 1) * width + m + 1]);
  space.original = space.arcs;
  space.total = space.root;
  const std::vector<Moving> root = space.root;
  const double log_tree = space.table.solve(space.arcs.data(), space.root.data(), words, single_root, space.escape.data());
  if (!std::isfinite(log_tree)) return log_tree;
  for (std::size_t h = 0; h < size; ++h)
    for (std::size_t m = 0; m < size; ++m) {
      Moving& product = space.escape[h * size + m];
      product = product * space.original[h * size + m];
      space.total[m] += product;
    }
  for (const Moving& total : space.total)
    if (is_zero(total) || !std::isfinite(log_of(total))) return std::numeric_limits<double>::quiet_NaN();
  for (std::size_t m = 0; m < size; ++m) {
    out[m + 1] = (root[m] / space.total[m]).derivative();
    for (std::size_t h = 0; h < size; ++h) out[(h + 1) * width + m + 1] = (space.escape[h * size + m] / space.total[m]).derivative();
  }
  return log_tree;
}

bool MatrixTreeTangent::solve(ArcScores scores, std::span<const double> direction, bool single_root, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (scores.words == 0) return true;
  narrow_.weights.fill(scores);
  if (narrow_.weights.total_shift == kForbidden) return false;
  marginals_.assign(out.size(), 0.0);
  double log_tree = 0.0;
  if (plain_.marginals(narrow_.weights.arcs, narrow_.weights.root, scores.words, single_root, log_tree, marginals_)) {
    plain_.tangents(narrow_.weights.arcs, narrow_.weights.root, scores.words, single_root, direction, marginals_, out);
    return true;
  }
  if (!single_root || !any_forbidden_between_words(scores)) {
    log_tree = escape(narrow_, direction, scores.words, single_root, out);
    if (std::isfinite(log_tree) && log_tree > MatrixTree::kTrusted) return true;
  }
  wide_.weights.fill(scores);
  double least = -std::numeric_limits<double>::max();
  if (single_root) {
    const WideReal factor = vanishing();
    for (WideReal& weight : wide_.weights.root) weight = weight * factor;
    least = 1.5 * factor.log();  // between one root and two
  }
  log_tree = escape(wide_, direction, scores.words, false, out);
  if (log_tree >= least) return true;
  std::fill(out.begin(), out.end(), 0.0);
  return false;
}

}  // namespace accord::trees
