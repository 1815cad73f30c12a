// SPDX-License-Identifier: Apache-2.0
// One connected cost network from preparation to proof: the steps that value_solver.hpp names, in their order.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/graph/values/costs/compaction.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/descent.hpp"
#include "core/graph/values/costs/elimination.hpp"
#include "core/graph/values/costs/interchangeable.hpp"
#include "core/graph/values/costs/local_search.hpp"
#include "core/graph/values/costs/reparametrisation.hpp"
#include "core/graph/values/costs/soft_consistency.hpp"
#include "core/graph/values/costs/value_search.hpp"
#include "core/graph/values/value_solver.hpp"

namespace accord::graph {

namespace part_solver {

inline constexpr int most_rounds = 4;               // of preparation
inline constexpr double worth_another_round = 0.8;  // the share of values that is left at most
inline constexpr double worth_another_pass = 1e-4;  // of the gap, by which ten passes must raise the bound
inline constexpr double quick_elimination = 2e6;    // entries: no more time than some passes take
inline constexpr double entries_per_node =
    10'000;  // that elimination computes in the time of a node, and as long again for nodes that are large
inline constexpr int64_t first_nodes = 2000, fewest_nodes = 100;  // of the search before the longer local search
inline constexpr double wandering = 3e7;                          // costs that the longer local search looks at
inline constexpr double work_per_node = 4000;                     // costs that it looks at between dives, for each node
inline constexpr size_t visits_per_variable = 40;                 // of local search
inline constexpr double comparisons = 1e8;                        // of entries, for interchangeable values

}  // namespace part_solver

class PartSolver {
 public:
  using Setting = std::vector<int32_t>;

  struct Report {
    std::function<void(const Setting& setting, double cost)> found;
    std::function<void(int64_t count, double lower)> told;
  };

  PartSolver(CostNetwork network, double slack, const ValueSettings& settings, Report report)
      : network_(std::move(network)),
        slack_(slack),
        settings_(settings),
        report_(std::move(report)),
        lower_(network_.base) {}

  void run(const Setting& start) {
    original_ = network_;
    if (!start.empty()) propose(start);
    for (int round = 0; round < part_solver::most_rounds && !done_; ++round)
      if (!prepare(round)) break;
  }

  const Setting& setting() const { return best_; }
  double cost() const { return upper_; }
  double lower() const { return std::min(lower_, upper_); }
  bool complete() const { return done_; }
  int64_t nodes() const { return nodes_; }
  int passes() const { return passes_; }

 private:
  // A step of preparation: settings of the network after it as settings of the one before it, and the other way round.
  struct Reduction {
    std::function<Setting(std::span<const int32_t>)> extended, restricted;
  };

  double limit() const { return upper_ - slack_; }

  void propose(const Setting& whole) {
    const double cost = original_.cost(whole);
    if (!(cost < upper_)) return;
    upper_ = cost;
    best_ = whole;
    if (report_.found) report_.found(best_, upper_);
  }

  void propose_reduced(const Setting& reduced) {
    Setting setting = reduced;
    for (size_t k = reductions_.size(); k-- > 0;) setting = reductions_[k].extended(setting);
    propose(setting);
  }

  // What the best setting leaves to the network as it is now; any setting where there is none yet.
  Setting reduced_best() const {
    if (best_.empty()) return Setting(network_.variables(), 0);
    Setting setting = best_;
    for (const Reduction& reduction : reductions_) setting = reduction.restricted(setting);
    return setting;
  }

  // Nothing better is left.
  void finish() {
    lower_ = limit() > lower_ ? limit() : lower_;
    done_ = true;
  }

  // Takes out what no table supports; false where nothing is left. Tables that become one may support less than each of them did.
  bool compact() {
    for (bool changed = true; changed;) {
      Alive alive(network_.values.size(), 1);
      if (!arc_consistent(network_, alive)) return false;
      changed = std::find(alive.begin(), alive.end(), 0) != alive.end();
      const size_t tables = network_.tables.size();
      keep_only(alive);
      changed = changed || network_.tables.size() != tables;
    }
    return true;
  }

  template <typename Step>
  void add_reduction(const std::shared_ptr<Step>& step) {
    network_ = step->reduced();
    local_.reset();
    reductions_.push_back({[step](std::span<const int32_t> setting) { return step->extended(setting); },
                           [step](std::span<const int32_t> setting) { return step->restricted(setting); }});
  }

  void keep_only(const Alive& alive) { add_reduction(std::make_shared<Compaction>(network_, alive)); }

  void eliminate(double entries) { add_reduction(std::make_shared<Elimination>(network_, entries, settings_.stop)); }

  // Eliminates all variables, which is the end.
  void eliminate_all() {
    eliminate(settings_.elimination);
    if (network_.variables() > 0) return;  // stopped
    if (network_.base < forbidden) propose_reduced({});
    finish();
  }

  // Whether another round is worth its while.
  bool prepare(int round) {
    if (!compact()) {
      finish();
      return false;
    }
    eliminate(std::min(settings_.elimination, part_solver::quick_elimination));
    if (!compact() || network_.variables() == 0) {
      if (network_.variables() == 0 && network_.base < forbidden) propose_reduced({});
      finish();
      return false;
    }
    Reparametrisation messages(network_);
    reparametrise(messages, round);
    SoftConsistency state(network_, &messages);
    lower_ = std::max(lower_, state.lower());
    if (lower_ >= limit()) finish();
    if (done_ || !settings_.search || asked_to(settings_.stop)) return false;
    return search(state, round);
  }

  // Passes alone look for settings on their way, so that further passes can only find better ones.
  static size_t visits_of_passes(int pass) { return pass == 0 ? part_solver::visits_per_variable : part_solver::visits_per_variable / 4; }

