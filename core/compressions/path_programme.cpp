// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/path_programme.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/compressions/forest.hpp"
#include "core/compressions/max_plus.hpp"

namespace accord::compressions {

PathProgramme::PathProgramme(int words, int vertices) : words_(words), vertices_(vertices) {}

PathProgramme PathProgramme::bigrams(std::span<const double> word_scores, std::span<const double> bigrams, double empty) {
  const int words = static_cast<int>(word_scores.size()) - 1;
  if (static_cast<double>(words) * words > most_numbers / 4)
    throw std::invalid_argument("the sentence is too long for a programme of bigrams");
  PathProgramme programme(words, words + 2);
  programme.order_.resize(index(words));
  std::iota(programme.order_.begin(), programme.order_.end(), 1);
  for (int to = 1; to <= words + 1; ++to) {
    const int next = to <= words ? to : 0;
    for (int from = 0; from < to; ++from) {
      const int cell = from * (words + 1) + next;
      double score = bigrams.empty() ? 0.0 : bigrams[index(cell)];
      score = from == 0 && next == 0 ? empty : next > 0 ? score + word_scores[index(next)] : score;
      if (score != forbidden) programme.steps_.push_back({from, to, next, from, to - 1, cell, score});
    }
  }
  programme.sort_steps();
  return programme;
}

// Vertex 2 p + 1: the words at places before p are decided, and one of them is kept; 2 p: none is, which can only be between trees.
PathProgramme PathProgramme::subtrees(std::span<const double> word_scores, std::span<const int32_t> heads, std::span<const uint8_t> tied,
                                      double empty) {
  const int words = static_cast<int>(word_scores.size()) - 1;
  PathProgramme programme(words, 2 * words + 2);
  Forest order(heads);
  for (int place = 0; place < words; ++place) {
    const int32_t word = order.words[index(place)];
    const int after = place + order.sizes[index(place)];
    const double score = word_scores[index(word)];
    for (const int kept : {0, 1}) {
      if (kept ? place == 0 : heads[index(word)] != 0) continue;  // nothing kept so far: only where a tree begins
      const int from = 2 * place + kept;
      if (score != forbidden) programme.steps_.push_back({from, 2 * place + 3, word, place, place, -1, score});
      if (!tied[index(word)]) programme.steps_.push_back({from, 2 * after + kept, 0, place, after, -1, 0.0});
    }
  }
  if (empty != forbidden) programme.steps_.push_back({2 * words, 2 * words + 1, 0, 0, 0, -1, empty});
  programme.order_ = std::move(order.words);
  programme.heads_.assign(heads.begin(), heads.end());
  programme.sort_steps();
  return programme;
}

void PathProgramme::sort_steps() {
  const auto before = [](const Step& a, const Step& b) { return a.to < b.to; };
  std::stable_sort(steps_.begin(), steps_.end(), before);
  first_.assign(index(vertices_) + 1, 0);
  for (const Step& step : steps_) ++first_[index(step.to) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

std::span<const double> PathProgramme::step_scores(const Terms& terms) {
  bound_.assign(order_.size() + 1, 0);
  for (size_t place = 0; place < order_.size(); ++place)
    bound_[place + 1] = bound_[place] + (terms.fates[index(order_[place])] == Fate::keep);
  scores_.resize(steps_.size());
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const bool drops_bound = bound_[index(step.dropped_end)] > bound_[index(step.dropped)];
    const bool refused = drops_bound || (step.word > 0 && terms.fates[index(step.word)] == Fate::drop);
    scores_[s] = refused ? forbidden : step.word > 0 ? step.score + terms.additions[index(step.word)] : step.score;
  }
  return scores_;
}

void PathProgramme::start(Compression& out) const {
  out.score = 0;
  out.kept.assign(index(words_) + 1, 0);
  out.heads.clear();
  if (has_tree()) out.heads.assign(index(words_) + 1, -1);
}

void PathProgramme::write(const Step& step, Compression& out) const {
  out.score += step.score;
  if (step.word == 0) return;
  out.kept[index(step.word)] = 1;
  if (has_tree()) out.heads[index(step.word)] = heads_[index(step.word)];
}

void PathProgramme::keep_words(std::span<const int> steps, Compression& out) const {
  start(out);
  for (const int step : steps) write(steps_[index(step)], out);
}

double PathProgramme::best(const Terms& terms, Compression& out) {
  step_scores(terms);
  levels_ = 1;
  values_.assign(index(vertices_), forbidden);
  values_[0] = 0;
  for (size_t s = 0; s < steps_.size(); ++s) {
    double& value = values_[index(steps_[s].to)];
    value = std::max(value, values_[index(steps_[s].from)] + scores_[s]);
  }
  const double found = values_.back();
  costs_.assign(index(words_) + 1, 0);
  if (found != forbidden) trace_cost(0, out);
  return found;
}

std::span<const double> PathProgramme::best_by_cost(const Terms& terms, std::span<const int> costs, int, int high) {
  step_scores(terms);
  costs_.assign(costs.begin(), costs.end());
  levels_ = high + 1;
  if (static_cast<double>(vertices_) * levels_ > most_numbers)
    throw std::invalid_argument("the sentence is too long for the best scores of all lengths");
  values_.assign(index(vertices_) * index(levels_), forbidden);
  values_[0] = 0;
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const int cost = step.word > 0 ? costs_[index(step.word)] : 0;
    if (scores_[s] == forbidden || cost > high) continue;
    raise(values_.data() + index(step.to) * index(levels_) + cost, values_.data() + index(step.from) * index(levels_), scores_[s],
          levels_ - cost);
  }
  return std::span(values_).last(index(levels_));
}

// From the last vertex back; of equal steps the first.
void PathProgramme::trace_cost(int cost, Compression& out) {
  start(out);
  for (int vertex = vertices_ - 1; vertex > 0;) {
    const Step* chosen = nullptr;
    double best = forbidden;
    for (size_t s = first_[index(vertex)]; s < first_[index(vertex) + 1]; ++s) {
      const Step& step = steps_[s];
      const int rest = cost - (step.word > 0 ? costs_[index(step.word)] : 0);
      if (rest < 0) continue;
      const double value = values_[index(step.from) * index(levels_) + index(rest)] + scores_[s];
      if (value > best) best = value, chosen = &step;
    }
    write(*chosen, out);
    if (chosen->word > 0) cost -= costs_[index(chosen->word)];
    vertex = chosen->from;
  }
}

}  // namespace accord::compressions
