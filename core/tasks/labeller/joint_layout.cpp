// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "core/tasks/labeller/chain_layout.hpp"
#include "core/tasks/labeller/joint_sums.hpp"

namespace accord::tasks {

namespace {

enum { segment, tag, joint, segment_pair, tag_pair, segment_clique, tag_clique };

// Chain positions: 2i is s_i, 2i + 1 is t_i. A state of s_i remembers t_{i-1}; a state of t_i remembers s_i.
//   s_i: transition [s' t'][s] = segment_clique[s'][t'][s] + segment_pair[s'][s]
//   t_i: memory [s][t] = joint, transition [t' s][t] = tag_clique[t'][s][t] + tag_pair[t'][t] + follow mask of (., t') -> (s, t)
// Sums come from the blocks themselves where cliques look at no token (joint_sums.hpp); the chain is wired when something else is asked.
// The follow mask is taken as a rule on (t', s, t) and on (s', t', s): a pair of pairs is allowed if some pair of that kind is.
class JointLayout final : public ChainLayout {
 public:
  JointLayout(int segments, int tags, const ChainMasks& masks)
      : S_(static_cast<size_t>(segments)),
        T_(static_cast<size_t>(tags)),
        masks_(masks),
        segment_mask_(project_masks(true)),
        tag_mask_(project_masks(false)),
        block_sums_(S_, T_, segment_mask_, tag_mask_) {
    if (segments < 1 || tags < 1) throw std::invalid_argument("both layers of labels need at least one label");
    blocks_ = {{"segment", segments},
               {"tag", tags},
               {"joint", segments * tags},
               {"segment_pair", segments * segments},
               {"tag_pair", tags * tags},
               {"segment_clique", segments * tags * segments},
               {"tag_clique", tags * segments * tags}};
  }

  const std::vector<Block>& blocks() const override { return blocks_; }
  int layers() const override { return 2; }
  int labels(int layer) const override { return static_cast<int>(layer == 0 ? S_ : T_); }

  void assemble(size_t tokens, std::span<const BlockRows> scores, std::span<const double* const> costs) override {
    tokens_ = tokens;
    scores_.assign(scores.begin(), scores.end());
    costs_.assign(costs.begin(), costs.end());
    wired_ = false;
  }

  double score(std::span<const int> labels) const override {
    double total = 0;
    const auto mask = [](const std::vector<double>& values, size_t at) { return values.empty() ? 0.0 : values[at]; };
    for (size_t i = 0; i < tokens_; ++i) {
      const auto s = static_cast<size_t>(labels[2 * i]), t = static_cast<size_t>(labels[2 * i + 1]);
      total += scores_[segment].row(i)[s] + scores_[tag].row(i)[t] + scores_[joint].row(i)[s * T_ + t];
      if (!costs_.empty())
        for (size_t layer = 0; layer < 2; ++layer)
          if (const double* cost = costs_[2 * i + layer]) total += cost[layer == 0 ? s : t];
      if (i == 0) total += mask(masks_.start, s * T_ + t);
      if (i + 1 == tokens_) total += mask(masks_.end, s * T_ + t);
      if (i == 0) continue;
      const auto before = static_cast<size_t>(labels[2 * i - 2]), earlier = static_cast<size_t>(labels[2 * i - 1]);
      const size_t phi = (before * T_ + earlier) * S_ + s, psi = (earlier * S_ + s) * T_ + t;
      total += scores_[segment_clique].row(i)[phi] + scores_[segment_pair].row(i)[before * S_ + s] + mask(segment_mask_, phi);
      total += scores_[tag_clique].row(i)[psi] + scores_[tag_pair].row(i)[earlier * T_ + t] + mask(tag_mask_, psi);
    }
    return total;
  }

  double maximize(std::span<int> labels) override {
    wire();
    return ChainLayout::maximize(labels);
  }
  double log_partition() override {
    wire();
    return ChainLayout::log_partition();
  }
  std::vector<chains::Labelling> k_best(int k) override {
    wire();
    return ChainLayout::k_best(k);
  }

  void add_path(std::span<const int> labels, double scale, std::span<const BlockRows> out) const override {
    for (size_t i = 0; 2 * i < labels.size(); ++i) {
      const auto s = static_cast<size_t>(labels[2 * i]), t = static_cast<size_t>(labels[2 * i + 1]);
      out[segment].row(i)[s] += scale;
      out[tag].row(i)[t] += scale;
      out[joint].row(i)[s * T_ + t] += scale;
      if (i == 0) continue;
      const auto before = static_cast<size_t>(labels[2 * i - 2]), earlier = static_cast<size_t>(labels[2 * i - 1]);
      out[segment_pair].row(i)[before * S_ + s] += scale;
      out[tag_pair].row(i)[earlier * T_ + t] += scale;
      out[segment_clique].row(i)[(before * T_ + earlier) * S_ + s] += scale;
      out[tag_clique].row(i)[(earlier * S_ + s) * T_ + t] += scale;
    }
  }

