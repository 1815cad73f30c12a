// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "core/chains/segments/lattice_best.hpp"
#include "core/compressions/distribution.hpp"

namespace accord::compressions {

PathDistribution::PathDistribution(PathProgramme& programme, const Terms& terms, std::span<const int> costs, std::optional<Window> window)
    : programme_(programme),
      additions_(terms.additions.begin(), terms.additions.end()),
      lattice_(make_lattice(terms, costs, window)),
      sums_(lattice_) {}

// Node = vertex * levels + total so far. Nodes that no path from the start reaches get no edges.
chains::Lattice PathDistribution::make_lattice(const Terms& terms, std::span<const int> costs, std::optional<Window> window) {
  const std::span<const double> scores = programme_.step_scores(terms);
  const int levels = window ? std::max(window->high, 0) + 1 : 1;
  if (static_cast<double>(scores.size()) * levels > most_numbers / 4)
    throw std::invalid_argument("the sentence is too long for sums over compressions of a length");
  const int goal = window ? programme_.vertices() * levels : programme_.vertices() - 1;
  std::vector<uint8_t> reached(static_cast<size_t>(goal) + 1, 0);
  reached[0] = 1;
  std::vector<chains::Edge> edges;
  const auto add = [&](int from, int to, int step, double score) {
    if (!reached[static_cast<size_t>(from)]) return;
    reached[static_cast<size_t>(to)] = 1;
    edges.push_back({from, to, 0, score});
    steps_.push_back(step);
  };
  for (size_t s = 0; s < scores.size(); ++s) {
    const PathProgramme::Step& step = programme_.steps()[s];
    if (scores[s] == forbidden) continue;
    const int cost = window && step.word > 0 ? costs[static_cast<size_t>(step.word)] : 0;
    for (int level = 0; level + cost < levels; ++level)
      add(step.from * levels + level, step.to * levels + level + cost, static_cast<int>(s), scores[s]);
  }
  if (window)
    for (int level = std::max(window->low, 0); level < levels; ++level) add(goal - levels + level, goal, -1, 0.0);
  return {goal, std::move(edges)};
}

double PathDistribution::marginals(const Marginals& out) const {
  std::vector<double> probabilities(steps_.size());
  const double entropy = sums_.marginals(probabilities);
  for (const std::span<double> each : {out.words, out.bigrams}) std::fill(each.begin(), each.end(), 0.0);
  for (size_t edge = 0; edge < steps_.size(); ++edge) {
    if (steps_[edge] < 0) continue;
    const PathProgramme::Step& step = programme_.steps()[static_cast<size_t>(steps_[edge])];
    if (step.word > 0 && !out.words.empty()) out.words[static_cast<size_t>(step.word)] += probabilities[edge];
    if (step.bigram >= 0 && !out.bigrams.empty()) out.bigrams[static_cast<size_t>(step.bigram)] += probabilities[edge];
  }
  return entropy;
}

Compression PathDistribution::compression(std::span<const int> edges) const {
  std::vector<int> steps;
  for (const int edge : edges)
    if (steps_[static_cast<size_t>(edge)] >= 0) steps.push_back(steps_[static_cast<size_t>(edge)]);
  Compression found;
  programme_.keep_words(steps, found);
  for (size_t word = 1; word < found.kept.size(); ++word)
    if (found.kept[word]) found.score += additions_[word];
  return found;
}

std::vector<Compression> PathDistribution::kbest(int k) const {
  std::vector<Compression> ranked;
  for (const chains::LatticePath& path : chains::k_best(lattice_, k)) ranked.push_back(compression(path.edges));
  return ranked;
}

Compression PathDistribution::sample(uint64_t seed, uint64_t number) const { return compression(sums_.sample(seed, number)); }

}  // namespace accord::compressions
