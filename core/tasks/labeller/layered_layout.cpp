// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/tasks/labeller/chain_layout.hpp"

namespace accord::tasks {

namespace {

// Chain position m i + k is layer k of token i. Its state is the label and the m - 1 labels before it in the chain: those of the later
// layers of token i - 1 and of the earlier layers of token i. So a state of the last layer is all labels of a token.
//   transition of layer k: clique[k] over (layers k .. m-1 of i - 1, layers 0 .. k-1 of i, layer k of i) + pair[k] of its ends + mask
//   memory of the last layer: `layers` + all pairs of layers of a token + what may start and end
class LayeredLayout final : public ChainLayout {
 public:
  LayeredLayout(std::vector<int> sizes, const LayerMasks& masks) : sizes_(std::move(sizes)), m_(sizes_.size()), masks_(masks) {
    if (m_ == 0 || *std::min_element(sizes_.begin(), sizes_.end()) < 1)
      throw std::invalid_argument("every layer of labels needs at least one label");
    for (int size : sizes_) {
      states_ *= static_cast<size_t>(size);
      if (states_ > most_states) throw std::invalid_argument("layers of labels with more than 32768 labellings of a token");
    }
    const auto name = [](size_t layer) { return "layer" + std::to_string(layer + 1); };
    for (size_t k = 0; k < m_; ++k) blocks_.push_back({name(k), sizes_[k]});
    for (size_t k = 0; k < m_; ++k) blocks_.push_back({name(k) + "_pair", sizes_[k] * sizes_[k]});
    for (size_t k = 0; k < m_ && m_ > 1; ++k) blocks_.push_back({name(k) + "_clique", static_cast<int>(states_) * sizes_[k]});
    for (size_t j = 0; j < m_; ++j)
      for (size_t k = j + 1; k < m_ && m_ > 2; ++k) {
        pairs_.emplace_back(j, k);
        blocks_.push_back({name(j) + "_" + name(k), sizes_[j] * sizes_[k]});
      }
    if (m_ > 1) blocks_.push_back({"layers", static_cast<int>(states_)});
    for (const std::vector<double>* edge : {&masks_.start, &masks_.end})
      if (!edge->empty() && edge->size() != states_) throw std::invalid_argument("a mask has one entry for each labelling of a token");
    if (!masks_.follow.empty() && masks_.follow.size() != m_) throw std::invalid_argument("one mask for each layer");
    for (size_t k = 0; k < masks_.follow.size(); ++k)
      if (masks_.follow[k].size() != states_ * size(k)) throw std::invalid_argument("a mask has one entry for each clique");
  }

  const std::vector<Block>& blocks() const override { return blocks_; }
  int layers() const override { return static_cast<int>(m_); }
  int labels(int layer) const override { return sizes_[static_cast<size_t>(layer)]; }

  void assemble(size_t tokens, std::span<const BlockRows> scores, std::span<const double* const> costs) override {
    const size_t positions = tokens * m_;
    chain_sizes_.resize(positions);
    unary_.resize(positions);
    memory_.assign(positions, nullptr);
    transitions_.assign(positions, nullptr);
    own_.assign(positions, {});
    together_.assign(tokens * states_, 0.0);
    cliques_.resize(m_);
    for (size_t k = 0; k < m_; ++k) cliques_[k].resize(states_ * size(k) * (clique_shared(k, scores) ? 1 : tokens));
    for (size_t i = 0; i < tokens; ++i)
      for (size_t k = 0; k < m_; ++k) {
        const size_t at = i * m_ + k;
        chain_sizes_[at] = sizes_[k];
        unary_[at] = scores[k].row(i);
        if (const double* cost = costs.empty() ? nullptr : costs[at]) {
          own_[at].assign(unary_[at], unary_[at] + size(k));
          for (size_t l = 0; l < size(k); ++l) own_[at][l] += cost[l];
          unary_[at] = own_[at].data();
        }
        if (k + 1 == m_) memory_[at] = fill_together(i, tokens, scores);
        if (i > 0) transitions_[at] = fill_clique(i, k, scores);
      }
    if (m_ == 1) {  // a state is a label: what belongs to labels of a token belongs to its unary scores
      for (size_t i = 0; i < tokens; ++i) {
        std::vector<double>& row = own_[i];
        if (row.empty()) row.assign(unary_[i], unary_[i] + states_);
        for (size_t l = 0; l < states_; ++l) row[l] += memory_[i][l];
        unary_[i] = row.data();
      }
      chain_.first_order(chain_sizes_, unary_, transitions_);
      return;
    }
    chain_.any_order(static_cast<int>(m_), chain_sizes_, unary_, memory_, transitions_);
  }

  void add_path(std::span<const int> labels, double scale, std::span<const BlockRows> out) const override {
    for (size_t i = 0; i * m_ < labels.size(); ++i) {
      const std::span<const int> here = labels.subspan(i * m_, m_);
      size_t state = 0;
      for (size_t k = 0; k < m_; ++k) {
        out[k].row(i)[here[k]] += scale;
        state = state * size(k) + static_cast<size_t>(here[k]);
        if (i == 0) continue;
        const std::span<const int> chain = labels.subspan((i - 1) * m_ + k, m_ + 1);
        out[m_ + k].row(i)[static_cast<size_t>(chain.front()) * size(k) + static_cast<size_t>(chain.back())] += scale;
        if (m_ == 1) continue;
        size_t clique = 0;
        for (size_t j = 0; j <= m_; ++j) clique = clique * size((k + j) % m_) + static_cast<size_t>(chain[j]);
        out[2 * m_ + k].row(i)[clique] += scale;
      }
      for (size_t p = 0; p < pairs_.size(); ++p) {
        const auto [j, k] = pairs_[p];
        out[3 * m_ + p].row(i)[static_cast<size_t>(here[j]) * size(k) + static_cast<size_t>(here[k])] += scale;
      }
      if (m_ > 1) out.back().row(i)[state] += scale;
    }
  }

