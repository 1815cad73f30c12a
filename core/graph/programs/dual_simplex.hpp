// SPDX-License-Identifier: Apache-2.0
// The dual simplex method for programs whose columns all have finite bounds.
//
// Problem:   maximise scores . x over a RowMatrix. Every row i has a slack s_i = A_i x with the bounds of the row, so that all
//            constraints are bounds. Columns 0 .. width-1 are x, and column width + i is the slack of row i.
// Method:    all slacks are basic at first and every column is at the bound that its score prefers: a point that is too good. Each step
//            takes a basic variable that breaks a bound to that bound; another variable enters the basis. Variables with two bounds
//            jump from one to the other where that lengthens the step (bound flipping; Maros 2003). The dual value falls with each step,
//            and every value on the way is a bound. After changes of bounds the method goes on from where it stands.
// Cost:      a step looks at the entries of the equality rows and updates a dense inverse of their size (kernel_inverse.hpp). Meant for
//            programs of which some hundred rows hold with equality.
// Certainty: `bound` and the proof of infeasibility are worked out from the multipliers alone, with a margin for rounding, and hold
//            however wrong the multipliers are (Neumaier & Shcherbina 2004, "Safe bounds in linear and mixed-integer programming").
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/graph/programs/kernel_inverse.hpp"
#include "core/graph/programs/row_matrix.hpp"

namespace accord::graph {

class DualSimplex {
 public:
  enum class Outcome {
    optimal,
    infeasible,  // proved
    cut_off,     // the value fell to the cut-off
    limit,       // of steps; or numbers that cannot be trusted
  };
  // Everything that a step changes, so that a search can come back to it.
  struct State {
    std::vector<double> value, cost, low, high;  // of columns and slacks; cost: reduced
    std::vector<int32_t> place;                  // of columns: in the basis; of slacks: among the equality rows; -1: not there
    std::vector<int32_t> basic, equal;           // columns and rows, by place
    KernelInverse inverse;
    double objective = 0;
    int updates = 0;  // of the inverse since it was made afresh
  };

  explicit DualSimplex(const RowMatrix& matrix);

  void set_bounds(size_t column, double low, double high);
  Outcome solve(double cut_off, int64_t steps);

  double value(size_t column) const { return now_.value[column]; }
  double low(size_t column) const { return now_.low[column]; }
  double high(size_t column) const { return now_.high[column]; }
  double objective() const { return now_.objective; }
  int64_t steps() const { return steps_; }
  size_t kernel() const { return now_.basic.size(); }
  // No point within the present bounds has a larger value. Fills costs() with reduced costs that fit the bound.
  double bound();
  double margin() const { return margin_; }  // of the last bound, for rounding
  std::span<const double> costs() const { return safe_costs_; }

  const State& state() const { return now_; }
  void restore(const State& state) { now_ = state; }

 private:
  struct Breakpoint {
    double ratio;
    int32_t variable;
    double alpha;
  };

  size_t width() const { return matrix_.width(); }
  bool is_basic(size_t variable) const { return variable < width() ? now_.place[variable] >= 0 : now_.place[variable] < 0; }
  double violation(size_t variable) const;
  int32_t leaving() const;
  void find_row(size_t leaving);
  void add_row_entries(size_t row, double factor);
  double alpha(size_t variable) const { return alpha_[variable]; }
  int32_t entering(size_t leaving, double sign);
  void step(size_t leaving, size_t entering, double sign);
  void find_column(size_t entering);
  void update_inverse(size_t leaving, size_t entering);
  void move(size_t variable, double by);
  void finish_moves();
  void settle();
  bool refresh();
  void recompute_values();
  bool proves_infeasible(size_t leaving);

  const RowMatrix& matrix_;
  State now_;
  int64_t steps_ = 0;
  std::vector<double> norms_;     // of rows: how their violations are weighed
  std::vector<double> rho_;       // by place among the equality rows: the leaving variable's row of the inverse
  std::vector<double> alpha_;     // of columns and slacks: the same row of the tableau
  std::vector<int32_t> touched_;  // where alpha is not zero
  std::vector<uint8_t> is_touched_;
  std::vector<Breakpoint> breakpoints_;
  std::vector<size_t> flipped_;
  double fall_ = 0;                        // of the dual value in the next step
  std::vector<double> column_;             // by place in the basis: the entering variable's column
  std::vector<double> moved_;              // by place among the equality rows: what moves of nonbasic variables leave to the basic ones
  std::vector<MatrixEntry> moved_places_;  // the same where it is not zero
  std::vector<double> safe_costs_;
  double margin_ = 0;
};

}  // namespace accord::graph