  void reparametrise(Reparametrisation& messages, int round) {
    double bound = network_.base, before = -forbidden;
    Descent descent(network_);
    for (int pass = 0; pass < settings_.passes; ++pass) {
      bound = messages.pass(true);
      Setting setting = messages.setting();
      if (!settings_.search || pass % 10 == 0) propose_reduced(setting);
      if (pass % 10 == 0) {
        if (settings_.search) descent.improve(setting);
        else descent.wander(setting, visits_of_passes(pass) * network_.variables(), settings_.stop);
        propose_reduced(setting);
        if (report_.told) report_.told(passes_, bound);
        const double gap = upper_ < forbidden ? upper_ - bound : std::fabs(bound) + 1;
        const double worth =
            settings_.search ? part_solver::worth_another_pass * gap : 1.0;  // alone, passes go on while they gain anything
        if (bound >= limit() || bound - before < worth || asked_to(settings_.stop)) break;
        before = bound;
      }
      bound = messages.pass(false);
      ++passes_;
    }
    messages.pass(true);
    messages.round();
    if (round > 0) return;
    Setting setting = messages.setting();
    if (!settings_.search) return propose_reduced(setting);
    descent.wander(setting, part_solver::visits_per_variable * network_.variables(), settings_.stop);
    propose_reduced(setting);
  }

  bool search(SoftConsistency& state, int round) {
    const double most = network_.sum_of_largest() + 1;
    state.set_limit(std::min(limit(), most));
    state.choose_precision();
    state.wake_all();
    if (!(state.lower() < state.limit()) || !state.propagate()) {
      finish();
      return false;
    }
    lower_ = std::max(lower_, state.lower());
    size_t left = 0;
    Alive alive(network_.values.size(), 0);
    for (size_t i = 0; i < network_.variables(); ++i)
      for (const int32_t a : state.values(i)) alive[network_.first[i] + static_cast<size_t>(a)] = 1, ++left;
    if (round + 1 < part_solver::most_rounds &&
        static_cast<double>(left) < part_solver::worth_another_round * static_cast<double>(alive.size())) {
      keep_only(alive);
      return true;
    }
    classes_ = interchangeable_values(network_, part_solver::comparisons);
    const double limit = settings_.elimination;
    const double work = std::min(elimination_work(network_, limit, false), elimination_work(network_, limit, true));
    if (!dive(state, most, work)) return false;
    if (work <= part_solver::wandering) {  // no longer than the local search takes
      eliminate_all();
      return false;
    }
    return wander(state, most) && search_or_eliminate(state, most, work);
  }

  ValueSearchSettings search_settings(double most, int64_t nodes) {
    ValueSearchSettings settings;
    settings.upper = std::min(upper_, most + slack_);
    settings.slack = slack_;
    settings.classes = classes_;
    settings.nodes = std::min(nodes, settings_.nodes - nodes_);
    settings.stop = settings_.stop;
    settings.found = [this](const Setting& setting, double) { propose_reduced(setting); };
    if (local_) {
      settings.improved = [this](int64_t nodes_since) {
        look_around(part_solver::work_per_node * static_cast<double>(nodes_since));
        return upper_;
      };
    }
    settings.told = [this](int64_t nodes_so_far, double lower) {
      if (report_.told) report_.told(nodes_so_far, std::max(lower_, lower));
    };
    return settings;
  }

  // Whether the search has to go on.
  bool search_on(SoftConsistency& state, double most, int64_t nodes) {
    const ValueSearchResult result = search_values(state, search_settings(most, nodes));
    nodes_ += result.nodes;
    lower_ = std::max(lower_, result.lower);
    if (result.complete) finish();
    return !result.complete && nodes_ < settings_.nodes && !asked_to(settings_.stop);
  }

  // A short search: no longer than it takes to eliminate all variables.
  bool dive(SoftConsistency& state, double most, double work) {
    const auto nodes = static_cast<int64_t>(std::min(work / part_solver::entries_per_node, static_cast<double>(part_solver::first_nodes)));
    return search_on(state, most, std::max(part_solver::fewest_nodes, nodes));
  }

  // A longer local search, once a short search was not enough; false where the better limit is a proof.
  bool wander(SoftConsistency& state, double most) {
    local_ = std::make_unique<LocalSearch>(network_, 1);
    look_around(part_solver::wandering);
    state.set_limit(std::min(limit(), most));
    if (state.lower() < state.limit() && state.propagate()) return true;
    finish();
    return false;
  }

  void look_around(double work) {
    Setting setting = reduced_best();
    local_->improve(setting, work, settings_.stop);
    propose_reduced(setting);
  }

  // To the end, or about as long as it takes to eliminate all variables.
  bool search_or_eliminate(SoftConsistency& state, double most, double work) {
    const double limit = settings_.elimination;
    const int64_t all = std::numeric_limits<int64_t>::max();
    if (search_on(state, most, work <= limit ? static_cast<int64_t>(work / part_solver::entries_per_node) : all) && work <= limit)
      eliminate_all();
    return false;
  }

  CostNetwork network_, original_;
  double slack_;
  const ValueSettings& settings_;
  Report report_;
  std::vector<Reduction> reductions_;  // from the first network to the network as it is now
  Setting best_;
  std::unique_ptr<LocalSearch> local_;  // over the network as it is now, once a short search was not enough
  std::vector<int32_t> classes_;        // of values that are interchangeable in the network as it is now
  double upper_ = forbidden, lower_;
  bool done_ = false;
  int64_t nodes_ = 0;
  int passes_ = 0;
};

}  // namespace accord::graph
