// SPDX-License-Identifier: Apache-2.0
// The numbers in which sums over trees are computed are those of core/hypergraph: double, WideReal and Tangent.
#pragma once
#include "core/hypergraph/number.hpp"
#include "core/hypergraph/tangent.hpp"
#include "core/hypergraph/wide_real.hpp"

namespace accord::trees {

using hypergraph::Tangent;
using hypergraph::WideReal;

using hypergraph::add_four_scaled;
using hypergraph::add_scaled;
using hypergraph::dot;
using hypergraph::exp_as;
using hypergraph::exp_nonpositive;
using hypergraph::is_zero;
using hypergraph::log_of;
using hypergraph::to_double;

}  // namespace accord::trees
