// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/joint_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/chains/exponentials.hpp"
#include "core/tasks/labeller/joint_kernels.hpp"

namespace accord::tasks {

namespace {

constexpr double no_path = -std::numeric_limits<double>::infinity();

// exp(values - largest); tells the largest. False where there is none, or a finite number lies too far below.
bool exponentiate(double* values, size_t n, double& largest) {
  largest = chains::largest(values, n);
  if (!(largest > no_path && largest < -no_path)) return false;
  if (chains::any_far_below(values, largest, -chains::smallest_exponent, n)) return false;
  chains::exponentiate_below(values, largest, n);
  return true;
}

void spread(const double* from, size_t rows, size_t width, size_t pitch, double* to) {
  for (size_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * width, width, to + row * pitch);
    std::fill_n(to + row * pitch + width, pitch - width, 0.0);
  }
}

}  // namespace

JointSums::JointSums(size_t segments, size_t tags, const std::vector<double>& segment_mask, const std::vector<double>& tag_mask)
    : S_(segments),
      T_(tags),
      pitch_(chains::padded(tags)),
      segment_mask_(segment_mask),
      tag_mask_(tag_mask),
      narrow_(segments, 0),
      used_(segments * segments, 1) {
  for (size_t s = 0; s < S_ && !tag_mask.empty(); ++s) {
    narrow_[s] = 1;
    for (size_t before = 0; before < T_; ++before)
      for (size_t t = 0; t < T_; ++t)
        if (before != t && tag_mask[(before * S_ + s) * T_ + t] != no_path) narrow_[s] = 0;
  }
  for (size_t s = 0; s < S_; ++s)
    if (!narrow_[s]) wide_.push_back(s);
  for (size_t row = 0; row < S_ * S_ && !segment_mask.empty(); ++row) {
    used_[row] = 0;
    for (size_t t = 0; t < T_; ++t)
      if (segment_mask[(row / S_ * T_ + t) * S_ + row % S_] != no_path) used_[row] = 1;
  }
}

bool JointSums::prepare_cliques(const JointBlocks& scores) {
  const size_t phi = S_ * T_ * S_, psi = T_ * S_ * T_;
  const double *segment = scores.cliques[0].data, *tag = scores.cliques[1].data;
  const bool same = clique_source_.size() == phi + psi && std::equal(segment, segment + phi, clique_source_.begin()) &&
                    std::equal(tag, tag + psi, clique_source_.begin() + static_cast<std::ptrdiff_t>(phi));
  if (same) return cliques_good_;
  clique_source_.assign(segment, segment + phi);
  clique_source_.insert(clique_source_.end(), tag, tag + psi);
  segment_cliques_.assign(S_ * S_ * pitch_, no_path);
  tag_cliques_.assign(S_ * T_ * pitch_, no_path);
  for (size_t p = 0; p < S_; ++p)
    for (size_t t = 0; t < T_; ++t)
      for (size_t s = 0; s < S_; ++s) {
        const size_t at = (p * T_ + t) * S_ + s;
        segment_cliques_.data()[(p * S_ + s) * pitch_ + t] = segment[at] + (segment_mask_.empty() ? 0.0 : segment_mask_[at]);
      }
  for (size_t p = 0; p < T_; ++p)
    for (size_t s = 0; s < S_; ++s)
      for (size_t t = 0; t < T_; ++t) {
        if (narrow_[s] && p != t) continue;
        const size_t at = (p * S_ + s) * T_ + t;
        tag_cliques_.data()[(s * T_ + (narrow_[s] ? 0 : p)) * pitch_ + t] = tag[at] + (tag_mask_.empty() ? 0.0 : tag_mask_[at]);
      }
  double segment_shift = 0, tag_shift = 0;
  cliques_good_ = exponentiate(segment_cliques_.data(), segment_cliques_.size(), segment_shift) &&
                  exponentiate(tag_cliques_.data(), tag_cliques_.size(), tag_shift);
  clique_shift_ = segment_shift + tag_shift;
  turned_cliques_.assign(S_ * T_ * pitch_, 0.0);
  for (size_t s : wide_)
    for (size_t p = 0; p < T_; ++p)
      for (size_t t = 0; t < T_; ++t) turned_cliques_.data()[(s * T_ + t) * pitch_ + p] = tag_cliques_.data()[(s * T_ + p) * pitch_ + t];
  return cliques_good_;
}

