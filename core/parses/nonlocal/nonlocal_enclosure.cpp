// SPDX-License-Identifier: Apache-2.0
#include "core/parses/nonlocal/nonlocal_enclosure.hpp"

#include <algorithm>

namespace accord::parses {

namespace {

size_t present_arcs(std::span<const Arc> arcs, std::span<const int32_t> heads) {
  const auto is_present = [heads](Arc arc) { return contains(heads, arc); };
  return static_cast<size_t>(std::count_if(arcs.begin(), arcs.end(), is_present));
}

double share(std::span<const Arc> arcs, std::span<const double> p, std::span<const int32_t> heads) {
  double sum = 0;
  for (size_t i = 0; i < arcs.size(); ++i)
    if (contains(heads, arcs[i])) sum += p[i];
  return sum;
}

// Positive factors share among arcs in the upper function and charge as a whole in the lower; negative ones the reverse.
double linear_score(const NonlocalProblem& problem, std::span<const double> weights, std::span<const int32_t> heads, bool upper) {
  double total = problem.constant() + trees::tree_score({problem.arc_scores().data(), problem.words()}, heads);
  for (size_t factor = 0; factor < problem.factors(); ++factor) {
    const std::span<const Arc> arcs = problem.arcs_of(factor);
    const std::span<const double> w = weights.subspan(problem.first_arc(factor), arcs.size());
    const double score = problem.factor_score(factor);
    if ((score >= 0) == upper) {
      total += score * share(arcs, w, heads);
    } else {
      total += w[0] * score * (static_cast<double>(present_arcs(arcs, heads)) - static_cast<double>(arcs.size()) + 1);
    }
  }
  return total;
}

// The extremum over a simplex is attained by any missing arc; over q, by 1 when all arcs are present and 0 otherwise.
BoundWeights tight_weights(const NonlocalProblem& problem, std::span<const int32_t> heads, bool upper) {
  BoundWeights weights(problem.factor_arcs(), 0.0);
  for (size_t factor = 0; factor < problem.factors(); ++factor) {
    const std::span<const Arc> arcs = problem.arcs_of(factor);
    const size_t first = problem.first_arc(factor);
    const size_t missing = arcs.size() - present_arcs(arcs, heads);
    if ((problem.factor_score(factor) >= 0) != upper) {
      weights[first] = missing == 0 ? 1.0 : 0.0;
      continue;
    }
    for (size_t i = 0; i < arcs.size(); ++i)
      if (missing == 0 || !contains(heads, arcs[i])) weights[first + i] = 1.0 / static_cast<double>(missing == 0 ? arcs.size() : missing);
  }
  return weights;
}

}  // namespace

BoundWeights even_weights(const NonlocalProblem& problem) {
  BoundWeights weights(problem.factor_arcs(), 0.0);
  for (size_t factor = 0; factor < problem.factors(); ++factor) {
    if (problem.factor_score(factor) < 0) continue;
    const size_t first = problem.first_arc(factor), count = problem.arcs_of(factor).size();
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(first), count, 1.0 / static_cast<double>(count));
  }
  return weights;
}

double upper_score(const NonlocalProblem& problem, std::span<const double> weights, std::span<const int32_t> heads) {
  return linear_score(problem, weights, heads, true);
}

double lower_score(const NonlocalProblem& problem, std::span<const double> weights, std::span<const int32_t> heads) {
  return linear_score(problem, weights, heads, false);
}

BoundWeights tight_upper_weights(const NonlocalProblem& problem, std::span<const int32_t> heads) {
  return tight_weights(problem, heads, true);
}

BoundWeights tight_lower_weights(const NonlocalProblem& problem, std::span<const int32_t> heads) {
  return tight_weights(problem, heads, false);
}

double lower_arc_scores(const NonlocalProblem& problem, std::span<const double> weights, std::vector<double>& scores) {
  scores.assign(problem.arc_scores().begin(), problem.arc_scores().end());
  double constant = problem.constant();
  for (size_t factor = 0; factor < problem.factors(); ++factor) {
    const std::span<const Arc> arcs = problem.arcs_of(factor);
    const std::span<const double> w = weights.subspan(problem.first_arc(factor), arcs.size());
    const double score = problem.factor_score(factor);
    for (size_t i = 0; i < arcs.size(); ++i) scores[problem.index(arcs[i])] += score * (score < 0 ? w[i] : w[0]);
    if (score >= 0) constant -= w[0] * score * static_cast<double>(arcs.size() - 1);
  }
  return constant;
}

}  // namespace accord::parses
