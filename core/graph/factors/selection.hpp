// SPDX-License-Identifier: Apache-2.0
// The output repeats the input that a selector chooses: a word descends from another exactly when its head does.
//
// Variables: `direct` selector (if there is one), selectors 1..k, inputs 1..k, output, in this order.
// Set:       at most one selector is on; output = input h where selector h is on, 1 with the direct selector, 0 with none. Inputs that
//            are not selected are free. Own scores are zero.
// Hull:      with q_h for "selector and input h": q_h <= selector_h, q_h <= input_h, q_h >= selector_h + input_h - 1,
//            output = direct + sum q, direct + sum selector <= 1: by disjunction over the selectors these rows are tight, so that one
//            factor does what a conjunction for each q and a choice of one of them would do, without variables for q.
// maximize, marginals: O(k).
// project:   with u_h = q_h and v_h = selector_h - q_h, input h lies in [u_h, 1 - v_h]. Where the output's target can be met at no cost,
//            the selectors are projected on the simplex and all else stays; else a price of the output and one of the selectors' sum
//            part the problem into k of one line each, and two nested Newton searches for zeros of piecewise linear functions find
//            the prices: O(k) a step, a few steps.
// Paper:     Martins et al. (2010), "Turbo Parsers", and (2011), "Dual Decomposition with Many Overlapping Components", whose flow and
//            path variables say the same from the side of the arcs.
#pragma once
#include <utility>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class Selection final : public Factor {
 public:
  // Throws std::invalid_argument when there is nothing to select.
  Selection(size_t inputs, bool direct);

  std::string_view kind() const override { return "selection"; }
  size_t size() const override { return direct_ + 2 * inputs_ + 1; }
  bool can(Ability ability) const override { return ability != Ability::max_marginals; }
  OwnRange own_range() const override { return {0, 0}; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  size_t selector(size_t h) const { return direct_ + h; }
  size_t input(size_t h) const { return direct_ + inputs_ + h; }
  size_t output() const { return direct_ + 2 * inputs_; }

  size_t inputs_, direct_;
  struct Slope {
    double by_target, by_price;  // by the target of the selector, less its price; by the price of the output

    void operator+=(const Slope& other) { by_target += other.by_target, by_price += other.by_price; }
  };
  struct Share {
    double selected, both;  // of a selector, and of it with its input
    Slope selected_slope, both_slope;
  };
  // The answer of selector h or, for h = inputs_, of the direct one, to prices of the output and of selectors.
  Share share(std::span<const double> target, size_t h, double price, double selector_price) const;
  Share total(std::span<const double> target, double price, double selector_price) const;
  // At which they sum to one, or none; near `start`, perhaps.
  double selector_price(std::span<const double> target, double price, double start) const;
  bool project_on_vertex(std::span<const double> target, std::span<double> z);
  bool project_freely(std::span<const double> target, std::span<double> z, double& missing);

  std::pair<double, double> last_prices_ = {0.0, 0.0};  // of the output and of selectors
  std::vector<double> near_top_, scores_;
  std::vector<uint8_t> configuration_;
  std::vector<double> choices_;  // of a selector, or of none: shares of the whole
};

}  // namespace accord::graph