bool JointSums::fill_tag_table(const double* scores, double* table, double& shift) {
  plain_.resize(T_ * T_);
  shift = 0;
  if (!chains::exponentiate_moderate(scores, plain_.data(), T_ * T_)) {
    plain_.assign(scores, scores + T_ * T_);
    if (!exponentiate(plain_.data(), T_ * T_, shift)) return false;
  }
  spread(plain_.data(), T_, T_, pitch_, table);
  return true;
}

// The pairs of a shared row that have scores, unless one of them is so small that 1 would hide it.
void JointSums::list_pairs(const BlockRows& scores, size_t row) {
  constexpr double smallest_listed = -10, largest_listed = 60;
  std::vector<ListedPair>& list = listed_[row];
  list.clear();
  is_listed_[row] = 1;
  const double* values = scores.data + scores.stride * row;
  for (uint64_t k = scores.starts[row]; k < scores.starts[row + 1]; ++k) {
    const uint32_t column = scores.columns[k];
    const double score = values[column];
    if (!(score >= smallest_listed && score <= largest_listed)) is_listed_[row] = 0;
    list.push_back({static_cast<uint32_t>(column / T_), static_cast<uint32_t>(column % T_), std::expm1(score)});
  }
}

bool JointSums::share_tag_tables(const BlockRows& scores, bool listed) {
  const size_t size = T_ * pitch_;
  size_t rows = tag_versions_.size();
  for (size_t i = 1; i < tokens_; ++i) rows = std::max<size_t>(rows, scores.index[i] + size_t{1});
  if (rows > tag_versions_.size()) {
    tag_versions_.resize(rows, 0);
    tag_shifts_.resize(rows, 0.0);
    listed_.resize(rows);
    is_listed_.resize(rows, 0);
  }
  for (size_t i = 1; i < tokens_; ++i) {
    const size_t row = scores.index[i];
    const bool fresh = tag_versions_[row] != scores.version;
    tag_versions_[row] = scores.version;
    if (fresh) is_listed_[row] = 0;
    if (fresh && listed) list_pairs(scores, row);
    if (is_listed_[row]) {
      lists_[i] = &listed_[row];
      continue;
    }
    if (tag_pairs_.size() < (row + 1) * size) tag_pairs_.resize(rows * size);
    if (fresh && !fill_tag_table(scores.row(i), tag_pairs_.data() + row * size, tag_shifts_[row])) tag_shifts_[row] = -no_path;
    if (tag_shifts_[row] == -no_path) return false;
    shift_ += tag_shifts_[row];
  }
  for (size_t i = 1; i < tokens_; ++i)
    if (!lists_[i]) tag_tables_[i] = tag_pairs_.data() + scores.index[i] * size;
  return true;
}

bool JointSums::prepare_pairs(const JointBlocks& scores, bool listed) {
  segment_shared_ = scores.segment_pair.stride == 0;
  const bool one_table = scores.tag_pair.stride == 0;
  const size_t own_segments = segment_shared_ ? 1 : tokens_, own_tags = one_table ? 1 : tokens_;
  segment_pairs_.resize(own_segments * S_ * S_);
  for (size_t i = segment_shared_ ? 0 : 1; i < own_segments; ++i) {
    double* table = segment_pairs_.data() + i * S_ * S_;
    std::copy_n(scores.segment_pair.row(i), S_ * S_, table);
    double largest = 0;
    if (!exponentiate(table, S_ * S_, largest)) return false;
    shift_ += largest * (segment_shared_ ? static_cast<double>(tokens_ - 1) : 1.0);
  }
  tag_tables_.resize(tokens_);
  lists_.assign(tokens_, nullptr);
  if (scores.tag_pair.index) return share_tag_tables(scores.tag_pair, listed);
  tag_versions_.clear();
  tag_pairs_.resize(own_tags * T_ * pitch_);
  for (size_t i = one_table ? 0 : 1; i < own_tags; ++i) {
    double shift = 0;
    if (!fill_tag_table(scores.tag_pair.row(i), tag_pairs_.data() + i * T_ * pitch_, shift)) return false;
    shift_ += shift * (one_table ? static_cast<double>(tokens_ - 1) : 1.0);
  }
  for (size_t i = 0; i < tokens_; ++i) tag_tables_[i] = tag_pairs_.data() + (one_table ? 0 : i * T_ * pitch_);
  return true;
}

