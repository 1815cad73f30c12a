// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/scorer.hpp"

#include <stdexcept>

namespace accord::tasks {

CandidateLabels& TreeScorer::score_tree_labels(std::span<const int32_t>, std::span<const int32_t>, bool) {
  throw std::logic_error("this scorer scores labels arc by arc");
}

}  // namespace accord::tasks