  double add_expectations(double scale, std::span<const BlockRows> out) override {
    const auto positions = static_cast<size_t>(chain_.length());
    const size_t tokens = positions / m_;
    unary_out_.assign(positions, nullptr);
    memory_out_.assign(positions, nullptr);
    transition_out_.assign(positions, nullptr);
    together_out_.assign(tokens * states_, 0.0);
    cliques_out_.resize(m_);
    for (size_t k = 0; k < m_; ++k) cliques_out_[k].assign(states_ * size(k) * (clique_shared(k, out) ? 1 : tokens), 0.0);
    for (size_t i = 0; i < tokens; ++i)
      for (size_t k = 0; k < m_; ++k) {
        unary_out_[i * m_ + k] = out[k].row(i);
        if (k + 1 == m_ && m_ > 1) memory_out_[i * m_ + k] = together_out_.data() + i * states_;
        if (i > 0) transition_out_[i * m_ + k] = cliques_out_[k].data() + (clique_shared(k, out) ? 0 : i * states_ * size(k));
      }
    const double value = sums_.expectations(chain_, {unary_out_, memory_out_, transition_out_}, scale);
    for (size_t k = 0; k < m_; ++k)
      for (size_t i = clique_shared(k, out) ? 0 : 1; i < (clique_shared(k, out) ? 1 : tokens); ++i) spread_clique(i, k, out);
    for (size_t i = 0; i < tokens && m_ > 1; ++i) spread_together(i, out);
    return value;
  }

 private:
  static constexpr size_t most_states = 1 << 15;

  size_t size(size_t layer) const { return static_cast<size_t>(sizes_[layer]); }

  bool clique_shared(size_t k, std::span<const BlockRows> rows) const {
    return rows[m_ + k].stride == 0 && (m_ == 1 || rows[2 * m_ + k].stride == 0);
  }

  // Where in a table of pairs of layer k the clique at this place has its first and last label.
  size_t pair_of(size_t k, size_t clique) const { return clique / states_ * size(k) + clique % size(k); }

  const double* fill_clique(size_t i, size_t k, std::span<const BlockRows> scores) {
    const size_t width = states_ * size(k);
    double* table = cliques_[k].data() + (clique_shared(k, scores) ? 0 : i * width);
    if (clique_shared(k, scores) && i > 1) return table;
    const double *pair = scores[m_ + k].row(i), *clique = m_ > 1 ? scores[2 * m_ + k].row(i) : nullptr;
    for (size_t c = 0; c < width; ++c)
      table[c] = pair[pair_of(k, c)] + (clique ? clique[c] : 0.0) + (masks_.follow.empty() ? 0.0 : masks_.follow[k][c]);
    return table;
  }

  void spread_clique(size_t i, size_t k, std::span<const BlockRows> out) const {
    const size_t width = states_ * size(k);
    const double* table = cliques_out_[k].data() + (clique_shared(k, out) ? 0 : i * width);
    double *pair = out[m_ + k].row(i), *clique = m_ > 1 ? out[2 * m_ + k].row(i) : nullptr;
    for (size_t c = 0; c < width; ++c) {
      pair[pair_of(k, c)] += table[c];
      if (clique) clique[c] += table[c];
    }
  }

  // visit(state, pair number, place in the table of the pair), for all states and pairs of layers.
  template <typename Visit>
  void each_pair(Visit&& visit) const {
    for (size_t p = 0; p < pairs_.size(); ++p) {
      const auto [j, k] = pairs_[p];
      size_t after_j = 1, after_k = 1;
      for (size_t l = j + 1; l < m_; ++l) after_j *= size(l);
      for (size_t l = k + 1; l < m_; ++l) after_k *= size(l);
      for (size_t state = 0; state < states_; ++state) visit(state, p, state / after_j % size(j) * size(k) + state / after_k % size(k));
    }
  }

  const double* fill_together(size_t i, size_t tokens, std::span<const BlockRows> scores) {
    double* table = together_.data() + i * states_;
    if (m_ > 1) std::copy_n(scores.back().row(i), states_, table);
    each_pair([&](size_t state, size_t p, size_t place) { table[state] += scores[3 * m_ + p].row(i)[place]; });
    const auto add = [&](const std::vector<double>& mask) {
      for (size_t state = 0; state < mask.size(); ++state) table[state] += mask[state];
    };
    if (i == 0) add(masks_.start);
    if (i + 1 == tokens) add(masks_.end);
    return table;
  }

  void spread_together(size_t i, std::span<const BlockRows> out) const {
    const double* table = together_out_.data() + i * states_;
    double* all = out.back().row(i);
    for (size_t state = 0; state < states_; ++state) all[state] += table[state];
    each_pair([&](size_t state, size_t p, size_t place) { out[3 * m_ + p].row(i)[place] += table[state]; });
  }

  std::vector<int> sizes_;
  size_t m_, states_ = 1;
  LayerMasks masks_;
  std::vector<Block> blocks_;
  std::vector<std::pair<size_t, size_t>> pairs_;
  std::vector<int> chain_sizes_;
  std::vector<const double*> unary_, memory_, transitions_;
  std::vector<std::vector<double>> own_, cliques_, cliques_out_;
  std::vector<double> together_, together_out_;
  std::vector<double*> unary_out_, memory_out_, transition_out_;
};

}  // namespace

std::unique_ptr<ChainLayout> make_layered_layout(std::vector<int> sizes, const LayerMasks& masks) {
  return std::make_unique<LayeredLayout>(std::move(sizes), masks);
}

}  // namespace accord::tasks
