// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/ruled_search.hpp"

#include <algorithm>
#include <cmath>

namespace accord::compressions {

namespace {

constexpr double smallest_gain = 1e-12;  // relative: what is below is rounding

size_t at(int word) { return static_cast<size_t>(word); }

}  // namespace

RuledSearch::RuledSearch(LengthSearch& lengths, std::vector<Rule> rules) : lengths_(lengths), rules_(std::move(rules)) {}

// False when rules contradict the fates.
bool RuledSearch::draw_conclusions(std::vector<Fate>& fates) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Rule& rule : rules_) {
      Fate &word = fates[at(rule.word)], &needs = fates[at(rule.needs)];
      if (word == Fate::keep && needs == Fate::drop) return false;
      if (word == Fate::keep && needs == Fate::open) needs = Fate::keep, moved = true;
      if (needs == Fate::drop && word == Fate::open) word = Fate::drop, moved = true;
    }
  }
  return true;
}

// Whether a rule can still be broken.
bool RuledSearch::live(const Rule& rule, const std::vector<Fate>& fates) const {
  return fates[at(rule.word)] != Fate::drop && fates[at(rule.needs)] != Fate::keep;
}

bool RuledSearch::hopeless(double bound) const {
  return best_.found && bound - best_.value <= smallest_gain * (std::fabs(bound) + std::fabs(best_.value) + lengths_.magnitude());
}

void RuledSearch::take(const Answer& answer, double value) {
  if (best_.found && value <= best_.value) return;
  best_ = answer;
  best_.value = value;
}

// Along the subgradient, by the step that would close the gap to the best compression known (Polyak 1969). Returns the slope.
double RuledSearch::move_prices(Node& node, const Answer& answer, double bound, double& step) {
  const std::vector<uint8_t>& kept = answer.compression.kept;
  double slope = 0;
  for (size_t r = 0; r < rules_.size(); ++r) {
    const int broken = kept[at(rules_[r].word)] - kept[at(rules_[r].needs)];
    if (live(rules_[r], node.fates) && (broken > 0 || (broken < 0 && node.prices[r] > 0))) slope += 1;
  }
  if (slope == 0) return slope;
  const double gap = best_.found ? bound - best_.value : lengths_.magnitude() * std::sqrt(slope);
  const double length = step * std::max(gap, smallest_gain * std::fabs(bound)) / slope;
  for (size_t r = 0; r < rules_.size(); ++r) {
    if (!live(rules_[r], node.fates)) continue;
    node.prices[r] = std::max(0.0, node.prices[r] + length * (kept[at(rules_[r].word)] - kept[at(rules_[r].needs)]));
  }
  return slope;
}

// A word of a rule that is broken, or that its price keeps apart; 0 when no rule is at stake any more.
int RuledSearch::undecided(const Node& node, const Answer& answer) const {
  int word = 0;
  double price = -1;
  for (size_t r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    if (!live(rule, node.fates)) continue;
    const bool broken = answer.compression.kept[at(rule.word)] > answer.compression.kept[at(rule.needs)];
    const double weight = node.prices[r] + (broken ? lengths_.magnitude() : 0.0);
    if (weight > price) price = weight, word = node.fates[at(rule.word)] == Fate::open ? rule.word : rule.needs;
  }
  return word;
}

// One question at the prices of a node: lowers its bound, and takes the answer if it keeps all rules.
Answer RuledSearch::ask(Node& node, const LengthSettings& length) {
  additions_.assign(terms_.additions.begin(), terms_.additions.end());
  for (size_t r = 0; r < rules_.size(); ++r) {
    if (!live(rules_[r], node.fates)) continue;
    additions_[at(rules_[r].word)] -= node.prices[r];
    additions_[at(rules_[r].needs)] += node.prices[r];
  }
  Answer answer = lengths_.find({additions_, node.fates}, window_, length);
  questions_ += answer.questions;
  node.bound = std::min(node.bound, answer.bound);
  const std::vector<uint8_t>& kept = answer.compression.kept;
  const auto keeps = [&](const Rule& rule) { return kept[at(rule.word)] <= kept[at(rule.needs)]; };
  if (answer.within && std::all_of(rules_.begin(), rules_.end(), keeps)) {
    double value = answer.compression.score;
    for (size_t word = 1; word < kept.size(); ++word) value += kept[word] ? terms_.additions[word] : 0.0;
    take(answer, value);
  }
  node.settled = !answer.found || hopeless(node.bound);
  if (answer.found) node.branch = undecided(node, answer);
  return answer;
}

// Prices move while lengths are relaxed, where exact ones cost much. The gap that relaxed lengths may leave is closed once, at the end.
void RuledSearch::evaluate(Node& node, int rounds) {
  using Steps = LengthSettings::Steps;
  ++visited_;
  LengthSettings quick = settings_.length;
  if (quick.steps == Steps::exact && !lengths_.programme().lengths_are_cheap()) quick.steps = Steps::intersection;
  quick.close_gaps = false;
  double step = 1;
  bool open = true;
  for (int round = 0; round < rounds && !node.settled; ++round) {
    const double before = node.bound;
    const Answer answer = ask(node, quick);
    open = !answer.proved;
    if (node.bound >= before) step *= 0.7;
    if (node.settled || node.branch == 0 || move_prices(node, answer, answer.bound, step) == 0) break;
  }
  if (open && !node.settled && settings_.length.close_gaps) ask(node, settings_.length);
}

void RuledSearch::push(Node node) {
  const auto lower = [](const Node& a, const Node& b) { return a.bound < b.bound; };
  if (!draw_conclusions(node.fates)) return;
  evaluate(node, visited_ == 0 ? settings_.rounds : std::max(2, settings_.rounds / 4));
  if (node.settled) return;
  if (node.branch == 0) {
    gap_bound_ = std::max(gap_bound_, node.bound);
    return;
  }
  open_.push_back(std::move(node));
  std::push_heap(open_.begin(), open_.end(), lower);
}

Answer RuledSearch::find(const Terms& terms, Window window, const RuledSettings& settings) {
  const auto lower = [](const Node& a, const Node& b) { return a.bound < b.bound; };
  terms_ = terms;
  window_ = window;
  settings_ = settings;
  open_.clear();
  best_ = {};
  gap_bound_ = forbidden;
  visited_ = questions_ = 0;
  push({{terms.fates.begin(), terms.fates.end()}, std::vector<double>(rules_.size(), 0.0), -forbidden});
  while (!open_.empty() && visited_ < settings.nodes) {
    std::pop_heap(open_.begin(), open_.end(), lower);
    const Node node = std::move(open_.back());
    open_.pop_back();
    if (hopeless(node.bound)) break;  // no other node has a larger bound
    for (const Fate fate : {Fate::keep, Fate::drop}) {
      Node child{node.fates, node.prices, node.bound};
      child.fates[at(node.branch)] = fate;
      push(std::move(child));
    }
  }
  const double left = open_.empty() || hopeless(open_.front().bound) ? gap_bound_ : std::max(gap_bound_, open_.front().bound);
  best_.questions = questions_;
  best_.proved = best_.found && (left == forbidden || hopeless(left));
  best_.bound = best_.proved ? best_.value : std::max(left, best_.found ? best_.value : forbidden);
  return best_;
}

}  // namespace accord::compressions
