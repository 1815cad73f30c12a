// SPDX-License-Identifier: Apache-2.0
#include "core/graph/coverage/improving.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace accord::graph {

namespace {

constexpr double least_price = 1e-12;
constexpr size_t least_promising = 64;  // groups that an exchange fills from, at least
constexpr double promising_times = 8;   // as many as the budgets pay for, so many times
constexpr size_t most_tried = 24;       // pieces that an exchange takes in
constexpr size_t most_parted = 64;      // chosen units up to which an exchange takes out parts of groups
constexpr size_t most_parts = 4096;     // of a group that are tried one by one

using Keyed = std::pair<double, int32_t>;  // a key, and minus a number: of equal keys the first number comes first
using Queue = std::priority_queue<Keyed>;

}  // namespace

Improver::Improver(const Coverage& problem, std::vector<int32_t> groups)
    : problem_(problem),
      groups_(std::move(groups)),
      limits_of_(problem),
      weights_(problem.units()),
      prices_(problem.units()),
      limits_(problem.units()),
      chosen_of_(problem.groups()) {
  for (size_t u = 0; u < prices_.size(); ++u) prices_[u] = problem.price(u);
}

double Improver::price_of(std::span<const int32_t> units) const {
  double sum = 0;
  for (int32_t unit : units) sum += prices_[static_cast<size_t>(unit)];
  return std::max(sum, least_price);
}

void Improver::consider(UnitSelection& choice, std::span<const int32_t> units, bool by_price, Piece& best) {
  if (units.empty() || !choice.fits(units)) return;
  const double gain = choice.add_all(units);
  choice.remove_all(units);
  const double key = by_price ? gain / price_of(units) : gain;
  if (key > best.key) best.key = key, best.units.assign(units.begin(), units.end());
}

void Improver::try_levels(UnitSelection& choice, size_t group, bool by_price, Piece& best) {
  for (int32_t unit : open_) weights_[static_cast<size_t>(unit)] = choice.own_gain(static_cast<size_t>(unit));
  for (int32_t k : problem_.group_occurrences(group)) {
    const auto occurrence = static_cast<size_t>(k);
    const int32_t missing = choice.missing(occurrence);
    if (missing == 0) continue;
    const double gain = choice.gain_of(occurrence) / missing;
    if (gain > 0)
      for (int32_t unit : problem_.needs(occurrence))
        if (!choice.has(static_cast<size_t>(unit))) weights_[static_cast<size_t>(unit)] += gain;
  }
  limits_of_.find(open_, weights_, prices_, limits_);
  units_ = open_;  // required units first also among those of equal limits
  std::stable_sort(units_.begin(), units_.end(),
                   [this](int32_t a, int32_t b) { return limits_[static_cast<size_t>(a)] > limits_[static_cast<size_t>(b)]; });
  double gain = 0, price = 0, best_key = best.key;
  size_t done = 0, length = 0;
  while (done < units_.size() && limits_[static_cast<size_t>(units_[done])] > 0) {
    size_t end = done;
    while (end < units_.size() && limits_[static_cast<size_t>(units_[end])] == limits_[static_cast<size_t>(units_[done])]) ++end;
    const std::span<const int32_t> level = std::span(units_).subspan(done, end - done);
    if (!choice.fits(level)) break;
    gain += choice.add_all(level);
    for (int32_t unit : level) price += prices_[static_cast<size_t>(unit)];
    done = end;
    const double key = by_price ? gain / std::max(price, least_price) : gain;
    if (key > best_key) best_key = key, length = done;
  }
  choice.remove_all(std::span(units_).first(done));
  if (length > 0) best.key = best_key, best.units.assign(units_.begin(), units_.begin() + static_cast<std::ptrdiff_t>(length));
}

