// SPDX-License-Identifier: Apache-2.0
// The parser that branch and bound calls: everything about trees that a dynamic programme can score exactly.
//
// A backbone maximises own(tree) + sum of arc scores, own being whatever higher-order score it knows (none at first order). A
// forbidden arc has score -infinity; a required arc is one whose rivals are forbidden.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/trees/space.hpp"

namespace accord::parses {

class Backbone {
 public:
  virtual ~Backbone() = default;
  // Best tree into heads; returns its own and arc scores together, or -infinity (heads untouched) when no tree exists.
  virtual double argmax(trees::ArcScores scores, std::span<int32_t> heads) = 0;
  // The k best distinct trees, best first; fewer only if fewer exist.
  virtual std::vector<trees::ScoredTree> kbest(trees::ArcScores scores, int k) = 0;
  virtual double own(std::span<const int32_t> heads) const = 0;
};

// Arc scores alone: Eisner's chart or Edmonds' algorithm.
class FirstOrderBackbone final : public Backbone {
 public:
  FirstOrderBackbone(bool projective, bool single_root) : space_(trees::make_tree_space(projective, single_root)) {}

  double argmax(trees::ArcScores scores, std::span<int32_t> heads) override { return space_->argmax(scores, heads); }
  std::vector<trees::ScoredTree> kbest(trees::ArcScores scores, int k) override { return space_->kbest(scores, k); }
  double own(std::span<const int32_t>) const override { return 0.0; }

 private:
  std::unique_ptr<trees::TreeSpace> space_;
};

}  // namespace accord::parses