bool JointSums::prepare_local(const JointBlocks& scores, std::span<const JointExtras> extras) {
  local_.resize(tokens_ * S_ * pitch_);
  plain_.resize(S_ * T_);
  for (size_t i = 0; i < tokens_; ++i) {
    const JointExtras& extra = extras[i];
    const double *segment = scores.segment.row(i), *tag = scores.tag.row(i), *joint = scores.joint.row(i);
    for (size_t s = 0; s < S_; ++s) {
      double* row = plain_.data() + s * T_;
      const double alone = segment[s] + (extra.segment_costs ? extra.segment_costs[s] : 0.0);
      for (size_t t = 0; t < T_; ++t) row[t] = joint[s * T_ + t] + alone + tag[t];
      if (extra.tag_costs)
        for (size_t t = 0; t < T_; ++t) row[t] += extra.tag_costs[t];
      for (const double* edge : {extra.start, extra.end})
        if (edge)
          for (size_t t = 0; t < T_; ++t) row[t] += edge[s * T_ + t];
    }
    exponentials_.resize(plain_.size());
    if (chains::exponentiate_moderate(plain_.data(), exponentials_.data(), plain_.size())) {
      plain_.swap(exponentials_);
    } else {
      double largest = 0;
      if (!exponentiate(plain_.data(), plain_.size(), largest)) return false;
      shift_ += largest;
    }
    spread(plain_.data(), S_, T_, pitch_, local_.data() + i * S_ * pitch_);
  }
  return true;
}

bool JointSums::forward() {
  const joint_kernels::Sizes n{S_, T_, pitch_};
  const size_t states = S_ * pitch_;
  forward_.resize(tokens_ * states);
  before_.resize(tokens_ * states);
  scales_.resize(tokens_);
  weights_.resize(states);
  log_partition_ = shift_ + clique_shift_ * static_cast<double>(tokens_ - 1);
  for (size_t i = 0; i < tokens_; ++i) {
    double *here = forward_.data() + i * states, *local = local_.data() + i * states;
    double sum = 0;
    if (i == 0) {
      std::copy_n(local, states, here);
      for (size_t k = 0; k < states; ++k) sum += here[k];
    } else {
      double *before = before_.data() + i * states, *diagonal = weights_.data();
      joint_kernels::step_segments(n, here - states, segment_cliques_.data(), used_.data(), segment_table(i), before);
      const double* pairs = tag_table(i);
      for (size_t t = 0; t < pitch_ && !lists_[i]; ++t) diagonal[t] = t < T_ ? pairs[t * pitch_ + t] : 0.0;
      if (lists_[i]) sum = step_listed(i, before, local, here);
      else sum = joint_kernels::step_tags(n, before, tag_cliques_.data(), narrow_.data(), pairs, diagonal, local, here);
    }
    if (!(sum > 0 && sum < -no_path)) return false;
    scales_[i] = 1 / sum;
    log_partition_ += std::log(sum);
    if (joint_kernels::scale_shares(here, scales_[i], states)) return false;
  }
  return true;
}

