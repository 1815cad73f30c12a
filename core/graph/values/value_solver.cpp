// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/value_solver.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/graph/values/compaction.hpp"
#include "core/graph/values/cost_network.hpp"
#include "core/graph/values/descent.hpp"
#include "core/graph/values/elimination.hpp"
#include "core/graph/values/reparametrisation.hpp"
#include "core/graph/values/soft_consistency.hpp"
#include "core/graph/values/value_search.hpp"

namespace accord::graph {

namespace {

using Setting = std::vector<int32_t>;
using Extension = std::function<Setting(std::span<const int32_t>)>;

constexpr int most_rounds = 4;               // of preparation
constexpr double worth_another_round = 0.8;  // the share of values that is left at most
constexpr double worth_another_pass = 1e-4;  // of the gap, by which ten passes must raise the bound
constexpr double quick_elimination = 2e6;    // entries: no more time than some passes take
constexpr double entries_per_node = 10'000;  // that elimination computes in the time of a node, and as long again for nodes that are large
constexpr int64_t first_nodes = 2000;        // of the search before the longer local search
constexpr double wandering = 3e7;            // costs that the longer local search looks at
constexpr size_t visits_per_variable = 40;   // of local search

// The variables of each part of a network that is connected by tables.
std::vector<std::vector<int32_t>> parts_of(const CostNetwork& network) {
  std::vector<int32_t> leader(network.variables());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int32_t i) {
    while (leader[static_cast<size_t>(i)] != i)
      i = leader[static_cast<size_t>(i)] = leader[static_cast<size_t>(leader[static_cast<size_t>(i)])];
    return i;
  };
  for (const CostTable& table : network.tables)
    for (const int32_t i : table.scope) leader[static_cast<size_t>(find(i))] = find(table.scope[0]);
  std::vector<std::vector<int32_t>> by_leader(network.variables()), parts;
  for (size_t i = 0; i < leader.size(); ++i)
    by_leader[static_cast<size_t>(find(static_cast<int32_t>(i)))].push_back(static_cast<int32_t>(i));
  for (std::vector<int32_t>& part : by_leader)
    if (!part.empty()) parts.push_back(std::move(part));
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return parts;
}

CostNetwork part_of(const CostNetwork& network, const std::vector<int32_t>& variables) {
  CostNetwork part;
  std::vector<int32_t> number(network.variables(), -1);
  for (const int32_t i : variables) {
    number[static_cast<size_t>(i)] = static_cast<int32_t>(part.variables());
    const auto begin = network.values.begin() + static_cast<ptrdiff_t>(network.first[static_cast<size_t>(i)]);
    part.values.insert(part.values.end(), begin, begin + static_cast<ptrdiff_t>(network.domain(static_cast<size_t>(i))));
    part.first.push_back(part.values.size());
  }
  for (const CostTable& table : network.tables) {
    if (number[static_cast<size_t>(table.scope[0])] < 0) continue;
    part.tables.push_back(table);
    for (int32_t& i : part.tables.back().scope) i = number[static_cast<size_t>(i)];
  }
  return part;
}

double sum_of_largest(const CostNetwork& network) {
  double sum = network.base;
  const auto largest = [](std::span<const double> costs) {
    double most = 0;
    for (const double cost : costs)
      if (cost < forbidden) most = std::max(most, cost);
    return most;
  };
  for (size_t i = 0; i < network.variables(); ++i) sum += largest(std::span(network.values).subspan(network.first[i], network.domain(i)));
  for (const CostTable& table : network.tables) sum += largest(*table.costs);
  return sum;
}

// One connected network from preparation to proof. Costs are those of the network.
class PartSolver {
 public:
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
    for (int round = 0; round < most_rounds && !done_; ++round)
      if (!prepare(round)) break;
  }

  const Setting& setting() const { return best_; }
  double cost() const { return upper_; }
  double lower() const { return std::min(lower_, upper_); }
  bool complete() const { return done_; }
  int64_t nodes() const { return nodes_; }
  int passes() const { return passes_; }

