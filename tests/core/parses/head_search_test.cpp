// SPDX-License-Identifier: Apache-2.0
// Each head's best modifiers against all subsets, and answers from larger sets than trees in training.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/parses/decoders/head_search.hpp"
#include "core/parses/decoders/part_decoder.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;

namespace {

// Score of one side with these positions taken (START and END not listed), straight from the definition of the slots.
double side_score(const PartLayout& layout, std::span<const double> scores, int side, const std::vector<size_t>& taken,
                  size_t grandparent) {
  const PartFamilies& families = layout.families();
  const size_t count = layout.modifiers(side).size(), row = count + 2, end = count + 1;
  std::vector<size_t> path = {0};
  path.insert(path.end(), taken.begin(), taken.end());
  path.push_back(end);
  double total = 0;
  for (size_t i = 1; i < path.size(); ++i) {
    const size_t last = path[i - 1], next = path[i];
    if (next != end) total += scores[static_cast<size_t>(layout.modifiers(side)[next - 1])];
    if (families.sibling) total += scores[layout.siblings(side) + last * row + next];
    if (families.tri_sibling && i >= 2 && !(path[i - 2] == 0 && next == end))
      total += scores[layout.tri_siblings(side) + (path[i - 2] * (row - 1) + last) * row + next];
    if (grandparent == PartLayout::none) continue;
    if (families.grandparent && next != end) total += scores[layout.grandparents(side) + grandparent * row + next];
    if (families.grand_sibling && !(last == 0 && next == end))
      total += scores[layout.grand_siblings(side) + (grandparent * (row - 1) + last) * row + next];
  }
  return total;
}

double best_side(const PartLayout& layout, std::span<const double> scores, int side, size_t grandparent) {
  const size_t count = layout.modifiers(side).size();
  if (count == 0) return 0;
  double best = -INFINITY;
  for (unsigned bits = 0; bits < (1u << count); ++bits) {
    std::vector<size_t> taken;
    for (size_t i = 0; i < count; ++i)
      if (bits >> i & 1) taken.push_back(i + 1);
    best = std::max(best, side_score(layout, scores, side, taken, grandparent));
  }
  return best;
}

TEST("the best modifiers of each head are those of all subsets, and no tree scores more") {
  std::mt19937 random(5);
  parses::HeadSearch search;
  std::vector<size_t> slots;
  for (int trial = 0; trial < 300; ++trial) {
    const int words = 1 + static_cast<int>(random() % 4);
    PartLayout layout;
    layout.build(words, random_arcs(words, random() % 2 == 0, random), families_of(static_cast<unsigned>(random() % 16)));
    const std::vector<double> scores = random_scores(layout, random);
    double expected = 0;
    for (int head = 0; head <= words; ++head) {
      const bool grand = head > 0 && (layout.families().grandparent || layout.families().grand_sibling);
      double best = -INFINITY;
      for (size_t g = 0; g < (grand ? static_cast<size_t>(layout.entering(head)) : 1); ++g) {
        const size_t grandparent = grand ? g : PartLayout::none;
        best = std::max(best, best_side(layout, scores, 2 * head, grandparent) + best_side(layout, scores, 2 * head + 1, grandparent));
      }
      expected += best;
    }
    const double found = search.maximize(layout, scores, slots);
    CHECK_NEAR(found, expected, 1e-9);
    double total = 0;
    for (const size_t slot : slots) total += scores[slot];
    CHECK_NEAR(total, expected, 1e-9);
    for_each_tree(layout, false, false, [&](std::span<const int32_t> heads) { CHECK(layout.score(scores, heads) <= found + 1e-9); });
  }
}

TEST("the relaxation's values lie between the best tree and its bound, and are a tree's where it is proved") {
  std::mt19937 random(6);
  parses::DecoderSettings settings = cases::search_by();
  settings.iterations = 2000;
  int fractional = 0;
  for (int trial = 0; trial < 260; ++trial) {
    const int words = 2 + static_cast<int>(random() % 3);
    PartLayout layout;
    unsigned families = static_cast<unsigned>(random() % 128);
    if (trial >= 200) families |= static_cast<unsigned>(1 + trial % 3) << 11;  // paths, non-projective arcs, both
    layout.build(words, random_arcs(words, true, random), families_of(families));
    const std::vector<double> scores = random_scores(layout, random);
    double best = -INFINITY;
    for_each_tree(layout, false, true, [&](std::span<const int32_t> heads) { best = std::max(best, layout.score(scores, heads)); });
    std::vector<double> values(layout.size());
    const double value = parses::PartDecoder(false, true).relax(layout, scores, settings, values);
    CHECK(value >= best - 0.02);
    double by_head = 0;
    bool whole = true;
    for (size_t slot = 0; slot < values.size(); ++slot) {
      CHECK(values[slot] >= -1e-6 && values[slot] <= 1 + 1e-6);
      whole = whole && (values[slot] < 1e-6 || values[slot] > 1 - 1e-6);
      if (slot < static_cast<size_t>(layout.arcs())) by_head += values[slot];
    }
    CHECK_NEAR(by_head, words, 0.02);  // one head a word
    if (whole) CHECK_NEAR(value, best, 1e-4);
    fractional += !whole;
  }
  CHECK(fractional > 3);
}

}  // namespace
