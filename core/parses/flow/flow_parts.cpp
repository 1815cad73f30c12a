// SPDX-License-Identifier: Apache-2.0
#include "core/parses/flow/flow_parts.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

namespace accord::parses {

namespace {

[[noreturn]] void refuse(const char* kind, size_t number, const char* reason) {
  throw std::invalid_argument(std::string(kind) + " " + std::to_string(number) + ": " + reason);
}

class Checker {
 public:
  explicit Checker(const trees::CandidateArcs& arcs) : arcs_(arcs) {}

  void singles(const char* kind, std::span<const ArcPart> parts) const {
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!exists(parts[i].arc)) refuse(kind, i, "there is no such arc");
      if (!std::isfinite(parts[i].score)) refuse(kind, i, "the score is not finite");
    }
  }

  template <typename Fits>
  void pairs(const char* kind, std::span<const ArcPair> parts, const char* reason, Fits fits) const {
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto [first, second, score] = parts[i];
      if (!exists(first) || !exists(second)) refuse(kind, i, "there is no such arc");
      if (first == second || !fits(first, second)) refuse(kind, i, reason);
      if (!std::isfinite(score)) refuse(kind, i, "the score is not finite");
    }
  }

  void conjunctions(std::span<const ArcConjunction> parts) const {
    for (size_t i = 0; i < parts.size(); ++i) {
      std::vector<int> sorted = parts[i].arcs;
      std::sort(sorted.begin(), sorted.end());
      if (sorted.empty()) refuse("conjunction", i, "it has no arc");
      if (!exists(sorted.front()) || !exists(sorted.back())) refuse("conjunction", i, "there is no such arc");
      if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) refuse("conjunction", i, "an arc stands twice");
      if (!std::isfinite(parts[i].score)) refuse("conjunction", i, "the score is not finite");
    }
  }

  void valency(std::span<const std::vector<double>> rows) const {
    if (rows.size() > static_cast<size_t>(arcs_.words()) + 1) refuse("valency", rows.size() - 1, "there is no such word");
    for (size_t node = 0; node < rows.size(); ++node) {
      if (rows[node].empty()) continue;
      if (rows[node].size() != arcs_.leaving(static_cast<int>(node)).size() + 1)
        refuse("valency", node, "one score per possible number of dependents is needed");
      for (const double score : rows[node])
        if (!std::isfinite(score)) refuse("valency", node, "a score is not finite");
    }
  }

  void paths(std::span<const PathPart> parts) const {
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto [ancestor, descendant, score] = parts[i];
      if (!is_word(ancestor) || !is_word(descendant) || ancestor == descendant) refuse("path", i, "it needs two different words");
      if (!std::isfinite(score)) refuse("path", i, "the score is not finite");
    }
  }

 private:
  bool exists(int arc) const { return arc >= 0 && arc < arcs_.size(); }
  bool is_word(int node) const { return node >= 1 && node <= arcs_.words(); }

  const trees::CandidateArcs& arcs_;
};

}  // namespace

void check_parts(const trees::CandidateArcs& arcs, const FlowParts& parts) {
  if (parts.flow != graph::Flow::multi_commodity && (!parts.paths.empty() || !parts.nonprojective.empty()))
    throw std::invalid_argument("paths and non-projective arcs need multi-commodity flow");
  const Checker check(arcs);
  check.pairs("sibling", parts.siblings, "the arcs leave different heads", [&](int a, int b) { return arcs.head(a) == arcs.head(b); });
  check.pairs("grandparent", parts.grandparents, "the second arc does not leave the word that the first one enters",
              [&](int a, int b) { return arcs.dependent(a) == arcs.head(b); });
  const auto follow = [&](int a, int b) {
    return arcs.head(a) == arcs.head(b) && arcs.side(a) == arcs.side(b) && arcs.distance(a) < arcs.distance(b);
  };
  check.pairs("next sibling", parts.next_siblings, "the arcs do not leave one head on one side, the nearer first", follow);
  check.singles("first child", parts.first_children);
  check.singles("last child", parts.last_children);
  check.singles("non-projective arc", parts.nonprojective);
  check.conjunctions(parts.conjunctions);
  check.valency(parts.valency);
  check.paths(parts.paths);
}

}  // namespace accord::parses