// M of a token with a list before it is scaled; returns its sum.
double JointSums::step_listed(size_t token, const double* before, const double* local, double* forward) {
  const double* cliques = tag_cliques_.data();
  for (size_t s = 0; s < S_; ++s) {
    const double *from = before + s * pitch_, *table = cliques + s * T_ * pitch_;
    double* here = forward + s * pitch_;
    if (narrow_[s]) joint_kernels::multiply(here, from, table, 1.0, pitch_);
    else joint_kernels::multiply_table(here, table, from, T_, pitch_);
  }
  for (const ListedPair& pair : *lists_[token]) {
    for (size_t s : wide_) {
      const size_t row = s * pitch_;
      forward[row + pair.tag] += before[row + pair.before] * cliques[(s * T_ + pair.before) * pitch_ + pair.tag] * pair.more;
    }
    if (pair.before != pair.tag) continue;
    for (size_t s = 0; s < S_; ++s)
      if (narrow_[s]) forward[s * pitch_ + pair.tag] *= 1 + pair.more;
  }
  return joint_kernels::weigh(forward, local, S_ * pitch_);
}

// B of a token with a list, and what its listed pairs expect; its cliques of wide s wait for add_outer_products.
void JointSums::back_listed(size_t token, double scale, double* out) {
  const size_t states = S_ * pitch_;
  const double *cliques = tag_cliques_.data(), *turned = turned_cliques_.data(), *weights = weights_.data();
  const double* before = before_.data() + token * states;
  double *reached = reached_.data(), *sums = tag_clique_sums_.data();
  std::copy_n(weights, states, token_weights_.data() + token * states);
  for (size_t s = 0; s < S_; ++s) {
    const size_t row = s * pitch_;
    if (narrow_[s]) joint_kernels::multiply(reached + row, weights + row, cliques + s * T_ * pitch_, 1.0, pitch_);
    else joint_kernels::multiply_table(reached + row, turned + s * T_ * pitch_, weights + row, T_, pitch_);
  }
  for (const ListedPair& pair : *lists_[token]) {
    double expected = 0;
    for (size_t s : wide_) {
      const size_t row = s * pitch_, at = (s * T_ + pair.before) * pitch_ + pair.tag;
      const double value = cliques[at] * weights[row + pair.tag], from = before[row + pair.before];
      reached[row + pair.before] += value * pair.more;
      sums[at] += from * value * pair.more;
      expected += from * value * (1 + pair.more);
    }
    if (pair.before == pair.tag)
      for (size_t s = 0; s < S_; ++s) {
        if (!narrow_[s]) continue;
        reached[s * pitch_ + pair.tag] *= 1 + pair.more;
        expected += before[s * pitch_ + pair.tag] * reached[s * pitch_ + pair.tag];
      }
    out[pair.before * T_ + pair.tag] += scale * expected;
  }
  for (size_t s = 0; s < S_; ++s)
    if (narrow_[s]) chains::add_products(sums + s * T_ * pitch_, before + s * pitch_, reached + s * pitch_, 1.0, pitch_);
}

void JointSums::add_outer_products() {
  constexpr size_t at_once = 64;
  const size_t states = S_ * pitch_;
  outer_sums_.assign(T_ * states, 0.0);
  for (size_t begin = 1; begin < tokens_;) {
    while (begin < tokens_ && !lists_[begin]) ++begin;
    size_t end = begin;
    while (end < tokens_ && end - begin < at_once && lists_[end]) ++end;
    for (size_t s : wide_)
      if (end > begin)
        joint_kernels::add_outer(outer_sums_.data() + s * T_ * pitch_, before_.data() + begin * states + s * pitch_,
                                 token_weights_.data() + begin * states + s * pitch_, end - begin, states, T_, pitch_);
    begin = end;
  }
  for (size_t s : wide_)
    chains::add_products(tag_clique_sums_.data() + s * T_ * pitch_, outer_sums_.data() + s * T_ * pitch_,
                         tag_cliques_.data() + s * T_ * pitch_, 1.0, T_ * pitch_);
}

