// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "core/tasks/labeller/chain_layout.hpp"

namespace accord::tasks {

namespace {

class PlainLayout final : public ChainLayout {
 public:
  PlainLayout(int labels, int order, const ChainMasks& masks)
      : labels_(labels),
        size_(static_cast<size_t>(labels)),
        order_(order),
        masks_(masks) {
    if (labels < 1 || order < 0 || order > 2) throw std::invalid_argument("a chain has order 0, 1 or 2 and at least one label");
    blocks_ = {{"state", labels}};
    if (order >= 1) blocks_.push_back({"pair", labels * labels});
    if (order == 2) blocks_.push_back({"triple", labels * labels * labels});
  }

  const std::vector<Block>& blocks() const override { return blocks_; }
  int layers() const override { return 1; }
  int labels(int) const override { return labels_; }

  void assemble(size_t tokens, std::span<const BlockRows> scores, std::span<const double* const> costs) override {
    sizes_.assign(tokens, labels_);
    unary_.resize(tokens);
    own_.clear();
    const bool edges = !masks_.start.empty() || !masks_.end.empty();
    if (!costs.empty() || edges) own_.resize(tokens * size_);
    for (size_t i = 0; i < tokens; ++i) {
      unary_[i] = scores[0].row(i);
      const double* cost = costs.empty() ? nullptr : costs[i];
      const double* start = i == 0 && !masks_.start.empty() ? masks_.start.data() : nullptr;
      const double* end = i + 1 == tokens && !masks_.end.empty() ? masks_.end.data() : nullptr;
      if (!cost && !start && !end) continue;
      double* own = own_.data() + i * size_;
      for (size_t l = 0; l < size_; ++l) own[l] = unary_[i][l] + (cost ? cost[l] : 0) + (start ? start[l] : 0) + (end ? end[l] : 0);
      unary_[i] = own;
    }
    pairs_.assign(tokens, nullptr);
    if (!masks_.follow.empty()) masked_.resize(order_ >= 1 && scores[1].stride > 0 ? tokens * size_ * size_ : size_ * size_);
    for (size_t i = 1; i < tokens; ++i) {
      pairs_[i] = order_ >= 1 ? scores[1].row(i) : nullptr;
      if (masks_.follow.empty()) continue;
      const bool shared = order_ < 1 || scores[1].stride == 0;
      double* masked = masked_.data() + (shared ? 0 : i * size_ * size_);
      if (!shared || i == 1)
        for (size_t k = 0; k < size_ * size_; ++k) masked[k] = (pairs_[i] ? pairs_[i][k] : 0.0) + masks_.follow[k];
      pairs_[i] = masked;
    }
    if (order_ < 2) {
      chain_.first_order(sizes_, unary_, pairs_);
    } else {
      triples_.assign(tokens, nullptr);
      for (size_t i = 2; i < tokens; ++i) triples_[i] = scores[2].row(i);
      chain_.second_order(sizes_, unary_, pairs_, triples_);
    }
  }

  void add_path(std::span<const int> labels, double scale, std::span<const BlockRows> out) const override {
    for (size_t i = 0; i < labels.size(); ++i) {
      const auto here = static_cast<size_t>(labels[i]);
      out[0].row(i)[here] += scale;
      if (order_ < 1 || i < 1) continue;
      const size_t pair = static_cast<size_t>(labels[i - 1]) * size_ + here;
      out[1].row(i)[pair] += scale;
      if (order_ == 2 && i > 1) out[2].row(i)[static_cast<size_t>(labels[i - 2]) * size_ * size_ + pair] += scale;
    }
  }

  double add_expectations(double scale, std::span<const BlockRows> out) override {
    const auto tokens = static_cast<size_t>(chain_.length());
    for (size_t b = 0; b < out.size(); ++b) {
      outs_[b].resize(tokens);
      for (size_t i = 0; i < tokens; ++i) outs_[b][i] = out[b].row(i);
    }
    if (order_ == 0) return sums_.expectations(chain_, {outs_[0], {}, {}}, scale);
    if (order_ == 1) return sums_.expectations(chain_, {outs_[0], {}, outs_[1]}, scale);
    outs_[1][0] = nullptr;
    outs_[2][0] = nullptr;
    if (tokens > 1) outs_[2][1] = nullptr;
    return sums_.expectations(chain_, {outs_[0], outs_[1], outs_[2]}, scale);
  }

 private:
  int labels_;
  size_t size_;
  int order_;
  ChainMasks masks_;
  std::vector<Block> blocks_;
  std::vector<int> sizes_;
  std::vector<const double*> unary_, pairs_, triples_;
  std::vector<double> own_, masked_;
  std::vector<double*> outs_[3];
};

}  // namespace

std::unique_ptr<ChainLayout> make_plain_layout(int labels, int order, const ChainMasks& masks) {
  return std::make_unique<PlainLayout>(labels, order, masks);
}

}  // namespace accord::tasks
