// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/values/sparse_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/graph/factors/values/exclusive_values.hpp"
#include "core/graph/log_domain.hpp"
#include "core/graph/row_builder.hpp"
#include "core/graph/score_table.hpp"

namespace accord::graph {

namespace {

struct LargerOf {
  static double add(double a, double b) { return std::max(a, b); }
};

struct SumOf {
  static double add(double a, double b) { return log_add(a, b); }
};

}  // namespace

SparseTable::SparseTable(const std::vector<int>& values, std::span<const int32_t> tuples, std::span<const double> scores, double otherwise)
    : otherwise_(otherwise) {
  if (values.empty()) throw std::invalid_argument("a table needs at least one variable");
  double all = 1;
  for (const int count : values) {
    if (count < 1) throw std::invalid_argument("every variable of a table needs a value");
    values_.push_back(static_cast<size_t>(count));
    first_.push_back(size_);
    size_ += static_cast<size_t>(count);
    all *= count;
  }
  check_score_table(scores, scores.size(), "table");
  check_score_table({&otherwise_, 1}, 1, "default");
  if (tuples.size() != scores.size() * values.size()) throw std::invalid_argument("every listed tuple needs a score");
  read(tuples, scores);
  find_prefixes();
  range_ = range_of(scores_);
  if (otherwise_ == impossible || static_cast<double>(scores_.size()) >= all) return;
  const bool none = std::all_of(scores_.begin(), scores_.end(), [](double score) { return score == impossible; });
  range_ = none ? OwnRange{otherwise_, otherwise_} : OwnRange{std::min(range_.lowest, otherwise_), std::max(range_.highest, otherwise_)};
}

// The tuples in lexicographic order.
void SparseTable::read(std::span<const int32_t> tuples, std::span<const double> scores) {
  const size_t arity = values_.size();
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto at = [&](size_t t) { return tuples.subspan(t * arity, arity); };
  const auto less = [&](size_t a, size_t b) { return std::ranges::lexicographical_compare(at(a), at(b)); };
  std::sort(order.begin(), order.end(), less);
  for (size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && !less(order[k - 1], order[k])) throw std::invalid_argument("a tuple stands twice in one table");
    for (size_t i = 0; i < arity; ++i) {
      const int32_t value = at(order[k])[i];
      if (value < 0 || static_cast<size_t>(value) >= values_[i])
        throw std::invalid_argument("variable " + std::to_string(i) + " of a table has no value " + std::to_string(value));
      tuples_.push_back(value);
    }
    scores_.push_back(scores[order[k]]);
  }
}

void SparseTable::find_prefixes() {
  if (otherwise_ == impossible) return;
  prefixes_.push_back({0, 0, scores_.size(), {}});
  for (size_t p = 0; p < prefixes_.size(); ++p) {
    const auto [depth, begin, end, unused] = prefixes_[p];
    std::vector<int32_t> free;
    int32_t next = 0;
    for (size_t from = begin, to = begin; from < end; from = to) {
      const int32_t value = tuple(from)[depth];
      for (; next < value; ++next) free.push_back(next);
      ++next;
      while (to < end && tuple(to)[depth] == value) ++to;
      if (depth + 1 < values_.size()) prefixes_.push_back({depth + 1, from, to, {}});
    }
    for (; static_cast<size_t>(next) < values_[depth]; ++next) free.push_back(next);
    prefixes_[p].free = std::move(free);
  }
}

double SparseTable::total(size_t t, size_t depth, std::span<const double> scores) const {
  double sum = 0;
  for (size_t k = 0; k < depth; ++k) sum += scores[place(k, tuple(t)[k])];
  return sum;
}

template <typename Sum>
double SparseTable::gather(std::span<const double> scores, std::span<double> out) {
  const size_t arity = values_.size();
  std::fill(out.begin(), out.end(), impossible);
  std::vector<double> alone(arity, impossible);  // of each variable: the total of its values
  for (size_t k = 0; k < arity; ++k)
    for (size_t a = 0; a < values_[k]; ++a) alone[k] = Sum::add(alone[k], scores[first_[k] + a]);
  after_.assign(arity + 1, 0.0);
  for (size_t k = arity; k-- > 0;) after_[k] = after_[k + 1] + alone[k];
  loose_.assign(arity + 1, impossible);
  double all = impossible;
  const auto give = [&](size_t t, size_t depth, double mass) {
    for (size_t k = 0; k < depth; ++k) out[place(k, tuple(t)[k])] = Sum::add(out[place(k, tuple(t)[k])], mass);
    all = Sum::add(all, mass);
  };
  for (size_t t = 0; t < scores_.size(); ++t)
    if (const double mass = total(t, arity, scores) + scores_[t]; mass > impossible) give(t, arity, mass);
  for (const Prefix& prefix : prefixes_) {
    const double before = total(prefix.begin, prefix.depth, scores) + otherwise_ + after_[prefix.depth + 1];
    double mass = impossible;
    for (const int32_t value : prefix.free) {
      const double here = before + scores[place(prefix.depth, value)];
      out[place(prefix.depth, value)] = Sum::add(out[place(prefix.depth, value)], here);
      mass = Sum::add(mass, here);
    }
    if (mass == impossible) continue;
    give(prefix.begin, prefix.depth, mass);
    loose_[prefix.depth + 1] = Sum::add(loose_[prefix.depth + 1], mass);
  }
  for (size_t k = 0; k < arity; ++k) {
    if (k > 0) loose_[k] = Sum::add(loose_[k], loose_[k - 1]);
    for (size_t a = 0; a < values_[k] && loose_[k] > impossible; ++a)
      out[first_[k] + a] = Sum::add(out[first_[k] + a], loose_[k] + scores[first_[k] + a] - alone[k]);
  }
  return all;
}

