// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/program_solution.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "core/graph/common_measure.hpp"
#include "core/graph/programs/needed_rows.hpp"
#include "core/graph/programs/program_search.hpp"
#include "core/graph/programs/reduced_program.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

constexpr int most_restarts = 8;
constexpr double share_of_measure = 0.999;  // a better point is better by the whole measure; the rest is for rounding

class ProgramSolver {
 public:
  ProgramSolver(const FactorGraph& graph, const ProgramSettings& settings)
      : graph_(graph),
        settings_(settings),
        program_(collect_needed(graph)),
        constant_(constant_of(graph)),
        tolerance_(settings.gap > 0 ? settings.gap * scale_of(graph).spread : 0.0) {
    program_.constant -= graph.constant();
    for (size_t j = 0; j < program_.high.size(); ++j)
      if (std::isinf(program_.high[j])) throw std::invalid_argument("a factor asks for a column without an upper bound");
    counts_.assign(program_.scores.size(), 1);
    for (size_t r = 0; r < graph.variables(); ++r) counts_[r] = !decided_alone(graph, r);
    measure_ = measure();
  }

  Solution run() {
    if (!settings_.start.empty()) consider({settings_.start.begin(), settings_.start.end()});
    std::vector<double> low = program_.low, high = program_.high;
    bool complete = false;
    for (int round = 0; !complete; ++round) {
      const ReducedProgram program = reduced(program_, low, high, counts_);
      if (program.infeasible || contradicts(low, high)) {
        complete = true;
      } else if (program.column_of.empty()) {
        propose(program, {});
        closed_ = std::max(closed_, best_.value);
        complete = true;
      } else {
        const ProgramSearchResult result = search(program, round < most_restarts);
        complete = result.end == ProgramSearchResult::End::complete;
        if (result.end == ProgramSearchResult::End::stopped) break;
        for (size_t k = 0; k < result.low.size(); ++k) {
          low[static_cast<size_t>(program.column_of[k])] = result.low[k];
          high[static_cast<size_t>(program.column_of[k])] = result.high[k];
        }
      }
    }
    return finish(complete);
  }

 private:
  static bool contradicts(const std::vector<double>& low, const std::vector<double>& high) {
    for (size_t j = 0; j < low.size(); ++j)
      if (low[j] > high[j]) return true;
    return false;
  }

  // Of all scores, where there is one; 0: none.
  double measure() const {
    double stake = 0;
    for (size_t j = 0; j < counts_.size(); ++j) stake += counts_[j] ? std::fabs(program_.scores[j]) : 0.0;
    error_ = 64 * std::numeric_limits<double>::epsilon() * stake;
    if (!program_.counted || !(stake > 0)) return 0;
    CommonMeasure common(stake);
    for (size_t j = 0; j < counts_.size(); ++j)
      if (counts_[j]) common.see(std::fabs(program_.scores[j]));
    if (!(common.measure() > 0)) return 0;
    for (size_t j = 0; j < counts_.size(); ++j)
      if (counts_[j] && !common.fits(std::fabs(program_.scores[j]))) return 0;
    return common.measure();
  }

  ProgramSearchResult search(const ReducedProgram& program, bool restarts) {
    const double constant = program.constant + program_.constant, scale = program.scale;
    const double slack = std::max(tolerance_, share_of_measure * measure_);
    ProgramSearchSettings inner;
    inner.nodes = settings_.nodes - best_.iterations;
    inner.slack = slack * scale;
    inner.kernel = settings_.kernel;
    inner.restarts = restarts;
    inner.stop = settings_.stop;
    inner.propose = [&](std::span<const double> point) {
      propose(program, point);
      return best_.value > impossible ? (best_.value - constant) * scale : impossible;
    };
    inner.told = [&](int64_t nodes, double bound) {
      const double now = std::max({best_.value, closed_, bound / scale + constant});
      tell(settings_.progress, static_cast<int>(best_.iterations + nodes), best_.value + constant_, bound_with(constant_, now));
    };
    const ProgramSearchResult result = search_program(program.matrix, inner.propose({}), inner);
    best_.iterations += static_cast<int>(result.nodes);
    rounding_ = std::max(rounding_, result.margin / scale);
    if (result.end != ProgramSearchResult::End::restart) closed_ = std::max(closed_, result.bound / scale + constant);
    return result;
  }

  // A point of the reduced program, as an assignment; an empty one is no news.
  void propose(const ReducedProgram& program, std::span<const double> point) {
    if (point.empty() && !program.column_of.empty()) return;
    std::vector<double> values = program.values;
    for (size_t k = 0; k < point.size(); ++k) values[static_cast<size_t>(program.column_of[k])] = point[k];
    std::vector<uint8_t> assignment(graph_.variables());
    for (size_t r = 0; r < assignment.size(); ++r) assignment[r] = decided_alone(graph_, r) ? value_alone(graph_, r) : values[r] > 0.5;
    follow(graph_, program_, assignment);
    consider(std::move(assignment));
  }

  void consider(std::vector<uint8_t> assignment) {
    const double value = graph_.coupled_value(assignment);
    if (value <= best_.value) return;
    best_.value = value;
    best_.assignment = std::move(assignment);
    if (settings_.better) settings_.better(best_.assignment, value + constant_);
  }

  Solution finish(bool complete) {
    best_.status = !complete ? Status::budget : best_.value > impossible ? Status::optimal : Status::infeasible;
    if (complete && measure_ > 0 && share_of_measure * measure_ >= tolerance_) closed_ = best_.value;  // nothing lies between
    best_.bound = std::max(best_.value, closed_);
    best_.rounding = rounding_ + error_;
    if (best_.status == Status::budget && best_.value > impossible && best_.bound - 2 * best_.rounding <= best_.value + tolerance_)
      best_.status = Status::optimal;
    best_.posteriors.assign(graph_.variables(), 0.5);
    if (best_.value > impossible) best_.posteriors.assign(best_.assignment.begin(), best_.assignment.end());
    if (best_.status != Status::infeasible && closed_ > impossible) best_.bound = std::max(best_.value, closed_ + error_);
    settle_bound(graph_, constant_, best_);
    if (best_.status == Status::infeasible) best_.bound = impossible;
    best_.seconds = since(begin_);
    return std::move(best_);
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const FactorGraph& graph_;
  const ProgramSettings& settings_;
  NeededProgram program_;
  double constant_, tolerance_;
  std::vector<uint8_t> counts_;  // of columns: whose scores are at stake
  mutable double error_ = 0;     // of the program's scores, by rounding
  double measure_ = 0;
  Solution best_;  // its value is that of the coupled graph until the end
  double closed_ = impossible, rounding_ = 0;
};

}  // namespace

Solution solve_by_program(const FactorGraph& graph, const ProgramSettings& settings) { return ProgramSolver(graph, settings).run(); }

}  // namespace accord::graph
