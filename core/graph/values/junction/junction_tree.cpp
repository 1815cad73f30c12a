// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/junction/junction_tree.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/graph/scale.hpp"
#include "core/random.hpp"

namespace accord::graph {

namespace {

// log of the sum of exponentials, or the maximum, of a few neighbouring numbers.
double joined(std::span<const double> scores, bool maximum) {
  const double top = *std::max_element(scores.begin(), scores.end());
  if (maximum || top == impossible) return top;
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - top);
  return top + std::log(sum);
}

// Calls visit(start, entry) for every run of the last axis: `start` is the first place of the run in a table of this shape, `entry` the
// place with the given strides.
template <typename Visit>
void for_each_run(std::span<const size_t> shape, std::span<const size_t> strides, size_t entries, std::vector<size_t>& counter,
                  Visit&& visit) {
  counter.assign(shape.size(), 0);
  const size_t last = shape.size() - 1;
  size_t entry = 0;
  for (size_t start = 0; start < entries; start += shape[last]) {
    visit(start, entry);
    for (size_t k = last; k-- > 0;) {
      entry += strides[k];
      if (++counter[k] < shape[k]) break;
      entry -= strides[k] * shape[k];
      counter[k] = 0;
    }
  }
}

}  // namespace

JunctionTree::JunctionTree(const ValueGraph& graph, const EliminationOrder& order)
    : graph_(graph),
      order_(order),
      tables_(graph.variables()),
      children_(graph.variables()),
      up_(graph.variables()),
      down_(graph.variables()) {
  for (size_t t = 0; t < graph.tables().size(); ++t) {
    int32_t first = static_cast<int32_t>(graph.variables());
    for (const int32_t variable : graph.tables()[t].scope) first = std::min(first, order.places[static_cast<size_t>(variable)]);
    tables_[static_cast<size_t>(first)].push_back(t);
  }
  for (size_t place = 0; place < graph.variables(); ++place) {
    const auto& separator = order.separators[place];
    if (!separator.empty()) children_[static_cast<size_t>(order.places[static_cast<size_t>(separator.front())])].push_back(place);
  }
}

// How the axes of the current bucket run through a table over some of its variables.
std::vector<size_t> JunctionTree::strides_in(std::span<const int32_t> variables, std::span<const size_t> strides) const {
  std::vector<size_t> out(scope_.size(), 0);
  for (size_t k = 0; k < scope_.size(); ++k) {
    const auto found = std::find(variables.begin(), variables.end(), scope_[k]);
    if (found != variables.end()) out[k] = strides[static_cast<size_t>(found - variables.begin())];
  }
  return out;
}

// Messages are laid out as the separator they are over, its last variable fastest.
std::vector<size_t> JunctionTree::strides_of_message(size_t child) const {
  const std::span<const int32_t> separator = order_.separators[child];
  std::vector<size_t> strides(separator.size());
  size_t entries = 1;
  for (size_t k = separator.size(); k-- > 0;) {
    strides[k] = entries;
    entries *= graph_.values(static_cast<size_t>(separator[k]));
  }
  return strides_in(separator, strides);
}

size_t JunctionTree::enter(size_t place) {
  scope_ = order_.separators[place];
  scope_.push_back(order_.order[place]);
  shape_.clear();
  size_t entries = 1;
  for (const int32_t variable : scope_) {
    shape_.push_back(graph_.values(static_cast<size_t>(variable)));
    entries *= shape_.back();
  }
  return entries;
}

void JunctionTree::add(std::span<const double> scores, const std::vector<size_t>& strides) {
  const size_t count = shape_.back(), step = strides.back();
  for_each_run(shape_, strides, bucket_.size(), counter_, [&](size_t start, size_t entry) {
    for (size_t a = 0; a < count; ++a) bucket_[start + a] += scores[entry + a * step];
  });
}

void JunctionTree::fill(size_t place) {
  const size_t entries = enter(place);
  const std::span<const double> own = graph_.scores(static_cast<size_t>(scope_.back()));
  bucket_.resize(entries);
  for (size_t start = 0; start < entries; start += own.size())
    std::copy(own.begin(), own.end(), bucket_.begin() + static_cast<std::ptrdiff_t>(start));
  for (const size_t t : tables_[place]) add(*graph_.tables()[t].scores, strides_in(graph_.tables()[t].scope, graph_.tables()[t].strides));
  for (const size_t child : children_[place]) add(up_[child], strides_of_message(child));
}

