// SPDX-License-Identifier: Apache-2.0
// Sums over all labellings of a chain: log-partition function and expectations (forward-backward, Baum 1972).
//
// Ways to the same numbers. *Scaled*: exponentials once a table, products and sums from there on, each position's vector
// normalised; tables shared by positions are exponentiated once, and expectations of shared tables are gathered as outer
// products. *Uniform*: the same for first-order chains of one size and one table (uniform_sums.hpp). *Logarithmic*: slower, for scores
// of any size: forward in logarithms relative to each position's best, then from the end what comes before each state, given the
// state (previous.hpp). A scaled way is taken unless numbers could vanish: where a
// finite score lies more than 200 below the largest of its table, or a state's share of its position falls below 1e-100.
// Complexity: O(sum over positions of previous states x labels).
// Passes of their own: one exponential a score instead of one a term, and vector code. The general engine's logarithms
// (core/hypergraph/semirings.hpp) take 5 times as long with 5 labels and 30 times with 20.
#pragma once
#include <span>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/chains/uniform_sums.hpp"

namespace accord::chains {

// Where expectations are added: one pointer a position, null or missing where none are wanted. Positions may share.
struct Expectations {
  std::span<double* const> unary, memory, transition;
};

// Where the expectations of position i go, if they are wanted.
inline double* at(std::span<double* const> outs, size_t i) { return i < outs.size() ? outs[i] : nullptr; }

// Working space of one thread.
class Sums {
 public:
  // The logarithm of the sum of exp(score); `forbidden` when every labelling is.
  double log_partition(const Chain& chain);

  // The same; adds scale * P(label), P(group, label), P(previous state, label) to `out`. Adds nothing when every labelling is
  // forbidden.
  double expectations(const Chain& chain, const Expectations& out, double scale = 1.0);

  // The same by the logarithmic way.
  double logarithmic(const Chain& chain, const Expectations& out, double scale = 1.0);

  // After any of these: log of the sum over prefixes ending in each state, up to a number of each position. What comes before a
  // state is distributed as exp(log_forward + transition).
  std::span<const double> log_forward();

 private:
  struct Table {  // exponentials of a table shared by positions
    const double* source = nullptr;
    size_t size = 0;
    double shift = 0;
    std::vector<double> values;
    double* out = nullptr;         // where its expectations go
    std::vector<double> products;  // gathered outer products
  };

  bool uniform_forward(const Chain& chain) { return uniform_ = UniformSums::fits(chain) && uniform_sums_.forward(chain); }
  bool scaled_forward(const Chain& chain);
  bool scaled_backward(const Chain& chain);
  void scaled_gather(const Chain& chain, const Expectations& out, double scale);
  bool prepare(const Chain& chain);
  int table_of(const double* source, size_t size);
  void log_forward_pass(const Chain& chain);

  std::vector<Table> tables_;
  size_t used_ = 0;
  std::vector<int> table_;                  // by position: its transition table, or -1
  std::vector<double> local_;               // exp(memory + unary - shift), by state
  std::vector<double> forward_, backward_;  // by state
  std::vector<double> weights_;
  std::vector<double> scales_;      // by position: what backward_ was divided by
  std::vector<double> logarithms_;  // of forward_
  double log_partition_ = forbidden;
  bool logarithmic_ = false;
  UniformSums uniform_sums_;
  bool uniform_ = false;  // the last chain was summed by uniform_sums_
};

}  // namespace accord::chains
