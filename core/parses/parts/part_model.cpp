// SPDX-License-Identifier: Apache-2.0
#include "core/parses/parts/part_model.hpp"

namespace accord::parses {

PartUse parts_used(const PartFamilies& families, PartModel model) {
  const bool full = model == PartModel::full;
  const bool third_order = full || model == PartModel::model1 || model == PartModel::model2;
  PartUse use;
  use.sibling = families.sibling && model != PartModel::model0;
  use.grandparent = families.grandparent;
  use.grand_sibling = families.grand_sibling && third_order;
  use.tri_sibling = families.tri_sibling && (full || model == PartModel::model2);
  use.outer_grandparent = families.outer_grandparent && (full || model == PartModel::carreras);
  if (use.outer_grandparent && !use.grandparent && !use.grand_sibling) use.grand = PartUse::Grand::last;
  if (model == PartModel::model2) use.grand = PartUse::Grand::last_two;
  if (model == PartModel::carreras) use.grand = PartUse::Grand::last;
  return use;
}

bool parts_of(const PartLayout& layout, const PartUse& use, std::span<const int32_t> heads, std::vector<size_t>& slots) {
  slots.clear();
  for (int m = 1; m <= layout.words(); ++m)
    if (layout.find(heads[static_cast<size_t>(m)], m) < 0) return false;
  const auto add = [&slots](size_t slot) { slots.push_back(slot); };
  for (int side = 0; side < layout.sides(); ++side) {
    const int head = side / 2;
    const size_t grandparent = head == 0
                                   ? PartLayout::none
                                   : static_cast<size_t>(layout.find(heads[static_cast<size_t>(head)], head) - layout.first_entering(head));
    const SideMoves moves(layout, use, side, grandparent);
    const std::span<const int32_t> modifiers = layout.modifiers(side);
    size_t before_last = PartLayout::none, last = 0;
    for (size_t next = 1; next <= modifiers.size(); ++next) {
      if (heads[static_cast<size_t>(layout.dependent(modifiers[next - 1]))] != head) continue;
      moves.take(before_last, last, next, add);
      before_last = last;
      last = next;
    }
    if (last == 0) {
      moves.none(add);
    } else {
      moves.stop(before_last, last, add);
    }
  }
  return true;
}

}  // namespace accord::parses