bool JunctionTree::gather(bool maximum, const Stop& stop) {
  CarefulSum total;
  total.add(graph_.constant());
  for (size_t place = 0; place < order_.order.size(); ++place) {
    if (asked_to(stop)) return false;
    fill(place);
    const size_t count = shape_.back();
    up_[place].resize(bucket_.size() / count);
    for (size_t start = 0; start < bucket_.size(); start += count)
      up_[place][start / count] = joined(std::span(bucket_).subspan(start, count), maximum);
    if (order_.separators[place].empty()) total.add(up_[place][0]);
  }
  total_ = total.value();
  return true;
}

ValueSums JunctionTree::sums(const Stop& stop, std::span<const size_t> wanted) {
  ValueSums result;
  for (const size_t t : wanted) result.tables.emplace_back(t < graph_.tables().size() ? graph_.tables()[t].tuples() : 0, 0.0);
  if (!gather(false, stop)) return result;
  result.log_partition = total_;
  result.marginals.assign(graph_.all_values(), 0.0);
  for (size_t place = order_.order.size(); place-- > 0 && total_ > impossible;) {
    if (asked_to(stop)) return result;
    scatter(place, result, wanted);
  }
  result.finished = true;
  return result;
}

// The bucket with what comes back from its receiver: logs of joint probabilities of its variables, up to a constant.
void JunctionTree::scatter(size_t place, ValueSums& sums, std::span<const size_t> wanted) {
  fill(place);
  const size_t count = shape_.back();
  if (!order_.separators[place].empty()) {
    for (size_t start = 0; start < bucket_.size(); start += count)
      for (size_t a = 0; a < count; ++a) bucket_[start + a] += down_[place][start / count];
  }
  for (const size_t child : children_[place]) send_back(child);
  const double all = joined(bucket_, false);
  for (size_t k = 0; k < wanted.size(); ++k)
    if (std::find(tables_[place].begin(), tables_[place].end(), wanted[k]) != tables_[place].end())
      add_table_sums(wanted[k], all, sums.tables[k]);
  double* marginals = sums.marginals.data() + graph_.first(static_cast<size_t>(scope_.back()));
  for (size_t start = 0; start < bucket_.size(); start += count) {
    const double given = joined(std::span(bucket_).subspan(start, count), false);
    for (size_t a = 0; a < count && given > impossible; ++a) {
      const double probability = std::exp(bucket_[start + a] - all);
      if (probability == 0) continue;
      marginals[a] += probability;
      sums.entropy += probability * (given - bucket_[start + a]);
    }
  }
  for (size_t a = 0; a < count; ++a) marginals[a] = std::min(1.0, marginals[a]);
  down_[place].clear();
  down_[place].shrink_to_fit();
}

void JunctionTree::add_table_sums(size_t table, double all, std::vector<double>& out) {
  const std::vector<size_t> strides = strides_in(graph_.tables()[table].scope, graph_.tables()[table].strides);
  const size_t count = shape_.back(), step = strides.back();
  for_each_run(shape_, strides, bucket_.size(), counter_, [&](size_t start, size_t entry) {
    for (size_t a = 0; a < count; ++a) out[entry + a * step] += std::exp(bucket_[start + a] - all);
  });
}

void JunctionTree::send_back(size_t child) {
  const std::vector<size_t> strides = strides_of_message(child);
  const size_t count = shape_.back(), step = strides.back();
  std::vector<double>& message = down_[child];
  tops_.assign(up_[child].size(), impossible);
  message.assign(up_[child].size(), 0.0);
  for_each_run(shape_, strides, bucket_.size(), counter_, [&](size_t start, size_t entry) {
    for (size_t a = 0; a < count; ++a) {
      double& top = tops_[entry + a * step];
      top = std::max(top, bucket_[start + a]);
    }
  });
  for_each_run(shape_, strides, bucket_.size(), counter_, [&](size_t start, size_t entry) {
    for (size_t a = 0; a < count; ++a)
      if (bucket_[start + a] > impossible) message[entry + a * step] += std::exp(bucket_[start + a] - tops_[entry + a * step]);
  });
  for (size_t e = 0; e < message.size(); ++e)
    message[e] = tops_[e] == impossible ? impossible : tops_[e] + std::log(message[e]) - up_[child][e];
}

