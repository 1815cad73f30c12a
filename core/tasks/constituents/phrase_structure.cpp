// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/phrase_structure.hpp"

namespace accord::tasks {

void PhraseStructure::score() {
  fill(scores_, gold_);
  gold_score_ = 0;
  for (const size_t part : gold_) gold_score_ += scores_[part];
}

double PhraseStructure::gold_cost() const {
  double total = 0;
  for (const size_t part : gold_) total += part_cost(part);
  return total;
}

// Wrong parts cost and gold ones earn; what the gold parts cost together is added by those who tell a value.
const std::vector<double>& PhraseStructure::augmented(double cost) {
  if (cost == 0) return scores_;
  costly_ = scores_;
  for (size_t part = 0; part < costly_.size(); ++part) costly_[part] += cost * part_cost(part);
  for (const size_t part : gold_) costly_[part] -= 2 * cost * part_cost(part);
  return costly_;
}

double PhraseStructure::maximize(double cost) {
  answer_.clear();
  loss_ = gold_cost();
  value_ = best(augmented(cost), answer_) + cost * loss_;
  difference_.assign(scores_.size(), 0.0);
  for (const size_t part : gold_) difference_[part] = 1.0;
  for (const size_t part : answer_) {
    loss_ += difference_[part] == 1.0 ? -part_cost(part) : part_cost(part);
    difference_[part] -= 1.0;
  }
  return value_;
}

double PhraseStructure::expect(double cost) {
  loss_ = gold_cost();
  difference_.resize(scores_.size());
  value_ = sums(augmented(cost), difference_) + cost * loss_;
  for (size_t part = 0; part < difference_.size(); ++part) {
    loss_ += difference_[part] * part_cost(part);
    difference_[part] = -difference_[part];
  }
  for (const size_t part : gold_) {
    loss_ += 2 * difference_[part] * part_cost(part);
    difference_[part] += 1.0;
  }
  return value_;
}

}  // namespace accord::tasks
