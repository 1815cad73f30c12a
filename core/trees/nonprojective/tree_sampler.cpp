// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/tree_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include "core/trees/space.hpp"

namespace accord::trees {

namespace {

// First position at which the running sum passes uniform; the last possible one when rounding keeps it below.
int pick(const std::vector<double>& probability, double uniform) {
  int chosen = -1;
  double running = 0.0;
  for (std::size_t i = 0; i < probability.size(); ++i) {
    if (probability[i] <= 0.0) continue;
    chosen = static_cast<int>(i);
    running += probability[i];
    if (running > uniform) break;
  }
  return chosen;
}

}  // namespace

template <class Number>
void SequentialSampler<Number>::prepare(ArcScores scores) {
  words_ = scores.words;
  weights_.fill(scores);
  shares_.assign(scores.width() * scores.width(), Number(0.0));
  vector_.assign(scores.width(), Number(0.0));
  probability_.assign(scores.width(), 0.0);
  std::size_t depths = 1;
  for (int size = words_; size > 1; size -= size / 2) ++depths;
  levels_.resize(std::max(levels_.size(), depths));
}

template <class Number>
bool SequentialSampler<Number>::draw(RandomStream& random, std::span<int32_t> heads) {
  random_ = &random;
  heads_ = heads;
  heads_[0] = -1;
  removed_.clear();
  drawn_ = 0;
  log_tree_ = 0.0;
  if (words_ == 0) return true;
  if (weights_.total_shift == kForbidden) return false;
  levels_[0].graph = weights_.arcs;
  levels_[0].graph.insert(levels_[0].graph.end(), weights_.root.begin(), weights_.root.end());
  return draw_range(1, words_, 0);
}

template <class Number>
bool SequentialSampler<Number>::draw_range(int first, int size, std::size_t depth) {
  if (size == 1) {
    if (drawn_ == 0) {
      log_tree_ += log_of(levels_[depth].graph[1]);
      if (!(log_tree_ > MatrixTree::kTrusted) && sizeof(Number) == sizeof(double)) return false;
    }
    return draw_head(first);
  }
  if (!draw_half(first, size, depth, true)) return false;
  replace_columns(levels_[depth].graph, first, size, size / 2, size);
  return draw_half(first, size, depth, false);
}

// Removes one half of the range and draws the heads of the other.
template <class Number>
bool SequentialSampler<Number>::draw_half(int first, int size, std::size_t depth, bool upper) {
  const int half = size / 2;
  const std::size_t removed_before = removed_.size();
  std::vector<Number>& work = levels_[depth].work;
  work = levels_[depth].graph;
  if (!remove(work, first, size, upper ? 0 : half, upper ? half : size, !upper)) return false;
  const int from = upper ? half : 0;
  const int kept = upper ? size - half : half;
  std::vector<Number>& child = levels_[depth + 1].graph;
  child.clear();
  for (int row = from; row < from + kept; ++row) {
    const Number* source = work.data() + static_cast<std::ptrdiff_t>(row) * size + from;
    child.insert(child.end(), source, source + kept);
  }
  const Number* root = work.data() + static_cast<std::ptrdiff_t>(size) * size + from;
  child.insert(child.end(), root, root + kept);
  const bool drawn = draw_range(first + from, kept, depth + 1);
  removed_.resize(removed_before);
  return drawn;
}

// Removes the words at [from, to) of the range, backwards or not, and keeps their redirection shares.
template <class Number>
bool SequentialSampler<Number>::remove(std::vector<Number>& work, int first, int size, int from, int to, bool backwards) {
  const Graph<Number> graph{work.data(), size, work.data() + static_cast<std::ptrdiff_t>(size) * size, size};
  const auto gather = [this](Number entering) {
    if (drawn_ == 0) log_tree_ += log_of(entering);
  };
  if (!NodeRemoval<Number>::run(graph, from, to, backwards, false, gather)) return false;
  for (int step = 0; step < to - from; ++step) {
    const int k = backwards ? to - 1 - step : from + step;
    const int left_from = backwards ? 0 : k + 1;
    const int left_to = backwards ? k : size;
    Number* shares = shares_of(first + k);
    shares[0] = graph.root[k];
    for (int i = left_from; i < left_to; ++i) shares[first + i] = graph.row(i)[k];
    removed_.push_back({first + k, first + left_from, first + left_to});
  }
  return true;
}

// All other words are removed: escape probabilities by going back through the removals, then one draw.
template <class Number>
bool SequentialSampler<Number>::draw_head(int word) {
  vector_[0] = Number(1.0);
  vector_[index(word)] = Number(0.0);
  for (auto removal = removed_.rbegin(); removal != removed_.rend(); ++removal) {
    const Number* shares = shares_of(removal->word);
    vector_[index(removal->word)] = shares[0] + dot(shares + removal->from, vector_.data() + removal->from, removal->to - removal->from);
  }
  Number total = weights_.root[index(word) - 1];
  for (int head = 1; head <= words_; ++head) {
    const Number weight = weights_.arcs[index(head - 1) * index(words_) + index(word) - 1];
    vector_[index(head)] = vector_[index(head)] * weight;
    total += vector_[index(head)];
  }
  vector_[0] = weights_.root[index(word) - 1];
  if (is_zero(total) || !std::isfinite(log_of(total))) return false;
  for (std::size_t head = 0; head < vector_.size(); ++head) probability_[head] = to_double(vector_[head] / total);
  const int head = pick(probability_, random_->uniform());
  heads_[index(word)] = head;
  ++drawn_;
  return head >= 0;
}

// Words [from, to) of the range have heads now: each column becomes the distribution of where the walk from that head
// first meets the range (or the root), passing through words removed from this graph.
template <class Number>
void SequentialSampler<Number>::replace_columns(std::vector<Number>& graph, int first, int size, int from, int to) {
  for (int column = from; column < to; ++column) {
    std::fill(vector_.begin(), vector_.end(), Number(0.0));
    vector_[index(heads_[index(first + column)])] = Number(1.0);
    for (const Removed& removal : removed_) {
      const Number mass = vector_[index(removal.word)];
      if (is_zero(mass)) continue;
      const Number* shares = shares_of(removal.word);
      vector_[0] += mass * shares[0];
      add_scaled(vector_.data() + removal.from, mass, shares + removal.from, removal.to - removal.from);
    }
    for (int i = 0; i < size; ++i) graph[index(i) * index(size) + index(column)] = vector_[index(first + i)];
    graph[index(size) * index(size) + index(column)] = vector_[0];
  }
}

template class SequentialSampler<double>;
template class SequentialSampler<WideReal>;

void TreeSampler::sample(ArcScores scores, bool single_root, int count, uint64_t seed, std::span<int32_t> heads) {
  const bool choose_child = single_root && scores.words > 0;
  if (choose_child) marginals_.resize(scores.width() * scores.width());
  const double log_partition = choose_child ? sums_.marginals(scores, true, marginals_) : sums_.log_partition(scores, false);
  if (log_partition == kForbidden) throw std::invalid_argument("no tree satisfies the forbidden and required arcs");
  int prepared_child = -1;
  bool wide_prepared = false;
  ArcScores effective = scores;
  for (int number = 0; number < count; ++number) {
    RandomStream random(seed, static_cast<uint64_t>(number));
    const int child = choose_child ? draw_child(random.uniform(), scores.words) : 0;
    if (child != prepared_child) {
      if (choose_child) {
        hang_from(scores, child);
        effective.data = rooted_.data();
      }
      narrow_.prepare(effective);
      wide_prepared = false;
      prepared_child = child;
    }
    const auto row = heads.subspan(index(number) * scores.width(), scores.width());
    RandomStream retry = random;
    if (narrow_.draw(random, row)) continue;
    if (!wide_prepared) wide_.prepare(effective);
    wide_prepared = true;
    if (!wide_.draw(retry, row)) throw std::invalid_argument("the scores leave no tree to sample");
  }
}

int TreeSampler::draw_child(double uniform, int words) const {
  return 1 + pick({marginals_.begin() + 1, marginals_.begin() + 1 + words}, uniform);
}

// The scores given that the root's only child is known.
void TreeSampler::hang_from(ArcScores scores, int child) {
  const std::size_t width = scores.width();
  rooted_.assign(scores.data, scores.data + width * width);
  std::fill(rooted_.begin(), rooted_.begin() + static_cast<std::ptrdiff_t>(width), kForbidden);
  for (std::size_t head = 1; head < width; ++head) rooted_[head * width + index(child)] = kForbidden;
  rooted_[index(child)] = 0.0;
}

}  // namespace accord::trees