BestSetting JunctionTree::best(const Stop& stop) {
  BestSetting result;
  if (!gather(true, stop)) return result;
  result.finished = true;
  if (total_ == impossible) return result;
  result.setting.assign(graph_.variables(), 0);
  for (size_t place = order_.order.size(); place-- > 0;) choose(place, result.setting);
  result.value = graph_.value(result.setting);
  return result;
}

std::vector<BestSetting> JunctionTree::ranked(size_t count, const Stop& stop) {
  struct Candidate {  // the best of the settings that are as a known one before a place in the order, and have another value there
    double value;
    size_t known, place;
    int32_t other;
    bool operator<(const Candidate& candidate) const {
      return value != candidate.value ? value < candidate.value : known > candidate.known;
    }
  };
  std::vector<BestSetting> found;
  if (count == 0 || !gather(true, stop) || total_ == impossible) return found;
  std::priority_queue<Candidate> open;
  open.push({total_, 0, order_.order.size(), 0});
  while (!open.empty() && found.size() < count && !asked_to(stop)) {
    const Candidate next = open.top();
    open.pop();
    std::vector<int32_t> setting(graph_.variables(), 0);
    if (!found.empty()) setting = found[next.known].setting;
    if (next.place < order_.order.size()) setting[static_cast<size_t>(order_.order[next.place])] = next.other;
    for (size_t place = next.place; place-- > 0;) {
      choose(place, setting);
      const auto chosen = static_cast<size_t>(setting[static_cast<size_t>(scope_.back())]);
      for (size_t a = 0; a < bucket_.size(); ++a)
        if (a != chosen && bucket_[a] > impossible)
          open.push({next.value - (bucket_[chosen] - bucket_[a]), found.size(), place, static_cast<int32_t>(a)});
    }
    const double value = graph_.value(setting);
    found.push_back({true, value, std::move(setting)});
  }
  return found;
}

void JunctionTree::weigh(size_t place, const std::vector<int32_t>& setting) {
  enter(place);
  const auto variable = static_cast<size_t>(scope_.back());
  const std::span<const double> own = graph_.scores(variable);
  bucket_.assign(own.begin(), own.end());
  const auto add_row = [&](std::span<const double> scores, const std::vector<size_t>& strides) {
    size_t entry = 0;
    for (size_t k = 0; k + 1 < scope_.size(); ++k) entry += strides[k] * static_cast<size_t>(setting[static_cast<size_t>(scope_[k])]);
    for (size_t a = 0; a < bucket_.size(); ++a) bucket_[a] += scores[entry + a * strides.back()];
  };
  for (const size_t t : tables_[place])
    add_row(*graph_.tables()[t].scores, strides_in(graph_.tables()[t].scope, graph_.tables()[t].strides));
  for (const size_t child : children_[place]) add_row(up_[child], strides_of_message(child));
}

// The best value of a variable, given those of its separator; the first of equals.
void JunctionTree::choose(size_t place, std::vector<int32_t>& setting) {
  weigh(place, setting);
  setting[static_cast<size_t>(scope_.back())] = static_cast<int32_t>(std::max_element(bucket_.begin(), bucket_.end()) - bucket_.begin());
}

std::vector<std::vector<int32_t>> JunctionTree::samples(size_t count, uint64_t seed, const Stop& stop) {
  std::vector<std::vector<int32_t>> drawn;
  if (!gather(false, stop) || total_ == impossible) return drawn;
  for (size_t n = 0; n < count && !asked_to(stop); ++n) {
    RandomStream random(seed, n);
    std::vector<int32_t> setting(graph_.variables(), 0);
    for (size_t place = order_.order.size(); place-- > 0;) {
      weigh(place, setting);
      const double top = *std::max_element(bucket_.begin(), bucket_.end());
      double sum = 0;
      for (double& score : bucket_) sum += score = std::exp(score - top);
      double left = random.uniform() * sum;
      size_t value = 0;
      while (value + 1 < bucket_.size() && (left >= bucket_[value] || bucket_[value] == 0)) left -= bucket_[value++];
      while (bucket_[value] == 0) --value;  // rounding may lead past the last value that is possible
      setting[static_cast<size_t>(scope_.back())] = static_cast<int32_t>(value);
    }
    drawn.push_back(std::move(setting));
  }
  return drawn;
}

}  // namespace accord::graph
