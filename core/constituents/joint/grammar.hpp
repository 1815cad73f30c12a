// SPDX-License-Identifier: Apache-2.0
// A grammar of rules with one or two children, for charts over words or over lattices of words.
//
// States are the tags of words (the first ones), labels of phrases, and helper states of binarised phrases. Every span of a derivation
// has a bottom state (a tag, or the parent of a binary rule) and a top state; a unary rule links them, and each state has the rule that
// links it to itself. Children of binary rules are top states.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace accord::constituents {

struct BinaryRule {
  int32_t parent, left, right;

  auto operator<=>(const BinaryRule&) const = default;
};

struct UnaryRule {
  int32_t top, bottom;

  auto operator<=>(const UnaryRule&) const = default;
};

class Grammar {
 public:
  // `helpers`: states from this number on are helper states. `roots`: top states of whole sentences. Throws std::invalid_argument where a
  // state is out of range.
  Grammar(int states, int tags, int helpers, std::vector<BinaryRule> binary, std::vector<UnaryRule> unary,
          const std::vector<int32_t>& roots)
      : states_(states),
        tags_(tags),
        helpers_(helpers),
        root_(static_cast<std::size_t>(std::max(states, 0)), 0) {
    if (states < 1 || tags < 0 || tags > helpers || helpers > states) throw std::invalid_argument("tags, phrases and helpers are states");
    for (const int32_t root : roots) root_[known(root)] = 1;
    link_unary(std::move(unary));
    link_binary(std::move(binary));
  }

  int states() const { return states_; }
  int tags() const { return tags_; }
  bool helper(int state) const { return state >= helpers_; }
  bool root(int state) const { return root_[static_cast<std::size_t>(state)] != 0; }

  // The parents of two top states, ascending.
  std::span<const int32_t> parents(int left, int right) const {
    const std::size_t row = static_cast<std::size_t>(left);
    const auto first = rights_.begin() + starts_[row], last = rights_.begin() + starts_[row + 1];
    const auto found = std::lower_bound(first, last, right);
    if (found == last || *found != right) return {};
    const auto pair = static_cast<std::size_t>(found - rights_.begin());
    return {parents_.data() + parent_starts_[pair], parents_.data() + parent_starts_[pair + 1]};
  }

  // The top states of a bottom state: itself, then the others, ascending.
  std::span<const int32_t> tops(int bottom) const {
    const std::size_t row = static_cast<std::size_t>(bottom);
    return {tops_.data() + top_starts_[row], tops_.data() + top_starts_[row + 1]};
  }

 private:
  std::size_t known(int32_t state) const {
    if (state < 0 || state >= states_) throw std::invalid_argument("a rule has a state that is none");
    return static_cast<std::size_t>(state);
  }

  void link_unary(std::vector<UnaryRule> rules) {
    for (const UnaryRule& rule : rules) known(rule.top), known(rule.bottom);
    std::sort(rules.begin(), rules.end(),
              [](const UnaryRule& a, const UnaryRule& b) { return std::pair(a.bottom, a.top) < std::pair(b.bottom, b.top); });
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    auto rule = rules.begin();
    for (int bottom = 0; bottom < states_; ++bottom) {
      top_starts_.push_back(tops_.size());
      tops_.push_back(bottom);
      for (; rule != rules.end() && rule->bottom == bottom; ++rule)
        if (rule->top != bottom) tops_.push_back(rule->top);
    }
    top_starts_.push_back(tops_.size());
  }

  void link_binary(std::vector<BinaryRule> rules) {
    for (const BinaryRule& rule : rules) known(rule.parent), known(rule.left), known(rule.right);
    std::sort(rules.begin(), rules.end(), [](const BinaryRule& a, const BinaryRule& b) {
      return std::tuple(a.left, a.right, a.parent) < std::tuple(b.left, b.right, b.parent);
    });
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    auto rule = rules.begin();
    for (int left = 0; left < states_; ++left) {
      starts_.push_back(static_cast<std::ptrdiff_t>(rights_.size()));
      while (rule != rules.end() && rule->left == left) {
        const int32_t right = rule->right;
        rights_.push_back(right);
        parent_starts_.push_back(parents_.size());
        for (; rule != rules.end() && rule->left == left && rule->right == right; ++rule) parents_.push_back(rule->parent);
      }
    }
    starts_.push_back(static_cast<std::ptrdiff_t>(rights_.size()));
    parent_starts_.push_back(parents_.size());
  }

  int states_, tags_, helpers_;
  std::vector<uint8_t> root_;               // by state
  std::vector<std::ptrdiff_t> starts_;      // by left state, into rights_
  std::vector<int32_t> rights_;             // right states of a left one
  std::vector<std::size_t> parent_starts_;  // by pair of states, into parents_
  std::vector<int32_t> parents_;
  std::vector<std::size_t> top_starts_;  // by bottom state, into tops_
  std::vector<int32_t> tops_;
};

}  // namespace accord::constituents