  double add_expectations(double scale, std::span<const BlockRows> out) override {
    double sum = 0;
    if (add_block_expectations(scale, out, sum)) return sum;
    wire();
    const size_t positions = static_cast<size_t>(chain_.length()), tokens = positions / 2, phi = S_ * T_ * S_, psi = T_ * S_ * T_;
    unary_out_.assign(positions, nullptr);
    memory_out_.assign(positions, nullptr);
    transition_out_.assign(positions, nullptr);
    const bool phi_shared = out[segment_pair].stride == 0 && out[segment_clique].stride == 0;
    const bool psi_shared = out[tag_pair].stride == 0 && out[tag_clique].stride == 0;
    phi_out_.assign(phi_shared ? phi : tokens * phi, 0.0);
    psi_out_.assign(psi_shared ? psi : tokens * psi, 0.0);
    for (size_t i = 0; i < tokens; ++i) {
      unary_out_[2 * i] = out[segment].row(i);
      unary_out_[2 * i + 1] = out[tag].row(i);
      memory_out_[2 * i + 1] = out[joint].row(i);
      if (i == 0) continue;
      transition_out_[2 * i] = phi_out_.data() + (phi_shared ? 0 : i * phi);
      transition_out_[2 * i + 1] = psi_out_.data() + (psi_shared ? 0 : i * psi);
    }
    const double value = sums_.expectations(chain_, {unary_out_, memory_out_, transition_out_}, scale);
    for (size_t i = phi_shared ? 0 : 1; i < (phi_shared ? 1 : tokens); ++i)
      spread_table(S_, T_, phi_out_.data() + i * phi, out[segment_clique].row(i), out[segment_pair].row(i));
    for (size_t i = psi_shared ? 0 : 1; i < (psi_shared ? 1 : tokens); ++i)
      spread_table(T_, S_, psi_out_.data() + i * psi, out[tag_clique].row(i), out[tag_pair].row(i));
    return value;
  }

 private:
  void wire() {
    if (wired_) return;
    wired_ = true;
    const size_t tokens = tokens_;
    const std::vector<BlockRows>& scores = scores_;
    const std::vector<const double*>& costs = costs_;
    const size_t positions = 2 * tokens, phi = S_ * T_ * S_, psi = T_ * S_ * T_;
    const bool phi_shared = scores[segment_pair].stride == 0 && scores[segment_clique].stride == 0;
    const bool psi_shared = scores[tag_pair].stride == 0 && scores[tag_clique].stride == 0;
    sizes_.resize(positions);
    unary_.assign(positions, nullptr);
    memory_.assign(positions, nullptr);
    transitions_.assign(positions, nullptr);
    own_.resize(costs.empty() ? 0 : tokens * (S_ + T_));
    edge_.resize(2 * S_ * T_);
    phi_.resize(phi_shared ? phi : tokens * phi);
    psi_.resize(psi_shared ? psi : tokens * psi);
    for (size_t i = 0; i < tokens; ++i) {
      sizes_[2 * i] = static_cast<int>(S_);
      sizes_[2 * i + 1] = static_cast<int>(T_);
      unary_[2 * i] = scores[segment].row(i);
      unary_[2 * i + 1] = scores[tag].row(i);
      memory_[2 * i + 1] = scores[joint].row(i);
      if (!costs.empty()) add_costs(i, costs);
      add_edge(i, tokens);
      if (i == 0) continue;
      double* left = phi_.data() + (phi_shared ? 0 : i * phi);
      double* right = psi_.data() + (psi_shared ? 0 : i * psi);
      if (!phi_shared || i == 1) fill_table(S_, T_, scores[segment_clique].row(i), scores[segment_pair].row(i), segment_mask_, left);
      if (!psi_shared || i == 1) fill_table(T_, S_, scores[tag_clique].row(i), scores[tag_pair].row(i), tag_mask_, right);
      transitions_[2 * i] = left;
      transitions_[2 * i + 1] = right;
    }
    chain_.second_order(sizes_, unary_, memory_, transitions_);
  }

