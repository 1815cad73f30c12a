// SPDX-License-Identifier: Apache-2.0
// Log-partition and arc marginals of non-projective trees, single- or multi-root, in O(n^3).
//
// The sums are those of Koo, Globerson, Carreras & Collins (2007), computed as escape_table.hpp explains. Each column
// is first shifted by the log of its total weight, so that Z becomes the probability that heads drawn independently for
// each word form a tree. Doubles are trusted when that probability exceeds e^-400. Z is then a sum over choices of one
// head a word, each column adding up to one, so a weight of a reduced graph that underflows (below 10^-308) costs Z at
// most 10^-308 in absolute terms, and every marginal at most 10^-308 / Z. Below e^-400, and when a sum overflows, the
// same algorithm runs on WideReal. Weights that are all moderate take a shorter way (plain_inverse.hpp). Marginals are normalised per
// dependent: non-negative and summing to one by construction.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/nonprojective/escape_table.hpp"
#include "core/trees/nonprojective/plain_inverse.hpp"
#include "core/trees/number.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

// exp(score - shift of its column), n x n without the root, the root's weights apart; diagonal zero.
template <class Number>
struct NormalisedWeights {
  std::vector<Number> arcs;
  std::vector<Number> root;
  std::vector<double> shift;  // by dependent
  std::vector<double> scale;  // working space
  double total_shift = 0.0;   // -infinity when some word has no head at all

  void fill(ArcScores scores);
};

extern template struct NormalisedWeights<double>;
extern template struct NormalisedWeights<WideReal>;

class MatrixTree {
 public:
  double log_partition(ArcScores scores, bool single_root);
  double marginals(ArcScores scores, bool single_root, std::span<double> out);

  // Below this log-probability of a tree, doubles may have lost something.
  static constexpr double kTrusted = -400.0;

 private:
  template <class Number>
  struct Workspace {
    NormalisedWeights<Number> weights;
    std::vector<Number> arcs;  // working copies, overwritten
    std::vector<Number> root;
    std::vector<Number> escape;
    std::vector<Number> total;
    EscapeTable<Number> table;
  };

  // Both with space.weights filled.
  template <class Number>
  double log_partition_in(Workspace<Number>& space, ArcScores scores, bool single_root);
  template <class Number>
  double marginals_in(Workspace<Number>& space, ArcScores scores, bool single_root, std::span<double> out);
  // Some of the words with root scores of their own, and how likely each word hangs from that root.
  struct Part {
    std::vector<int> words;
    std::vector<double> root;
    std::vector<double> root_marginals;
  };

  // These write marginals where out is given.
  double solve(ArcScores scores, bool single_root, std::span<double>* out);
  double whole(ArcScores scores, bool single_root, std::span<double>* out);
  double solve_part(ArcScores scores, Part& part, bool single_root, std::span<double>* out);
  double split_at_source(ArcScores scores, const std::vector<uint8_t>& in_source, std::span<double>* out);

  PlainInverse plain_;
  Workspace<double> narrow_;
  Workspace<WideReal> wide_;
};

// The words that can reach all others by allowed arcs between words, as flags of size n+1, or empty when there are none
// (then no single-root tree exists). The child of a single root is one of them.
std::vector<uint8_t> source_component(ArcScores scores);

}  // namespace accord::trees
