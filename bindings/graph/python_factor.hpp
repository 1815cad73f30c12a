// SPDX-License-Identifier: Apache-2.0
// A factor written in Python: an object with maximize(scores) -> (configuration, value), and optionally score(configuration).
#pragma once
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/graph/factor.hpp"

class PythonFactor final : public accord::graph::Factor {
 public:
  PythonFactor(nb::object object, size_t size) : object_(std::move(object)), size_(size), steer_(size), found_(size) {
    scores_own_ = nb::hasattr(object_, "score");
  }

  ~PythonFactor() override {
    Locked acquired;
    object_.reset();
  }

  std::string_view kind() const override { return "custom"; }
  size_t size() const override { return size_; }
  bool can(Ability) const override { return false; }

  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    Locked acquired;
    std::vector<double> copy(scores.begin(), scores.end());
    const nb::object answer = object_.attr("maximize")(to_numpy(std::move(copy), {size_}));
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2)
      throw nb::type_error("maximize(scores) must return (configuration, value)");
    const auto chosen = nb::cast<std::vector<int>>(nb::object(answer[0]));
    if (chosen.size() != size_) throw nb::value_error("maximize(scores) returned a configuration of the wrong length");
    for (size_t i = 0; i < size_; ++i) configuration[i] = chosen[i] != 0;
    const double value = nb::cast<double>(nb::object(answer[1]));
    if (std::isnan(value)) throw nb::value_error("maximize(scores) returned NaN as value");
    double own = value;
    for (size_t i = 0; i < size_; ++i)
      if (configuration[i]) own -= scores[i];
    if (std::isfinite(own)) largest_own_ = std::max(largest_own_, std::fabs(own));
    return value;
  }

  double score(std::span<const uint8_t> configuration) override {
    if (scores_own_) {
      Locked acquired;
      std::vector<uint8_t> copy(configuration.begin(), configuration.end());
      return nb::cast<double>(object_.attr("score")(to_numpy(std::move(copy), {size_})));
    }
    // Steered hard enough, maximize answers with the configuration itself if it allows it. What is hard enough depends on own
    // scores, of which only those seen so far are known; a power of two leaves them their digits.
    const double seen = largest_own_ > 0 ? std::exp2(std::ceil(std::log2(largest_own_))) : 1.0;
    for (const double hard : {0x1p20 * seen, 0x1p40 * seen}) {
      double steering = 0;
      for (size_t i = 0; i < size_; ++i) {
        steer_[i] = configuration[i] ? hard : -hard;
        if (configuration[i]) steering += hard;
      }
      const double known = largest_own_;
      const double value = maximize(steer_, found_);
      largest_own_ = known;  // rounding of the steering is no own score
      if (std::equal(found_.begin(), found_.end(), configuration.begin())) return value - steering;
    }
    return accord::graph::impossible;
  }

  // For the garbage collector: a factor may refer to the graph that holds it.
  const nb::object& object() const { return object_; }
  void forget() { object_ = nb::none(); }

 private:
  nb::object object_;
  size_t size_;
  bool scores_own_ = false;
  double largest_own_ = 0;  // of the own scores seen so far
  std::vector<double> steer_;
  std::vector<uint8_t> found_;
};
