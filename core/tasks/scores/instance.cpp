// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/scores/instance.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/trees/partial.hpp"
#include "core/trees/shape.hpp"

namespace accord::tasks {

namespace {

void read_labels(const text::Document& document, size_t sentence, const LabelIds& label_ids, Instance& instance) {
  for (size_t m = 1; m < instance.heads.size(); ++m) {
    const std::string name(document.field(sentence, m, text::Column::deprel));
    if (const auto label = label_ids.find(name); label != label_ids.end()) {
      instance.labels[m] = label->second;
    } else if (name == "_") {
      instance.partial = true;
    } else {
      throw std::invalid_argument("a label of the training data is not in the list of labels");
    }
  }
}

bool keep_partial_tree(const InstanceRules& rules, Instance& instance) {
  const auto known = [](int32_t head) { return head >= 0; };
  if (std::none_of(instance.heads.begin(), instance.heads.end(), known)) return false;
  if (trees::agreeing_heads(instance.heads, *trees::make_tree_space(false, rules.single_root)) != instance.heads) return false;
  if (!rules.projective) return true;
  const std::vector<int32_t> kept = trees::agreeing_heads(instance.heads, *trees::make_tree_space(true, rules.single_root));
  for (size_t m = 1; m < kept.size(); ++m)
    if (kept[m] != instance.heads[m]) instance.labels[m] = -1;
  instance.heads = kept;
  return true;
}

}  // namespace

bool read_tree(const text::Document& document, size_t sentence, const InstanceRules& rules, const LabelIds& label_ids, Instance& instance) {
  const std::span<const int32_t> heads = document.heads(sentence);
  instance.heads.assign(1, -1);
  instance.heads.insert(instance.heads.end(), heads.begin(), heads.end());
  instance.labels.assign(heads.size() + 1, -1);
  const bool complete_heads = std::all_of(heads.begin(), heads.end(), [](int32_t head) { return head >= 0; });
  instance.partial = !complete_heads;
  if (heads.empty()) return false;
  if (rules.labelled) read_labels(document, sentence, label_ids, instance);
  if (instance.partial && !rules.partial) return false;
  if (!complete_heads) return keep_partial_tree(rules, instance);
  if (!trees::is_tree(instance.heads, rules.single_root)) return false;
  if (rules.projective) instance.heads = trees::closest_projective(instance.heads, rules.single_root);
  return true;
}

}  // namespace accord::tasks
