// SPDX-License-Identifier: Apache-2.0
// Layouts under given scores: the best heads, a tree and the gold arcs; the words of every part.
#include "core/tasks/pruner/candidate_layouts.hpp"

#include <algorithm>
#include <random>

#include "core/parses/parts/part_words.hpp"
#include "core/trees/space.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using parses::Part;
using parses::PartLayout;
using tasks::PlacedParts;

namespace {

constexpr size_t width = 8;
constexpr parses::PartFamilies second_order{true, true, false, false, false, false, false};

// Four sentences of different lengths in one padded array, some gold heads known.
struct Batch {
  explicit Batch(uint64_t seed) : random(seed), values(words.size() * width * width), gold(words.size() * width, -1) {
    std::normal_distribution<double> normal(0.0, 2.0);
    for (double& value : values) value = normal(random);
    for (size_t s = 0; s < words.size(); ++s)
      for (int64_t m = 1; m <= words[s]; ++m) {
        const auto head = static_cast<int64_t>(random() % static_cast<uint64_t>(words[s] + 1));
        if (head != m && random() % 2 == 0) gold[s * width + static_cast<size_t>(m)] = static_cast<int32_t>(head);
      }
  }

  trees::PaddedScores scores() const { return {values.data(), width, words}; }
  double score(size_t sentence, int head, int dependent) const {
    return values[(sentence * width + static_cast<size_t>(head)) * width + static_cast<size_t>(dependent)];
  }

  std::mt19937_64 random;
  std::vector<int64_t> words{5, 0, 7, 1};
  std::vector<double> values;
  std::vector<int32_t> gold;
};

std::vector<const PartLayout*> pointers(const std::vector<PartLayout>& layouts) {
  std::vector<const PartLayout*> out;
  for (const PartLayout& layout : layouts) out.push_back(&layout);
  return out;
}

TEST("candidates are the best heads of each word, the gold heads and the arcs of the best tree") {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const Batch batch(seed);
    const bool projective = seed % 2 == 0, single_root = seed % 3 == 0;
    const std::vector<PartLayout> layouts =
        tasks::candidate_layouts(batch.scores(), batch.gold, {{2, 0.1}, second_order, projective, single_root, 1});
    CHECK(layouts.size() == batch.words.size());
    for (size_t s = 0; s < layouts.size(); ++s) {
      const int n = static_cast<int>(batch.words[s]);
      const auto size = static_cast<size_t>(n) + 1;
      CHECK(layouts[s].words() == n);
      std::vector<double> own;
      for (int h = 0; h <= n; ++h)
        for (int m = 0; m <= n; ++m) own.push_back(batch.score(s, h, m));
      std::vector<int32_t> tree(size, -1);
      if (n > 0) trees::make_tree_space(projective, single_root)->argmax({own.data(), n}, tree);
      for (int m = 1; m <= n; ++m) {
        std::vector<double> ranked;
        for (int h = 0; h <= n; ++h)
          if (h != m) ranked.push_back(batch.score(s, h, m));
        std::sort(ranked.rbegin(), ranked.rend());
        for (int h = 0; h <= n; ++h) {
          if (h == m) continue;
          const double score = batch.score(s, h, m);
          const bool good = score >= ranked[std::min<size_t>(1, ranked.size() - 1)] && score >= ranked[0] + std::log(0.1);
          const bool gold = batch.gold[s * width + static_cast<size_t>(m)] == h, best = tree[static_cast<size_t>(m)] == h;
          CHECK((layouts[s].find(h, m) >= 0) == (good || gold || best));
        }
      }
    }
  }
}

TEST("parts are placed at the words that lists of parts name, sentence after sentence, with any number of threads") {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const Batch batch(seed);
    const std::vector<PartLayout> layouts = tasks::candidate_layouts(batch.scores(), batch.gold, {{3, 0.0}, second_order, false, true, 3});
    const std::vector<const PartLayout*> views = pointers(layouts);
    for (const Part family : {Part::arc, Part::sibling, Part::grandparent}) {
      const PlacedParts placed = tasks::place_parts(views, family, 99, 1), threaded = tasks::place_parts(views, family, 99, 3);
      CHECK(placed.slots == threaded.slots && placed.sentences == threaded.sentences && placed.positions == threaded.positions);
      std::vector<std::vector<int64_t>> found, wanted;
      for (size_t i = 0; i < placed.slots.size(); ++i) {
        std::vector<int64_t> row{placed.slots[i], placed.sentences[i]};
        for (size_t a = 0; a < placed.anchors; ++a) row.push_back(placed.positions[i * placed.anchors + a]);
        // A side whose START is its END has a part of no words, which lists do not name.
        if (family == Part::sibling && row[3] == 99 && row[4] == 99) continue;
        found.push_back(row);
      }
      int64_t before = 0;
      for (size_t s = 0; s < layouts.size(); ++s) {
        const parses::WordParts listed = parses::list_parts(layouts[s], family);
        const size_t anchors = parses::tuple_size(family);
        for (size_t i = 0; i < listed.slots.size(); ++i) {
          const int32_t* words = listed.words.data() + i * anchors;
          std::vector<int64_t> row{listed.slots[i] + before, static_cast<int64_t>(s)};
          if (family == Part::arc) row.insert(row.end(), {words[0], words[1]});
          else if (family == Part::grandparent) row.insert(row.end(), {words[1], words[2], words[0]});
          else row.insert(row.end(), {words[0], words[2] == words[0] ? 99 : words[2], words[1] == words[0] ? 99 : words[1]});
          wanted.push_back(row);
        }
        before += static_cast<int64_t>(layouts[s].size());
      }
      std::sort(found.begin(), found.end());
      std::sort(wanted.begin(), wanted.end());
      CHECK(found == wanted && !found.empty());
    }
  }
}

TEST("the slots of trees are those of each layout, and a tree of other arcs is refused") {
  const Batch batch(3);
  const std::vector<PartLayout> layouts = tasks::candidate_layouts(batch.scores(), batch.gold, {{1, 1.0}, second_order, false, true, 1});
  const std::vector<const PartLayout*> views = pointers(layouts);
  std::vector<int32_t> heads(batch.words.size() * width, -1);
  for (size_t s = 0; s < layouts.size(); ++s)
    for (int m = 1; m <= layouts[s].words(); ++m) heads[s * width + static_cast<size_t>(m)] = layouts[s].head(layouts[s].first_entering(m));
  const PlacedParts placed = tasks::place_trees(views, heads, width);
  size_t next = 0, before = 0;
  for (size_t s = 0; s < layouts.size(); ++s) {
    std::vector<size_t> slots;
    CHECK(layouts[s].parts_of(std::span(heads).subspan(s * width, static_cast<size_t>(layouts[s].words()) + 1), slots));
    for (const size_t slot : slots) {
      CHECK(placed.slots[next] == static_cast<int64_t>(before + slot) && placed.sentences[next] == static_cast<int64_t>(s));
      ++next;
    }
    before += layouts[s].size();
  }
  CHECK(next == placed.slots.size() && next > 13);
  bool refused = false;
  for (int h = 0; h <= 7 && !refused; ++h) {
    if (h == 4 || layouts[2].find(h, 4) >= 0) continue;
    heads[2 * width + 4] = h;
    try {
      tasks::place_trees(views, heads, width);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
  }
  CHECK(refused);
}

}  // namespace