void Improver::try_parts(UnitSelection& choice, size_t group, bool by_price, Piece& best) {
  size_t tried = 0;
  for (int32_t unit : open_) {
    if (++tried > most_parts) break;
    units_.clear();
    if (choice.with_required(unit, units_)) consider(choice, units_, by_price, best);
  }
  if (!problem_.is_joined(group)) return;
  for (int32_t k : problem_.group_occurrences(group)) {
    const auto needs = problem_.needs(static_cast<size_t>(k));
    if (needs.size() < 2 || choice.missing(static_cast<size_t>(k)) < 2 || ++tried > most_parts) continue;
    units_.clear();
    bool whole = true;
    for (int32_t unit : needs) {
      std::vector<int32_t> more;
      whole = whole && choice.with_required(unit, more);
      for (int32_t one : more)
        if (std::find(units_.begin(), units_.end(), one) == units_.end()) units_.push_back(one);
    }
    if (whole) consider(choice, units_, by_price, best);
  }
}

// The key of the best piece of a group; 0 where no piece improves the value.
double Improver::find_piece(UnitSelection& choice, size_t group, bool by_price, Piece& piece) {
  piece.key = 0;
  piece.units.clear();
  open_.clear();
  for (int32_t unit : problem_.units_of(group))
    if (!choice.has(static_cast<size_t>(unit)) && !problem_.is_barred(static_cast<size_t>(unit))) open_.push_back(unit);
  if (open_.size() == 1) {
    consider(choice, open_, by_price, piece);
  } else if (!open_.empty()) {
    try_levels(choice, group, by_price, piece);
    if (piece.units.empty()) try_parts(choice, group, by_price, piece);
  }
  return piece.key;
}

// Groups of which nothing is chosen wait with their first keys.
void Improver::fill_from(UnitSelection& choice, std::span<const int32_t> groups, std::vector<int32_t>& added, bool by_price) {
  if (first_keys_.empty()) find_keys();
  for (int32_t unit : choice.members()) ++chosen_of_[static_cast<size_t>(problem_.group_of(static_cast<size_t>(unit)))];
  std::vector<Keyed> keys;
  for (int32_t g : groups) {
    const bool fresh = by_price && chosen_of_[static_cast<size_t>(g)] == 0;
    const double key = fresh ? first_keys_[static_cast<size_t>(g)] : find_piece(choice, static_cast<size_t>(g), by_price, piece_);
    if (key > 0) keys.emplace_back(key, -g);
  }
  for (int32_t unit : choice.members()) chosen_of_[static_cast<size_t>(problem_.group_of(static_cast<size_t>(unit)))] = 0;
  Queue waiting(std::less<Keyed>(), std::move(keys));
  while (!waiting.empty()) {
    const int32_t group = -waiting.top().second;
    waiting.pop();
    const double key = find_piece(choice, static_cast<size_t>(group), by_price, piece_);
    if (key <= 0) continue;
    if (waiting.empty() || key >= waiting.top().first) {
      choice.add_all(piece_.units);
      added.insert(added.end(), piece_.units.begin(), piece_.units.end());
    }
    waiting.emplace(key, -group);
  }
}

void Improver::fill(UnitSelection& choice, std::vector<int32_t>& added, bool by_price) { fill_from(choice, groups_, added, by_price); }

void Improver::repair(UnitSelection& choice) {
  if (choice.is_feasible()) return;
  const auto key = [&](int32_t unit) {
    units_.clear();
    choice.with_dependents(unit, units_);
    const double loss = -choice.remove_all(units_);
    choice.add_all(units_);
    return -loss / price_of(units_);
  };
  std::vector<Keyed> keys;
  for (int32_t unit : choice.members()) keys.emplace_back(0, -unit);
  for (Keyed& one : keys) one.first = key(-one.second);
  Queue waiting(std::less<Keyed>(), std::move(keys));
  while (!choice.is_feasible() && !waiting.empty()) {
    const int32_t unit = -waiting.top().second;
    waiting.pop();
    if (!choice.has(static_cast<size_t>(unit))) continue;
    bool helps = false;
    const double now = key(unit);
    for (size_t b = 0; b < problem_.budgets(); ++b)
      for (int32_t one : units_) helps = helps || (choice.spends_too_much(b) && problem_.cost(b, static_cast<size_t>(one)) > 0);
    if (!helps) continue;
    if (!waiting.empty() && now < waiting.top().first) waiting.emplace(now, -unit);
    else choice.remove_all(units_);
  }
}

