// SPDX-License-Identifier: Apache-2.0
// Costs of the values of one variable while its neighbours stay as they are: what local searches ask for again and again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/graph/values/costs/cost_network.hpp"

namespace accord::graph {

class LocalCosts {
 public:
  // The network must outlive this object and stay as it is.
  explicit LocalCosts(const CostNetwork& network) : network_(network), tables_of_(network.tables_of_variables()) {}

  // One cost for each value; a forbidden value or tuple counts `penalty`, which must be as large as every finite cost.
  std::vector<double>& of(size_t variable, const std::vector<int32_t>& setting, double penalty) {
    const size_t values = network_.domain(variable);
    const auto first = static_cast<ptrdiff_t>(network_.first[variable]);
    costs_.assign(network_.values.begin() + first, network_.values.begin() + first + static_cast<ptrdiff_t>(values));
    for (double& cost : costs_) cost = std::min(cost, penalty);
    for (const int32_t t : tables_of_[variable]) {
      const CostTable& table = network_.tables[static_cast<size_t>(t)];
      size_t entry = 0, stride = 0;
      for (size_t k = 0; k < table.scope.size(); ++k) {
        const auto j = static_cast<size_t>(table.scope[k]);
        if (j == variable) stride = table.strides[k];
        else entry += table.strides[k] * static_cast<size_t>(setting[j]);
      }
      const double* from = table.costs->data() + entry;
      for (size_t a = 0; a < values; ++a) costs_[a] += std::min(from[a * stride], penalty);
    }
    return costs_;
  }

  const std::vector<int32_t>& tables_of(size_t variable) const { return tables_of_[variable]; }

 private:
  const CostNetwork& network_;
  std::vector<std::vector<int32_t>> tables_of_;
  std::vector<double> costs_;
};

}  // namespace accord::graph
