// SPDX-License-Identifier: Apache-2.0
#include "core/parses/parts/part_words.hpp"

#include <initializer_list>
#include <span>
#include <stdexcept>
#include <utility>

namespace accord::parses {

namespace {

class Listing {
 public:
  Listing(const PartLayout& layout, Part family) : layout_(layout), family_(family) {}

  WordParts run() {
    if (family_ == Part::arc)
      for (int a = 0; a < layout_.arcs(); ++a) add(static_cast<size_t>(a), {layout_.head(a), layout_.dependent(a)});
    else
      for (int side = 0; side < layout_.sides(); ++side)
        if (first(side) != PartLayout::none) list_side(side);
    return std::move(parts_);
  }

 private:
  size_t first(int side) const {
    switch (family_) {
      case Part::sibling:
        return layout_.siblings(side);
      case Part::grandparent:
        return layout_.grandparents(side);
      case Part::grand_sibling:
        return layout_.grand_siblings(side);
      default:
        return layout_.tri_siblings(side);
    }
  }

  void list_side(int side) {
    const int32_t head = side / 2;
    const std::span<const int32_t> modifiers = layout_.modifiers(side);
    const size_t end = modifiers.size() + 1, row = end + 1;
    const auto word = [&](size_t position) {
      return position == 0 || position == end ? head : static_cast<int32_t>(layout_.dependent(modifiers[position - 1]));
    };
    if (family_ == Part::tri_sibling) {
      for (size_t t = 0; t < end; ++t)
        for (size_t i = t + 1; i < end; ++i)
          for (size_t j = i + 1; j <= end - (t == 0); ++j) add(first(side) + (t * end + i) * row + j, {head, word(t), word(i), word(j)});
      return;
    }
    if (family_ == Part::sibling) {
      for (size_t i = 0; i < end; ++i)
        for (size_t j = i + 1; j <= end - (i == 0); ++j) add(first(side) + i * row + j, {head, word(i), word(j)});
      return;
    }
    for (int g = 0; g < layout_.entering(head); ++g) {
      const int32_t above = layout_.head(layout_.first_entering(head) + g);
      const size_t start = first(side) + static_cast<size_t>(g) * row * (family_ == Part::grandparent ? 1 : end);
      for (size_t i = 0; i < (family_ == Part::grandparent ? 1 : end); ++i)
        for (size_t j = i + 1; j <= end - (i == 0); ++j) {
          if (family_ == Part::grandparent) {
            add(start + j, {above, head, word(j)});
          } else {
            add(start + i * row + j, {above, head, word(i), word(j)});
          }
        }
    }
  }

  void add(size_t slot, std::initializer_list<int32_t> words) {
    parts_.slots.push_back(static_cast<int64_t>(slot));
    parts_.words.insert(parts_.words.end(), words);
  }

  const PartLayout& layout_;
  Part family_;
  WordParts parts_;
};

}  // namespace

size_t tuple_size(Part family) {
  switch (family) {
    case Part::arc:
      return 2;
    case Part::sibling:
    case Part::grandparent:
      return 3;
    case Part::grand_sibling:
    case Part::tri_sibling:
      return 4;
    default:
      return 0;
  }
}

WordParts list_parts(const PartLayout& layout, Part family) {
  if (tuple_size(family) == 0) throw std::invalid_argument("this family of parts has no tuples of words");
  return Listing(layout, family).run();
}

}  // namespace accord::parses
