// SPDX-License-Identifier: Apache-2.0
// What "sum" and "product" can mean for one dynamic programme (Goodman 1999).
//
//     MaxPlus               scores; the best derivation
//     LogSum                logarithms of sums of exp(score); any range, one exponential a term
//     SumProduct<double>    sums themselves, for those who can bound them; with weights of one: the number of derivations
//     SumProduct<WideReal>  sums themselves, any range
//     SumProduct<Tangent>   sums that move along a direction: the expectation semiring of Li & Eisner (2009), with the derivative of the
//                           logarithm in the place of the derivative, so that it keeps its size
// A semiring has zero, one, plus and times, `absent` (certainly zero), and a Sum that adds terms and gives and forgets their total:
// LogSum needs all terms of a sum at once.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "core/hypergraph/items.hpp"
#include "core/hypergraph/number.hpp"

namespace accord::hypergraph {

template <class Number>
struct SumProduct {
  using Value = Number;
  static Value zero() { return Number(0.0); }
  static Value one() { return Number(1.0); }
  static Value plus(Value a, Value b) { return a + b; }
  static Value times(Value a, Value b) { return a * b; }
  static bool absent(Value a) { return is_zero(a); }

  class Sum {
   public:
    void add(Value value) { sum_ += value; }
    Value total() { return std::exchange(sum_, zero()); }

   private:
    Value sum_ = zero();
  };
};

struct MaxPlus {
  using Value = double;
  static Value zero() { return forbidden; }
  static Value one() { return 0.0; }
  static Value plus(Value a, Value b) { return a > b ? a : b; }
  static Value times(Value a, Value b) { return a + b; }
  static bool absent(Value a) { return a == zero(); }

  class Sum {
   public:
    void add(double value) { best_ = value > best_ ? value : best_; }  // no branch: nobody can predict which edge is best
    double total() { return std::exchange(best_, forbidden); }

   private:
    double best_ = forbidden;
  };
};

struct LogSum {
  using Value = double;
  static Value zero() { return forbidden; }
  static Value one() { return 0.0; }
  static Value plus(Value a, Value b) {
    if (a < b) std::swap(a, b);
    return b == forbidden ? a : a + std::log1p(std::exp(b - a));
  }
  static Value times(Value a, Value b) { return a + b; }
  static bool absent(Value a) { return a == zero(); }

  class Sum {
   public:
    [[gnu::always_inline]] void add(double value) {
      terms_.push_back(value);
      peak_ = value > peak_ ? value : peak_;
    }

    [[gnu::always_inline]] double total() {
      const double peak = std::exchange(peak_, forbidden);
      double log_sum = 0;
      if (terms_.size() > 1 && peak != forbidden) {  // most items of sparse graphs have one edge
        double sum = 0;
        for (const double term : terms_) sum += exp_nonpositive(term - peak);
        log_sum = std::log(sum);
      }
      terms_.clear();
      return peak + log_sum;
    }

   private:
    double peak_ = forbidden;
    std::vector<double> terms_;
  };
};

}  // namespace accord::hypergraph