 private:
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
    for (size_t k = extensions_.size(); k-- > 0;) setting = extensions_[k](setting);
    const double before = upper_;
    propose(setting);
    if (upper_ < before) reduced_best_ = reduced;
  }

  // Nothing better is left.
  void finish() {
    lower_ = limit() > lower_ ? limit() : lower_;
    done_ = true;
  }

  // Takes out what no table supports; false where nothing is left.
  bool compact() {
    Alive alive(network_.values.size(), 1);
    return arc_consistent(network_, alive) && (keep_only(alive), true);
  }

  void keep_only(const Alive& alive) {
    auto compaction = std::make_shared<Compaction>(network_, alive);
    network_ = compaction->reduced();
    extensions_.push_back([compaction](std::span<const int32_t> setting) { return compaction->extended(setting); });
    reduced_best_.clear();
  }

  void eliminate(double entries) {
    auto elimination = std::make_shared<Elimination>(network_, entries, settings_.stop);
    network_ = elimination->reduced();
    extensions_.push_back([elimination](std::span<const int32_t> setting) { return elimination->extended(setting); });
    reduced_best_.clear();
  }

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
    eliminate(std::min(settings_.elimination, quick_elimination));
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

  void reparametrise(Reparametrisation& messages, int round) {
    double bound = network_.base, before = -forbidden;
    Descent descent(network_);
    for (int pass = 0; pass < settings_.passes; ++pass) {
      bound = messages.pass(true);
      Setting setting = messages.setting();
      if (pass % 10 == 0) {
        descent.improve(setting);
        propose_reduced(setting);
        if (report_.told) report_.told(passes_, bound);
        const double gap = upper_ < forbidden ? upper_ - bound : std::fabs(bound) + 1;
        const double worth = settings_.search ? worth_another_pass * gap : 1.0;  // alone, passes go on while they gain anything
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
    descent.wander(setting, visits_per_variable * network_.variables(), settings_.stop);
    propose_reduced(setting);
  }

  bool search(SoftConsistency& state, int round) {
    const double most = sum_of_largest(network_) + 1;
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
    if (round + 1 < most_rounds && static_cast<double>(left) < worth_another_round * static_cast<double>(alive.size())) {
      keep_only(alive);
      return true;
    }
    return dive(state, most) && wander(state, most) && search_or_eliminate(state, most);
  }

  ValueSearchSettings search_settings(double most, int64_t nodes) {
    ValueSearchSettings settings;
    settings.upper = std::min(upper_, most + slack_);
    settings.slack = slack_;
    settings.nodes = std::min(nodes, settings_.nodes - nodes_);
    settings.stop = settings_.stop;
    settings.found = [this](const Setting& setting, double) { propose_reduced(setting); };
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

  bool dive(SoftConsistency& state, double most) { return search_on(state, most, first_nodes); }

  // A longer local search, once a short search was not enough; false where the better limit is a proof.
  bool wander(SoftConsistency& state, double most) {
    double work = 0;  // of visiting every variable once
    for (const CostTable& table : network_.tables)
      for (const int32_t i : table.scope) work += static_cast<double>(network_.domain(static_cast<size_t>(i)));
    const double visits = wandering / (work + 1) * static_cast<double>(network_.variables());
    Setting setting = reduced_best_.empty() ? Setting(network_.variables(), 0) : reduced_best_;
    Descent(network_).wander(setting, static_cast<size_t>(visits), settings_.stop);
    propose_reduced(setting);
    state.set_limit(std::min(limit(), most));
    if (state.lower() < state.limit() && state.propagate()) return true;
    finish();
    return false;
  }

  // To the end, or about as long as it takes to eliminate all variables.
  bool search_or_eliminate(SoftConsistency& state, double most) {
    const double limit = settings_.elimination;
    const double work = std::min(elimination_work(network_, limit, false), elimination_work(network_, limit, true));
    const int64_t all = std::numeric_limits<int64_t>::max();
    if (search_on(state, most, work <= limit ? static_cast<int64_t>(work / entries_per_node) : all) && work <= limit) eliminate_all();
    return false;
  }

  CostNetwork network_, original_;
  double slack_;
  const ValueSettings& settings_;
  Report report_;
  std::vector<Extension> extensions_;
  Setting best_;
  Setting reduced_best_;  // of the network as it is now, where it was found in that; else empty
  double upper_ = forbidden, lower_;
  bool done_ = false;
  int64_t nodes_ = 0;
  int passes_ = 0;
};

// All parts one after the other, the smallest first.
class WholeSolver {
 public:
  WholeSolver(const ValueGraph& graph, const ValueSettings& settings)
      : graph_(graph),
        settings_(settings),
        quantised_(quantised(graph, settings.tolerance)) {}

  ValueAnswer run() {
    const CostNetwork& network = quantised_.network;
    const CostScale& scale = quantised_.scale;
    const std::vector<std::vector<int32_t>> parts = parts_of(network);
    const double spare = std::floor(settings_.tolerance / scale.unit - 2 * scale.error);
    const double slack =
        std::max({0.0, scale.quantum - 1 - 2 * scale.error, std::floor(spare / static_cast<double>(std::max<size_t>(1, parts.size())))});
    Setting setting = settings_.start.empty() ? Setting(network.variables(), -1) : settings_.start;
    double lower = network.base;
    bool complete = true, feasible = true;
    for (const std::vector<int32_t>& variables : parts) {
      Setting start;
      for (const int32_t i : variables)
        if (!settings_.start.empty()) start.push_back(settings_.start[static_cast<size_t>(i)]);
      PartSolver part(part_of(network, variables), slack, settings_, report(setting, variables, lower));
      part.run(start);
      for (size_t k = 0; k < variables.size() && !part.setting().empty(); ++k)
        setting[static_cast<size_t>(variables[k])] = part.setting()[k];
      feasible = feasible && !part.setting().empty();
      complete = complete && part.complete();
      answer_.nodes += part.nodes();
      answer_.passes += part.passes();
      if (part.complete() && part.setting().empty()) return infeasible();
      lower += part.complete() && scale.quantum > 0 ? part.cost() : part.lower();
    }
    answer_.status = complete ? Status::optimal : Status::budget;
    if (feasible) {
      answer_.feasible = true;
      answer_.setting = setting;
      answer_.value = graph_.value(setting);
    }
    answer_.bound = scale.bound(lower);
    answer_.rounding = scale.unit * scale.error + 4 * std::numeric_limits<double>::epsilon() * (std::fabs(scale.top) + scale.unit * lower);
    return std::move(answer_);
  }

 private:
  ValueAnswer infeasible() {
    answer_.status = Status::infeasible;
    answer_.bound = impossible;
    return std::move(answer_);
  }

  // What a part finds, as news of the whole. Parts that come later are bounded by nothing yet: only the last part has a bound to tell.
  PartSolver::Report report(const Setting& setting, const std::vector<int32_t>& variables, double lower) {
    PartSolver::Report report;
    report.found = [this, &setting, &variables](const Setting& part, double) {
      if (!settings_.found) return;
      Setting whole = setting;
      for (size_t k = 0; k < variables.size(); ++k) whole[static_cast<size_t>(variables[k])] = part[k];
      if (std::find(whole.begin(), whole.end(), -1) == whole.end()) settings_.found(whole, graph_.value(whole));
    };
    report.told = [this, lower](int64_t count, double part_lower) {
      tell(settings_.progress, static_cast<int>(count), impossible, quantised_.scale.bound(lower + part_lower));
    };
    return report;
  }

  const ValueGraph& graph_;
  const ValueSettings& settings_;
  const Quantised quantised_;
  ValueAnswer answer_;
};

}  // namespace

ValueAnswer solve_values(const ValueGraph& graph, const ValueSettings& settings) { return WholeSolver(graph, settings).run(); }

}  // namespace accord::graph