void Improver::find_keys() {
  UnitSelection nothing(problem_);
  first_keys_.assign(problem_.groups(), 0.0);
  std::vector<Keyed> keys;
  for (int32_t g : groups_) {
    const double key = find_piece(nothing, static_cast<size_t>(g), true, piece_);
    first_keys_[static_cast<size_t>(g)] = key;
    if (key > 0) keys.emplace_back(-key, g);
  }
  std::sort(keys.begin(), keys.end());
  double price = 0;
  for (const auto& [key, g] : keys) {
    if (promising_.size() >= least_promising && price > promising_times * static_cast<double>(problem_.budgets())) break;
    find_piece(nothing, static_cast<size_t>(g), true, piece_);
    price += price_of(piece_.units);
    promising_.push_back(g);
    if (first_pieces_.size() < most_tried) first_pieces_.push_back(piece_.units);
  }
}

// The promising groups and those of which something is chosen, without one.
std::vector<int32_t> Improver::near(const UnitSelection& choice, int32_t avoided) const {
  std::vector<int32_t> found = promising_;
  for (int32_t unit : choice.members()) found.push_back(problem_.group_of(static_cast<size_t>(unit)));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase(found, avoided);
  return found;
}

// Back to the units of `old` unless the value has grown.
bool Improver::keep_if_better(UnitSelection& choice, double before, const std::vector<int32_t>& old) {
  const double after = choice.value();
  if (after > before + 1e-12 * std::max(std::fabs(before), std::fabs(after))) return true;
  const std::vector<int32_t> now(choice.members().begin(), choice.members().end());
  for (int32_t unit : now) choice.remove(unit);
  choice.add_all(old);
  return false;
}

bool Improver::without(UnitSelection& choice, int32_t unit) {
  const std::vector<int32_t> old(choice.members().begin(), choice.members().end());
  const double before = choice.value();
  const bool top = problem_.required_by(static_cast<size_t>(unit)).empty();
  const std::vector<int32_t> groups = near(choice, top ? problem_.group_of(static_cast<size_t>(unit)) : -1);
  std::vector<int32_t> out, added;
  choice.with_dependents(unit, out);
  choice.remove_all(out);
  fill_from(choice, groups, added, true);
  return keep_if_better(choice, before, old);
}

bool Improver::with(UnitSelection& choice, std::span<const int32_t> piece) {
  if (std::all_of(piece.begin(), piece.end(), [&](int32_t unit) { return choice.has(static_cast<size_t>(unit)); })) return false;
  const std::vector<int32_t> old(choice.members().begin(), choice.members().end());
  const double before = choice.value();
  for (int32_t unit : piece)
    if (!choice.has(static_cast<size_t>(unit))) choice.add(unit);
  repair(choice);
  std::vector<int32_t> added;
  fill_from(choice, near(choice, -1), added, true);
  return keep_if_better(choice, before, old);
}

const std::vector<int32_t>& Improver::promising() {
  if (first_keys_.empty()) find_keys();
  return promising_;
}

void Improver::exchange(UnitSelection& choice, int rounds, const Stop& stop) {
  if (first_keys_.empty()) find_keys();
  std::vector<int32_t> units;
  for (int round = 0; round < rounds; ++round) {
    bool better = false;
    units.assign(choice.members().begin(), choice.members().end());
    std::sort(units.begin(), units.end());
    for (int32_t unit : units) {
      if (asked_to(stop)) return;
      if (units.size() > most_parted && !problem_.required_by(static_cast<size_t>(unit)).empty()) continue;
      if (choice.has(static_cast<size_t>(unit))) better = without(choice, unit) || better;
    }
    for (const std::vector<int32_t>& piece : first_pieces_) {
      if (asked_to(stop)) return;
      better = with(choice, piece) || better;
    }
    if (!better) return;
  }
}

void Improver::drop_idle(UnitSelection& choice) {
  const double none = 1e-12 * std::fabs(choice.value());
  std::vector<int32_t> units(choice.members().begin(), choice.members().end()), out;
  std::sort(units.begin(), units.end());
  for (size_t k = units.size(); k-- > 0;) {
    if (!choice.has(static_cast<size_t>(units[k]))) continue;
    out.clear();
    choice.with_dependents(units[k], out);
    if (choice.remove_all(out) < -none) choice.add_all(out);
  }
}

}  // namespace accord::graph