  bool add_block_expectations(double scale, std::span<const BlockRows> out, double& value) {
    for (const size_t clique : {segment_clique, tag_clique})
      if (scores_[clique].stride != 0 || out[clique].stride != 0) return false;
    extras_.assign(tokens_, {});
    for (size_t i = 0; i < tokens_ && !costs_.empty(); ++i) {
      extras_[i].segment_costs = costs_[2 * i];
      extras_[i].tag_costs = costs_[2 * i + 1];
    }
    if (tokens_ > 0 && !masks_.start.empty()) extras_.front().start = masks_.start.data();
    if (tokens_ > 0 && !masks_.end.empty()) extras_.back().end = masks_.end.data();
    const auto blocks = [](std::span<const BlockRows> rows) {
      return JointBlocks{rows[segment], rows[tag], rows[joint], rows[segment_pair], rows[tag_pair], &rows[segment_clique]};
    };
    return block_sums_.expectations(blocks(scores_), extras_, scale, blocks(out), value);
  }

  // The rule on (s', t', s), or the one on (t', s, t).
  std::vector<double> project_masks(bool segments) const {
    if (masks_.follow.empty()) return {};
    std::vector<double> mask(segments ? S_ * T_ * S_ : T_ * S_ * T_, chains::forbidden);
    for (size_t before = 0; before < S_; ++before)
      for (size_t earlier = 0; earlier < T_; ++earlier)
        for (size_t s = 0; s < S_; ++s)
          for (size_t t = 0; t < T_; ++t) {
            if (masks_.follow[(before * T_ + earlier) * S_ * T_ + s * T_ + t] == chains::forbidden) continue;
            mask[segments ? (before * T_ + earlier) * S_ + s : (earlier * S_ + s) * T_ + t] = 0;
          }
    return mask;
  }

  // A table over (label before, label of the other layer between, label): phi has segments around a tag, psi tags around a segment.
  static void fill_table(size_t around, size_t between, const double* clique, const double* pair, const std::vector<double>& mask,
                         double* out) {
    for (size_t before = 0; before < around; ++before)
      for (size_t middle = 0; middle < between; ++middle)
        for (size_t label = 0; label < around; ++label) {
          const size_t at = (before * between + middle) * around + label;
          out[at] = clique[at] + pair[before * around + label] + (mask.empty() ? 0 : mask[at]);
        }
  }

  static void spread_table(size_t around, size_t between, const double* from, double* clique, double* pair) {
    for (size_t before = 0; before < around; ++before)
      for (size_t middle = 0; middle < between; ++middle)
        for (size_t label = 0; label < around; ++label) {
          const size_t at = (before * between + middle) * around + label;
          clique[at] += from[at];
          pair[before * around + label] += from[at];
        }
  }

  void add_costs(size_t i, std::span<const double* const> costs) {
    double* own = own_.data() + i * (S_ + T_);
    for (size_t layer = 0; layer < 2; ++layer) {
      const double* cost = costs[2 * i + layer];
      const size_t size = layer == 0 ? S_ : T_;
      if (cost) {
        for (size_t l = 0; l < size; ++l) own[l] = unary_[2 * i + layer][l] + cost[l];
        unary_[2 * i + layer] = own;
      }
      own += S_;
    }
  }

  // What may start and end goes into the memory of the first and last token's tag: the table of (s, t).
  void add_edge(size_t i, size_t tokens) {
    const bool first = i == 0 && !masks_.start.empty(), last = i + 1 == tokens && !masks_.end.empty();
    if (!first && !last) return;
    double* own = edge_.data() + (i == 0 ? 0 : S_ * T_);
    for (size_t k = 0; k < S_ * T_; ++k) own[k] = memory_[2 * i + 1][k] + (first ? masks_.start[k] : 0) + (last ? masks_.end[k] : 0);
    memory_[2 * i + 1] = own;
  }

  size_t S_, T_;
  ChainMasks masks_;
  std::vector<Block> blocks_;
  std::vector<double> segment_mask_, tag_mask_;
  JointSums block_sums_;
  size_t tokens_ = 0;
  std::vector<BlockRows> scores_;
  std::vector<const double*> costs_;
  bool wired_ = false;
  std::vector<JointExtras> extras_;
  std::vector<int> sizes_;
  std::vector<const double*> unary_, memory_, transitions_;
  std::vector<double> own_, edge_, phi_, psi_, phi_out_, psi_out_;
  std::vector<double*> unary_out_, memory_out_, transition_out_;
};

}  // namespace

std::unique_ptr<ChainLayout> make_joint_layout(int segments, int tags, const ChainMasks& masks) {
  return std::make_unique<JointLayout>(segments, tags, masks);
}

}  // namespace accord::tasks
