// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/trees/tree_factor.hpp"

#include <algorithm>

#include "core/trees/shape.hpp"

namespace accord::graph {

TreeFactor::TreeFactor(int words, std::vector<std::pair<int, int>> arcs, bool projective, bool single_root, Flow flow)
    : arcs_(words, std::move(arcs)),
      projective_(projective),
      single_root_(single_root),
      flow_(flow),
      space_(trees::make_tree_space(projective, single_root)) {
  const size_t width = static_cast<size_t>(words) + 1;
  heads_.assign(width, 0);
  for (int arc = 0; arc < arcs_.size(); ++arc)
    cells_.push_back(static_cast<size_t>(arcs_.head(arc)) * width + static_cast<size_t>(arcs_.dependent(arc)));
}

trees::ArcScores TreeFactor::spread(std::span<const double> scores) {
  if (dense_.empty()) dense_.assign(heads_.size() * heads_.size(), impossible);
  for (size_t arc = 0; arc < cells_.size(); ++arc) dense_[cells_[arc]] = scores[arc];
  return {dense_.data(), arcs_.words()};
}

double TreeFactor::find_tree(std::span<const double> scores) {
  if (!projective_ && arcs_.words() > trees::dense_words) return find_long_tree(scores);
  return space_->argmax(spread(scores), heads_);
}

double TreeFactor::find_long_tree(std::span<const double> scores) {
  if (starts_.empty()) {
    starts_.assign(2, 0);
    for (int word = 1; word <= arcs_.words(); ++word) {
      for (const int arc : arcs_.entering(word)) order_.push_back(arc), arc_heads_.push_back(arcs_.head(arc));
      starts_.push_back(static_cast<int32_t>(order_.size()));
    }
    ordered_.resize(order_.size());
  }
  for (size_t i = 0; i < order_.size(); ++i) ordered_[i] = scores[static_cast<size_t>(order_[i])];
  return sparse_.solve(arcs_.words(), starts_, arc_heads_, ordered_, single_root_, heads_);
}

double TreeFactor::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  return maximize_above(impossible, scores, configuration);
}

double TreeFactor::maximize_above(double level, std::span<const double> scores, std::span<uint8_t> configuration) {
  const double best = find_tree(scores);
  if (best <= level) return best;
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  for (int word = 1; word <= arcs_.words(); ++word)
    configuration[static_cast<size_t>(arcs_.find(heads_[static_cast<size_t>(word)], word))] = 1;
  return best;
}

double TreeFactor::score(std::span<const uint8_t> configuration) {
  std::fill(heads_.begin(), heads_.end(), -1);
  for (int arc = 0; arc < arcs_.size(); ++arc) {
    if (!configuration[static_cast<size_t>(arc)]) continue;
    int32_t& head = heads_[static_cast<size_t>(arcs_.dependent(arc))];
    if (head >= 0) return impossible;
    head = arcs_.head(arc);
  }
  // A word left without a head keeps -1, which no tree has.
  if (!trees::is_tree(heads_, single_root_)) return impossible;
  return !projective_ || trees::is_projective(heads_) ? 0.0 : impossible;
}

double TreeFactor::marginals(std::span<const double> scores, std::span<double> out) {
  const trees::ArcScores dense = spread(scores);
  sums_.resize(dense_.size());
  const double log_partition = space_->marginals(dense, sums_);
  for (size_t arc = 0; arc < cells_.size(); ++arc) out[arc] = sums_[cells_[arc]];
  return log_partition;
}

// An arc of the best tree is worth the best with it, and any other the best without it: one search each remains.
double TreeFactor::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double best = space_->argmax(spread(scores), heads_);
  std::fill(zero.begin(), zero.end(), best);
  std::fill(one.begin(), one.end(), best);
  if (best == impossible) return impossible;
  const std::vector<int32_t> chosen = heads_;
  for (size_t arc = 0; arc < cells_.size(); ++arc) {
    const int number = static_cast<int>(arc);
    const bool on = chosen[static_cast<size_t>(arcs_.dependent(number))] == arcs_.head(number);
    if (on) zero[arc] = best_without(arc);
    else one[arc] = best_with(scores, arc);
  }
  return best;
}

double TreeFactor::best_without(size_t arc) {
  const double score = std::exchange(dense_[cells_[arc]], impossible);
  const double best = space_->argmax({dense_.data(), arcs_.words()}, heads_);
  dense_[cells_[arc]] = score;
  return best;
}

double TreeFactor::best_with(std::span<const double> scores, size_t arc) {
  const std::span<const int> rivals = arcs_.entering(arcs_.dependent(static_cast<int>(arc)));
  for (const int rival : rivals)
    if (rival != static_cast<int>(arc)) dense_[cells_[static_cast<size_t>(rival)]] = impossible;
  const double best = space_->argmax({dense_.data(), arcs_.words()}, heads_);
  for (const int rival : rivals) dense_[cells_[static_cast<size_t>(rival)]] = scores[static_cast<size_t>(rival)];
  return best;
}

void TreeFactor::rows(RowSink& sink) {
  emit_one_head_rows(sink, arcs_);
  if (single_root_) emit_single_root_row(sink, arcs_);
  if (projective_) emit_projective_rows(sink, arcs_, false);
  else if (flow_ == Flow::single_commodity) emit_single_commodity_rows(sink, arcs_);
  else emit_multi_commodity_rows(sink, arcs_);
}

}  // namespace accord::graph
