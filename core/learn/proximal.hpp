// SPDX-License-Identifier: Apache-2.0
// Proximity operators of penalties that make weights exactly zero:
//
//   prox(x) = argmin over z of |z - x|^2 / 2 + threshold * sum over groups g of weight_g * |z_g|
//
// One entry in a group is soft thresholding (the lasso). Groups that do not overlap are shrunk one by one. Nested groups are shrunk from
// the smallest to the largest, which is exact (Jenatton et al. 2010). Groups that overlap in another way have no closed form: they are
// put into layers of groups that do not overlap, and the layers are applied one after the other, which is a step of online proximal
// gradient with several penalties (Martins et al. 2011). Complexity: linear in the sizes of the groups.
//
// An entry may stand for a whole vector: shrinking acts on a vector by its norm alone, so the norms of the vectors are the entries.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::learn {

// The number nearer to zero by `threshold`, zero where it would cross.
double soft_threshold(double value, double threshold);
// The vector shorter by `threshold`, zero where it is not longer. A vector of one entry is soft thresholded, bit for bit.
void shrink(std::span<double> values, double threshold);

class GroupStructure {
 public:
  // The entries of each group, out of `entries` ones; weights are 1 until they are set. Throws std::invalid_argument for a group that
  // is empty, names an entry twice or names one that is not there.
  GroupStructure(std::vector<std::vector<int32_t>> members, size_t entries);

  size_t size() const { return members_.size(); }
  size_t entries() const { return entries_; }
  const std::vector<int32_t>& members(size_t group) const { return members_[group]; }
  // Groups that are applied together, in the order of application; those of a layer do not overlap.
  const std::vector<std::vector<int32_t>>& layers() const { return layers_; }
  void set_weights(std::vector<double> weights);

  void prox(std::span<double> values, double threshold) const;
  double norm(size_t group, std::span<const double> values) const;
  // The norm of each group in units of its weight: the least threshold that makes the group zero. Groups of no weight never are.
  std::vector<double> ratios(std::span<const double> values) const;
  // How many of the first `counted` groups are not zero.
  size_t alive(std::span<const double> values, size_t counted) const;
  // The threshold after which at most `budget` of the first `counted` groups are not zero: half-way between the least one that does it
  // and the least one that leaves fewer. Zero where there are no more than the budget anyway. Where groups overlap, a group may be
  // shrunk more than once, and the two are found by bisection: the larger the threshold, the fewer groups are left.
  double threshold_for(std::span<const double> values, size_t budget, size_t counted) const;

 private:
  double least_threshold(std::span<const double> values, size_t budget, size_t counted) const;

  std::vector<std::vector<int32_t>> members_;
  std::vector<double> weights_;
  std::vector<std::vector<int32_t>> layers_;
  size_t entries_;
};

// The threshold that leaves at most `budget` of the ratios: half-way between the last that stays and the first that goes. Zero where
// there are no more than the budget anyway. Where several are equal at the border, all of them go.
double budget_threshold(std::span<const double> ratios, size_t budget);

}  // namespace accord::learn
