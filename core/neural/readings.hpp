// SPDX-License-Identifier: Apache-2.0
// Which classes of a network's first tasks go together: a reading of a word is one class of each.
//
// Distribution: P(reading) ~ exp(sum of the scores of its classes) over the readings of the table, and nothing else.
// Choice:       the class of the first task with the largest probability, summed over its readings, and then the best reading with it.
//               So the choice agrees with the probabilities and ranked lists of that task, and all tasks agree with each other.
// Complexity:   a sum for each reading; exponentials only for words whose best readings are close.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accord::neural {

class TagReadings {
 public:
  TagReadings() = default;
  // Rows of one class for each of the first `tasks` tasks. Throws std::invalid_argument for rows that are none, or stand twice.
  TagReadings(std::vector<int32_t> rows, size_t tasks);

  bool empty() const { return rows_.empty(); }
  size_t tasks() const { return tasks_; }  // that it is about
  size_t size() const { return tasks_ == 0 ? 0 : rows_.size() / tasks_; }
  int32_t at(size_t reading, size_t task) const { return rows_[reading * tasks_ + task]; }
  // The largest class of a task.
  int32_t largest(size_t task) const;

  // Scores of one word's classes, by task. All constants that are added to the scores of a task change nothing.
  using Scores = std::span<const std::span<const float>>;
  // The reading that is chosen; `sums` is working space.
  size_t choose(Scores scores, std::vector<double>& sums) const;
  // Logarithms of the probabilities of a task's classes, into `out`; -infinity for classes of no reading.
  void logs(Scores scores, size_t task, std::vector<double>& sums, std::span<float> out) const;

 private:
  // By reading, less their maximum.
  void add_up(Scores scores, std::vector<double>& sums) const;

  size_t tasks_ = 0;
  std::vector<int32_t> rows_;                      // sorted
  std::vector<std::pair<size_t, size_t>> groups_;  // readings with the same first class: first, end
};

}  // namespace accord::neural