double SparseTable::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const size_t arity = values_.size();
  const auto best_value = [&](size_t k) {
    const auto run = scores.subspan(first_[k], values_[k]);
    return static_cast<int32_t>(std::max_element(run.begin(), run.end()) - run.begin());
  };
  after_.assign(arity + 1, 0.0);
  for (size_t k = arity; k-- > 0;) after_[k] = after_[k + 1] + scores[place(k, best_value(k))];
  double best = impossible;
  size_t from = 0, depth = arity;  // the best so far: the first values of a tuple, then `value`, then the best of each variable
  int32_t value = 0;
  for (size_t t = 0; t < scores_.size(); ++t)
    if (const double sum = total(t, arity, scores) + scores_[t]; sum > best) best = sum, from = t;
  for (const Prefix& prefix : prefixes_) {
    const double before = total(prefix.begin, prefix.depth, scores) + otherwise_ + after_[prefix.depth + 1];
    for (const int32_t free : prefix.free)
      if (const double sum = before + scores[place(prefix.depth, free)]; sum > best)
        best = sum, from = prefix.begin, depth = prefix.depth, value = free;
  }
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  for (size_t k = 0; k < arity && best > impossible; ++k)
    configuration[place(k, k < depth ? tuple(from)[k] : k == depth ? value : best_value(k))] = 1;
  return best;
}

double SparseTable::score(std::span<const uint8_t> configuration) {
  size_t begin = 0, end = scores_.size();
  for (size_t k = 0; k < values_.size(); ++k) {
    const size_t chosen = only_value(configuration.subspan(first_[k], values_[k]));
    if (chosen == no_value) return impossible;
    const auto value = static_cast<int32_t>(chosen);
    const auto partition = [&](size_t from, auto&& before) {  // the first tuple from there on that is not before
      size_t low = from, high = end;
      while (low < high) {
        const size_t middle = (low + high) / 2;
        if (before(tuple(middle)[k])) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    begin = partition(begin, [&](int32_t other) { return other < value; });
    end = partition(begin, [&](int32_t other) { return other <= value; });
  }
  return begin < end ? scores_[begin] : otherwise_;
}

double SparseTable::log_marginals(std::span<const double> scores, std::span<double> out) { return gather<SumOf>(scores, out); }

double SparseTable::marginals(std::span<const double> scores, std::span<double> out) {
  const double all = gather<SumOf>(scores, out);
  for (double& mass : out) mass = all == impossible ? 0.0 : std::min(1.0, std::exp(mass - all));
  return all;
}

double SparseTable::expected_own(std::span<const double> scores) {
  mass_.resize(size_);
  const double all = gather<SumOf>(scores, mass_);
  if (all == impossible) return 0;
  double expected = 0, listed = 0;
  for (size_t t = 0; t < scores_.size(); ++t) {
    if (scores_[t] == impossible) continue;
    const double probability = std::exp(total(t, values_.size(), scores) + scores_[t] - all);
    expected += probability * scores_[t];
    listed += probability;
  }
  return otherwise_ == impossible ? expected : expected + std::max(0.0, 1 - listed) * otherwise_;
}

double SparseTable::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double best = gather<LargerOf>(scores, one);
  for (size_t k = 0; k < values_.size(); ++k) best_of_others(one.subspan(first_[k], values_[k]), zero.subspan(first_[k], values_[k]));
  return best;
}

void SparseTable::rows(RowSink& sink) {
  const size_t arity = values_.size();
  std::vector<int> all;
  std::vector<std::vector<int>> with(size_), loose(arity);  // loose[k]: regions in which variable k may be anything
  for (size_t t = 0; t < scores_.size(); ++t) {
    if (scores_[t] == impossible) continue;
    all.push_back(sink.column(scores_[t], false));
    for (size_t k = 0; k < arity; ++k) with[place(k, tuple(t)[k])].push_back(all.back());
  }
  for (const Prefix& prefix : prefixes_)
    for (const int32_t value : prefix.free) {
      all.push_back(sink.column(otherwise_, false));
      for (size_t k = 0; k < prefix.depth; ++k) with[place(k, tuple(prefix.begin)[k])].push_back(all.back());
      with[place(prefix.depth, value)].push_back(all.back());
      for (size_t k = prefix.depth + 1; k < arity; ++k) loose[k].push_back(all.back());
    }
  RowBuilder row(sink);
  row.add(all, 1).equals(1);
  for (size_t k = 0; k < arity; ++k) {
    std::vector<int> shares;  // of the values of a variable in the regions that leave it open
    for (size_t a = 0; a < values_[k] && !loose[k].empty(); ++a) {
      shares.push_back(sink.column(0, false));
      with[first_[k] + a].push_back(shares.back());
    }
    if (!shares.empty()) row.add(loose[k], 1).add(shares, -1).equals(0);
  }
  for (size_t place = 0; place < size_; ++place) row.add(with[place], 1).add(static_cast<int>(place), -1).equals(0);
}

}  // namespace accord::graph
