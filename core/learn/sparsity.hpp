// SPDX-License-Identifier: Apache-2.0
// Online proximal gradient over grouped tables (Martins, Smith, Aguiar & Figueiredo 2011): after the updates of some instances, a
// proximal step makes whole groups of weights zero. With the perceptron's updates and a budget this is the sparseptron.
//
// Step sizes fall with the root of the epoch. A budget shrinks every `interval` instances by just as much as leaves so many groups; a
// group's norm counts in units of its weight, a power of log2 (2 + features of the group), and single rows or entries weigh one. Without a
// budget the penalty has a fixed strength. A trainer calls rate() before an update and count() after it, whatever its task is.
#pragma once
#include <cstdint>
#include <vector>

#include "core/learn/grouped_table.hpp"
#include "core/learn/proximal.hpp"

namespace accord::learn {

// No value has a default here: accord.tasks.sparsity declares them, with bounds and text.
struct SparsitySettings {
  Shrinking shrinking;
  std::vector<std::vector<int32_t>> groups;  // of cells, which are numbered through all tables; cells in no group are never shrunk
  size_t counted;                            // how many of them, from the first on, count for the budget
  size_t budget;                             // of groups, rows or entries; 0: none
  double strength;                           // of the penalty against the sum of all losses, where there is no budget
  double lasso;                              // the same of single entries, beside groups of cells
  double rate;                               // first step size
  size_t interval;                           // instances between proximal steps
  size_t instances;                          // of an epoch
  double size_power;                         // of the logarithm of a group's size: 0 makes all groups weigh one
};

// What a proximal step did: entries that are not zero before and after, and how many groups, rows or entries are left.
struct ShrinkReport {
  size_t before, after, groups;
};

class Sparsity {
 public:
  // `penalised`: by table; rows and entries of other tables are never shrunk. The tables must outlive this.
  Sparsity(std::vector<GroupedTable*> tables, std::vector<uint8_t> penalised, SparsitySettings settings);

  double rate() const;
  void count(size_t instances);
  // The last proximal step; what is zero now is zero for good.
  void finish();

  // By cell: whether it stays. Those stay that are not zero now, or, of a budget of cells that do not overlap, the `strongest` ones after
  // the proximal steps of the last epoch: the last step alone leaves much to chance, because a cell that was nearly zero may just have
  // grown again.
  std::vector<uint8_t> chosen(bool strongest) const;
  std::vector<FeatureKey> features(size_t table) const { return tables_[table]->support(); }  // that are not zero, after finish()
  const std::vector<ShrinkReport>& history() const { return history_; }

 private:
  void shrink();
  void shrink_cells();
  void shrink_small();
  double strength_of(double strength, size_t instances) const;
  size_t count_features() const;
  template <class Visit>
  void each_cell(Visit&& visit) const;

  std::vector<GroupedTable*> tables_;
  std::vector<uint8_t> penalised_;
  SparsitySettings settings_;
  GroupStructure structure_;
  size_t seen_ = 0, shrunk_ = 0;  // instances, and those at the last proximal step
  size_t groups_ = 0;
  std::vector<ShrinkReport> history_;
  std::vector<double> strengths_;  // by cell: sum of the norms that proximal steps of the last epoch left, in units of their weights
  size_t epoch_ = 0;               // that they are of
};

}  // namespace accord::learn
