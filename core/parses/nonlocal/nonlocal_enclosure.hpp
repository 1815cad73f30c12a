// SPDX-License-Identifier: Apache-2.0
// Linear bounds on non-local factors.
//
// With z_e the arcs' indicators, r arcs in factor c, and l_c(z) = score(c) (sum of z_e - (r - 1)), the factor's term is
//   score(c) >= 0:   min over the simplex of  score(c) sum p_e z_e   =   max over q in [0,1] of  q l_c(z)
//   score(c) <  0:   min over q in [0,1] of  q l_c(z)                =   max over the simplex of  score(c) sum p_e z_e
// Any weights therefore give two linear functions of the arcs, an upper (from the minima) and a lower one (from the
// maxima), that enclose the score of every tree; one call of a backbone maximises either.
// (Qian & Liu 2013, section 3.)
#pragma once
#include <span>
#include <vector>

#include "core/parses/nonlocal/nonlocal_problem.hpp"

namespace accord::parses {

// One weight for each arc of each factor; a factor whose bound takes a single weight q uses its first place.
using BoundWeights = std::vector<double>;

// Weights to start from: even (p = 1/r), no penalty yet (q = 0).
BoundWeights even_weights(const NonlocalProblem& problem);

// The two linear functions at a tree, over the whole space (backbone's own score not included).
double upper_score(const NonlocalProblem& problem, std::span<const double> weights, std::span<const int32_t> heads);
double lower_score(const NonlocalProblem& problem, std::span<const double> weights, std::span<const int32_t> heads);

// The weights at which upper_score (or lower_score) of a tree is its score.
BoundWeights tight_upper_weights(const NonlocalProblem& problem, std::span<const int32_t> heads);
BoundWeights tight_lower_weights(const NonlocalProblem& problem, std::span<const int32_t> heads);

// Arc scores of lower_score into `scores`; returns its constant.
double lower_arc_scores(const NonlocalProblem& problem, std::span<const double> weights, std::vector<double>& scores);

}  // namespace accord::parses
