// SPDX-License-Identifier: Apache-2.0
// The array of part scores and the parts of a tree, against tables counted entry by entry.
#include "core/parses/parts/part_layout.hpp"

#include <stdexcept>

#include "core/parses/parts/part_words.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/part_recipes.hpp"

using namespace accord::parses;
using namespace accord::trees;
using parts::Heads;

namespace {

PartFamilies all_families(int bits) {
  PartFamilies chosen = parts::families(bits);
  chosen.head_bigram = bits & 16;
  chosen.any_sibling = bits & 32;
  chosen.valency = bits & 64;
  chosen.great_grandparent = bits & 128;
  chosen.any_tri_sibling = bits & 256;
  chosen.comb = bits & 512;
  chosen.outer_grandparent = bits & 1024;
  chosen.path = bits & 2048;
  chosen.nonprojective = bits & 4096;
  return chosen;
}

// Heads that may form cycles or cross: a layout asks only whether arcs are candidates.
Heads random_heads(int words, const std::vector<CandidateArc>& arcs, std::mt19937_64& random) {
  Heads heads(static_cast<size_t>(words) + 1, -1);
  for (int32_t m = 1; m <= words; ++m) {
    std::vector<int32_t> choice;
    for (const CandidateArc& arc : arcs)
      if (arc.dependent == m) choice.push_back(arc.head);
    heads[static_cast<size_t>(m)] = choice.empty() ? 0 : choice[random() % choice.size()];
  }
  return heads;
}

bool refuses(int words, const std::vector<CandidateArc>& arcs) {
  try {
    PartLayout().build(words, arcs, {});
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("a tree's slots are those of its parts in tables counted one by one") {
  std::mt19937_64 random(1);
  PartLayout layout;
  std::vector<size_t> slots;
  for (int round = 0; round < 1024; ++round) {
    const int words = 1 + static_cast<int>(random() % 6);
    const std::vector<CandidateArc> arcs = parts::random_arcs(words, round % 3 == 0 ? 1.0 : 0.6, random);
    const PartFamilies families = all_families(round < 320 ? round % 128 : static_cast<int>(random() % 8192));
    layout.build(words, arcs, families);
    const auto numbered = parts::numbered(words, arcs, families);
    CHECK(layout.size() == numbered.size());
    for (int tree = 0; tree < 4; ++tree) {
      const Heads heads = random_heads(words, arcs, random);
      bool candidates = true;
      for (int32_t m = 1; m <= words; ++m) candidates &= numbered.contains(parts::key(Part::arc, {heads[static_cast<size_t>(m)], m}));
      CHECK(layout.parts_of(heads, slots) == candidates);
      const std::vector<double> scores = parts::random_scores(layout.size(), 1.0, random);
      if (!candidates) {
        CHECK(layout.score(scores, heads) == kForbidden);
        continue;
      }
      std::vector<size_t> expected;
      double score = 0;
      for (const parts::Key& part : parts::parts_of_tree(heads))
        if (const auto slot = numbered.find(part); slot != numbered.end()) {
          expected.push_back(slot->second);
          score += scores[slot->second];
        }
      std::sort(slots.begin(), slots.end());
      std::sort(expected.begin(), expected.end());
      CHECK(slots == expected);
      CHECK_NEAR(layout.score(scores, heads), score, 1e-12);
    }
  }
}

TEST("pattern parts come last, and a tree has those whose arcs it has") {
  std::mt19937_64 random(4);
  PartLayout layout;
  std::vector<size_t> slots, before;
  for (int round = 0; round < 200; ++round) {
    const std::vector<CandidateArc> arcs = parts::random_arcs(5, 1.0, random);
    layout.build(5, arcs, all_families(static_cast<int>(random() % 8192)));
    const size_t others = layout.size();
    const Heads heads = random_heads(5, arcs, random);
    CHECK(!layout.families().pattern && layout.parts_of(heads, before));
    for (int32_t number = 0; number < 6; ++number) {
      std::vector<int32_t> set;
      bool all = true;
      for (int32_t m = 1; m <= 2 + number % 3; ++m) {
        const int32_t head =
            random() % 4 != 0 ? heads[static_cast<size_t>(m)] : static_cast<int32_t>((static_cast<uint64_t>(m) + 1 + random() % 4) % 6);
        set.push_back(layout.find(head, m));
        all &= head == heads[static_cast<size_t>(m)];
      }
      layout.add_pattern(number, set);
      if (all) before.push_back(others + static_cast<size_t>(number));
      CHECK(layout.pattern_number(others + static_cast<size_t>(number)) == number);
    }
    CHECK(layout.families().pattern && layout.size() == others + 6);
    CHECK(layout.parts_of(heads, slots) && slots == before);
  }
}

TEST("combs are runs of 4 to 8 neighbouring modifiers on one side") {
  PartLayout layout;
  PartFamilies families;
  families.comb = true;
  for (int words = 3; words <= 11; ++words) {
    std::vector<CandidateArc> arcs;
    for (int32_t m = 1; m <= words; ++m) arcs.push_back({0, m});
    layout.build(words, arcs, families);
    std::vector<size_t> slots;
    CHECK(layout.parts_of(Heads(static_cast<size_t>(words) + 1, 0), slots));
    size_t combs = 0;
    for (int length = 4; length <= std::min(words, 8); ++length) combs += static_cast<size_t>(words - length + 1);
    CHECK(slots.size() == static_cast<size_t>(words) + combs);
    CHECK(layout.size() == slots.size());
  }
}

TEST("arcs are found by their ends, and sides list them outwards") {
  std::mt19937_64 random(2);
  PartLayout layout;
  for (int round = 0; round < 100; ++round) {
    const std::vector<CandidateArc> arcs = parts::random_arcs(6, 0.5, random);
    layout.build(6, arcs, {});
    CHECK(layout.arcs() == static_cast<int>(arcs.size()));
    size_t on_sides = 0;
    for (int side = 0; side < layout.sides(); ++side) {
      int position = 0;
      for (const int32_t arc : layout.modifiers(side)) {
        CHECK(layout.head(arc) == side / 2);
        CHECK(layout.side_of(arc) == side);
        CHECK(layout.position(arc) == ++position);
        CHECK(layout.find(layout.head(arc), layout.dependent(arc)) == arc);
        if (position > 1) {
          const int before = layout.dependent(layout.modifiers(side)[static_cast<size_t>(position) - 2]);
          CHECK(std::abs(layout.dependent(arc) - side / 2) > std::abs(before - side / 2));
        }
        ++on_sides;
      }
    }
    CHECK(on_sides == arcs.size());
    for (int32_t h = 0; h <= 6; ++h) {
      for (int32_t m = 1; m <= 6; ++m)
        CHECK((layout.find(h, m) >= 0) == (std::find(arcs.begin(), arcs.end(), CandidateArc{h, m}) != arcs.end()));
      for (int i = 1; i < layout.modifier_count(h); ++i)
        CHECK(layout.dependent(layout.modifier(h, i - 1)) < layout.dependent(layout.modifier(h, i)));
    }
  }
}

TEST("parts listed by words are those that trees have, each at its slot") {
  std::mt19937_64 random(3);
  PartLayout layout;
  const std::vector<Heads> trees = parts::all_heads(4);
  for (int round = 0; round < 48; ++round) {
    const std::vector<CandidateArc> arcs = parts::random_arcs(4, round % 3 == 0 ? 1.0 : 0.7, random);
    const PartFamilies families = parts::families(round % 16);
    layout.build(4, arcs, families);
    const auto numbered = parts::numbered(4, arcs, families);
    for (const Part family : {Part::arc, Part::sibling, Part::grandparent, Part::grand_sibling, Part::tri_sibling}) {
      // Any heads at all, cycles included: the choices of modifiers that a list must cover.
      std::map<int64_t, std::vector<int32_t>> expected;
      for (const Heads& heads : trees)
        for (const parts::Key& part : parts::parts_of_tree(heads)) {
          const auto slot = numbered.find(part);
          if (part[0] != static_cast<int32_t>(family) || slot == numbered.end()) continue;
          std::vector<int32_t> words = parts::words_of(part);
          if (!words.empty()) expected.emplace(static_cast<int64_t>(slot->second), std::move(words));
        }
      const WordParts listed = list_parts(layout, family);
      std::vector<int64_t> slots;
      std::vector<int32_t> words;
      for (const auto& [slot, tuple] : expected) {
        slots.push_back(slot);
        words.insert(words.end(), tuple.begin(), tuple.end());
      }
      CHECK(listed.slots == slots);
      CHECK(listed.words == words);
    }
  }
}

TEST("arcs outside the sentence, out of order or given twice are refused") {
  CHECK(refuses(2, {{0, 3}}));
  CHECK(refuses(2, {{3, 1}}));
  CHECK(refuses(2, {{1, 0}}));
  CHECK(refuses(2, {{-1, 1}}));
  CHECK(refuses(2, {{1, 1}}));
  CHECK(refuses(2, {{0, 2}, {0, 1}}));
  CHECK(refuses(2, {{0, 1}, {0, 1}}));
  CHECK(!refuses(2, {{0, 1}, {2, 1}, {0, 2}}));
}