void JointSums::backward(double scale, const JointBlocks& out) {
  const joint_kernels::Sizes n{S_, T_, pitch_};
  const size_t states = S_ * pitch_;
  backward_.assign(states, 1.0);
  reached_.assign(states, 0.0);
  pair_sums_.resize((T_ + 2) * pitch_);
  double *diagonal = pair_sums_.data() + T_ * pitch_, *diagonal_sums = diagonal + pitch_;
  segment_clique_sums_.assign(S_ * states, 0.0);
  tag_clique_sums_.assign(T_ * states, 0.0);
  token_weights_.resize(tokens_ * states);
  for (size_t i = tokens_; i-- > 0;) {
    const double *forward = forward_.data() + i * states, *local = local_.data() + i * states;
    double *segment = out.segment.row(i), *tag = out.tag.row(i), *joint = out.joint.row(i);
    joint_kernels::multiply(weights_.data(), forward, backward_.data(), scale, states);
    for (size_t s = 0; s < S_; ++s) {
      const double* expected = weights_.data() + s * pitch_;
      joint_kernels::add_scaled(tag, expected, 1.0, T_);
      joint_kernels::add_scaled(joint + s * T_, expected, 1.0, T_);
      for (size_t t = 0; t < T_; ++t) segment[s] += expected[t];
    }
    if (i == 0) break;
    joint_kernels::multiply(weights_.data(), local, backward_.data(), scales_[i], states);
    if (lists_[i]) {
      back_listed(i, scale, out.tag_pair.row(i));
      backward_.assign(states, 0.0);
      joint_kernels::back_segments(n, reached_.data(), forward - states, segment_cliques_.data(), used_.data(), segment_table(i),
                                   backward_.data(), scale, out.segment_pair.row(i), segment_clique_sums_.data());
      continue;
    }
    const double* pairs = tag_table(i);
    for (size_t t = 0; t < pitch_; ++t) diagonal[t] = t < T_ ? pairs[t * pitch_ + t] : 0.0;
    std::fill_n(pair_sums_.data(), T_ * pitch_, 0.0);
    std::fill_n(diagonal_sums, pitch_, 0.0);
    joint_kernels::back_tags(n, weights_.data(), before_.data() + i * states, tag_cliques_.data(), narrow_.data(), pairs, diagonal,
                             reached_.data(), pair_sums_.data(), diagonal_sums, tag_clique_sums_.data());
    double* own = out.tag_pair.row(i);
    for (size_t p = 0; p < T_; ++p) {
      joint_kernels::add_scaled(own + p * T_, pair_sums_.data() + p * pitch_, scale, T_);
      own[p * T_ + p] += scale * diagonal_sums[p];
    }
    backward_.assign(states, 0.0);
    joint_kernels::back_segments(n, reached_.data(), forward - states, segment_cliques_.data(), used_.data(), segment_table(i),
                                 backward_.data(), scale, out.segment_pair.row(i), segment_clique_sums_.data());
  }
  if (std::any_of(lists_.begin(), lists_.end(), [](const auto* list) { return list != nullptr; })) add_outer_products();
}

void JointSums::add_cliques(double scale, const JointBlocks& out) const {
  double *segment = out.cliques[0].data, *tag = out.cliques[1].data;
  for (size_t p = 0; p < S_; ++p)
    for (size_t t = 0; t < T_; ++t)
      for (size_t s = 0; s < S_; ++s) segment[(p * T_ + t) * S_ + s] += scale * segment_clique_sums_.data()[(p * S_ + s) * pitch_ + t];
  for (size_t p = 0; p < T_; ++p)
    for (size_t s = 0; s < S_; ++s)
      for (size_t t = 0; t < T_; ++t)
        if (!narrow_[s] || p == t)
          tag[(p * S_ + s) * T_ + t] += scale * tag_clique_sums_.data()[(s * T_ + (narrow_[s] ? 0 : p)) * pitch_ + t];
}

bool JointSums::expectations(const JointBlocks& scores, std::span<const JointExtras> extras, double scale, const JointBlocks& out,
                             double& value) {
  tokens_ = extras.size();
  shift_ = 0;
  if (tokens_ == 0 || !prepare_cliques(scores) || !prepare_pairs(scores, out.tag_pair.columns != nullptr) ||
      !prepare_local(scores, extras) || !forward())
    return false;
  value = log_partition_;
  if (value == no_path) return false;
  backward(scale, out);
  add_cliques(scale, out);
  return true;
}

}  // namespace accord::tasks
