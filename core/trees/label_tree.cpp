// SPDX-License-Identifier: Apache-2.0
#include "core/trees/label_tree.hpp"

#include <algorithm>
#include <cmath>

#include "core/hypergraph/semirings.hpp"

namespace accord::trees {

namespace {

using hypergraph::LogSum;
using hypergraph::MaxPlus;

constexpr double impossible = hypergraph::forbidden;

}  // namespace

void LabelTree::build(std::span<const int32_t> heads, std::span<const int32_t> counts) {
  heads_.assign(heads.begin(), heads.end());
  counts_.assign(counts.begin(), counts.end());
  const int n = words();
  starts_.assign(static_cast<size_t>(n) + 2, 0);
  for (int m = 1; m <= n; ++m) ++starts_[static_cast<size_t>(head(m)) + 1];
  for (size_t h = 1; h < starts_.size(); ++h) starts_[h] += starts_[h - 1];
  children_.resize(static_cast<size_t>(n));
  left_sibling_.assign(static_cast<size_t>(n) + 1, 0);
  std::vector<int32_t> filled(starts_.begin(), starts_.end() - 1);
  for (int m = 1; m <= n; ++m) {
    const auto h = static_cast<size_t>(head(m));
    if (filled[h] > starts_[h]) left_sibling_[static_cast<size_t>(m)] = children_[static_cast<size_t>(filled[h] - 1)];
    children_[static_cast<size_t>(filled[h]++)] = m;
  }
  order_.assign(1, 0);
  for (size_t i = 0; i < order_.size(); ++i) {
    const std::span<const int32_t> here = children(order_[i]);
    order_.insert(order_.end(), here.begin(), here.end());
  }
  std::reverse(order_.begin(), order_.end());
  own_starts_.assign(1, 0);
  parent_starts_.assign(1, 0);
  sibling_starts_.assign(1, 0);
  chain_starts_.assign(1, 0);
  for (int m = 0; m <= n; ++m) {
    const auto own = static_cast<size_t>(m == 0 ? 0 : count(m));
    const size_t head_labels = m == 0 ? 0 : static_cast<size_t>(labels_of(head(m)));
    const int sibling = left_sibling(m);
    own_starts_.push_back(own_starts_.back() + own);
    parent_starts_.push_back(parent_starts_.back() + (m == 0 || head(m) == 0 ? 0 : head_labels * own));
    sibling_starts_.push_back(sibling_starts_.back() + (sibling == 0 ? 0 : static_cast<size_t>(count(sibling)) * own));
    chain_starts_.push_back(chain_starts_.back() + head_labels * own);
  }
  own_.assign(own_starts_.back(), 0.0);
  parent_.assign(parent_starts_.back(), 0.0);
  sibling_.assign(sibling_starts_.back(), 0.0);
}

// Chains of children, from left to right, into their head; the value of the whole.
template <class Semiring>
double LabelTree::inwards() {
  inside_ = own_;
  chain_.assign(chain_starts_.back(), impossible);
  double total = 0;
  for (const int32_t node : order_) {
    const std::span<const int32_t> here = children(node);
    for (int label = 0; label < labels_of(node); ++label) {
      for (const int32_t m : here) {
        const int sibling = left_sibling(m);
        for (int own = 0; own < count(m); ++own) {
          double before = sibling == 0 ? Semiring::one() : Semiring::zero();
          for (int other = 0; sibling != 0 && other < count(sibling); ++other)
            before = Semiring::plus(before, chain_[chain_at(sibling, label, other)] + sibling_score(m, other, own));
          chain_[chain_at(m, label, own)] = before + inside_[first_candidate(m) + static_cast<size_t>(own)] + parent_score(m, label, own);
        }
      }
      if (here.empty()) continue;
      double sum = Semiring::zero();
      for (int own = 0; own < count(here.back()); ++own) sum = Semiring::plus(sum, chain_[chain_at(here.back(), label, own)]);
      if (node == 0) total = sum;
      else inside_[first_candidate(node) + static_cast<size_t>(label)] += sum;
    }
  }
  return total;
}

// The first of the best labels of a word's left sibling, or of the last child itself where nothing stands to its right.
int LabelTree::best_label(int word, int head_label, int right, int right_label) const {
  int best = 0;
  double best_value = impossible;
  for (int label = 0; label < count(word); ++label) {
    double value = chain_[chain_at(word, head_label, label)];
    if (right != 0) value += sibling_score(right, label, right_label);
    if (value > best_value) best_value = value, best = label;
  }
  return best;
}

double LabelTree::maximize(std::span<int32_t> choice) {
  const double total = inwards<MaxPlus>();
  for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
    const std::span<const int32_t> here = children(*node);
    const int head_label = *node == 0 ? 0 : choice[static_cast<size_t>(*node)];
    for (int m = here.empty() ? 0 : here.back(), right = 0; m != 0; right = m, m = left_sibling(m))
      choice[static_cast<size_t>(m)] = best_label(m, head_label, right, right == 0 ? 0 : choice[static_cast<size_t>(right)]);
  }
  return total;
}

double LabelTree::score(std::span<const int32_t> choice) const {
  double total = 0;
  for (int m = 1; m <= words(); ++m) {
    const int own = choice[static_cast<size_t>(m)], sibling = left_sibling(m);
    total += own_[first_candidate(m) + static_cast<size_t>(own)];
    if (head(m) != 0) total += parent_score(m, choice[static_cast<size_t>(head(m))], own);
    if (sibling != 0) total += sibling_score(m, choice[static_cast<size_t>(sibling)], own);
  }
  return total;
}

double LabelTree::marginals(std::vector<double>& out) {
  const double total = inwards<LogSum>();
  // Outwards: what the rest of the tree adds to a chain value, from right to left, then to each child's inside value.
  outside_.assign(own_.size(), impossible);
  chain_outside_.assign(chain_.size(), impossible);
  for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
    const std::span<const int32_t> here = children(*node);
    if (here.empty()) continue;
    for (int label = 0; label < labels_of(*node); ++label) {
      double above = 0;
      if (*node != 0) {
        // The head's inside value without its children's sum is its own score; its outside value covers the rest.
        const size_t at = first_candidate(*node) + static_cast<size_t>(label);
        above = outside_[at] + own_[at];
      }
      for (int own = 0; own < count(here.back()); ++own) chain_outside_[chain_at(here.back(), label, own)] = above;
      for (size_t i = here.size(); i-- > 0;) {
        const int m = here[i], sibling = left_sibling(m);
        for (int own = 0; own < count(m); ++own) {
          const size_t at = chain_at(m, label, own), candidate = first_candidate(m) + static_cast<size_t>(own);
          double left = sibling == 0 ? 0.0 : impossible;
          for (int other = 0; sibling != 0 && other < count(sibling); ++other) {
            const double step = sibling_score(m, other, own);
            left = LogSum::plus(left, chain_[chain_at(sibling, label, other)] + step);
            double& outside = chain_outside_[chain_at(sibling, label, other)];
            outside = LogSum::plus(outside, chain_outside_[at] + step + inside_[candidate] + parent_score(m, label, own));
          }
          outside_[candidate] = LogSum::plus(outside_[candidate], left + chain_outside_[at] + parent_score(m, label, own));
        }
      }
    }
  }
  out.resize(own_.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::exp(inside_[i] + outside_[i] - total);
  return total;
}

}  // namespace accord::trees
