// SPDX-License-Identifier: Apache-2.0
// The two-dimensional trie against plain enumeration: same features, same scores, no more look-ups than there are prefixes.
#include <cstdlib>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/trie/tests/trie_worlds.hpp"

namespace {
std::size_t allocations = 0;
}

// Counts every allocation of this program, so that a test can show that a walk makes none. Not inlined, or the
// compiler sees free() meet operator new and warns.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace trie_worlds;

TEST("every vertex adds one unit, the path to a template's vertex spells it, and siblings differ") {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Templates templates = random_templates(random, 9);
    const TemplateTree tree(templates, 9, random_presence(random, round % 2 == 0 ? 0 : templates.size()));
    std::multiset<std::int32_t> seen;
    std::set<std::pair<std::int32_t, std::int32_t>> siblings;
    for (std::size_t index = 0; index < tree.size(); ++index) {
      const TemplateVertex& vertex = tree.vertex(index);
      CHECK(siblings.insert({vertex.father, vertex.unit}).second);
      std::vector<std::int32_t> units;
      for (const std::int32_t step : tree.path(static_cast<std::int32_t>(index)))
        units.push_back(tree.vertex(static_cast<std::size_t>(step)).unit);
      CHECK(static_cast<std::int32_t>(units.size()) == vertex.depth + 1);
      std::sort(units.begin(), units.end());
      CHECK(std::adjacent_find(units.begin(), units.end()) == units.end());
      if (vertex.is_virtual()) {
        CHECK(vertex.child_count > 0);
        continue;
      }
      seen.insert(vertex.template_id);
      CHECK(units == templates[static_cast<std::size_t>(vertex.template_id)]);
      CHECK(tree.vertex_of(static_cast<std::size_t>(vertex.template_id)) == static_cast<std::int32_t>(index));
    }
    CHECK(seen.size() == templates.size() && std::set(seen.begin(), seen.end()).size() == templates.size());
  }
}

TEST("a father prunes more when it is rare") {
  // {0} and {1} are both direct ancestors of {0,1}: the first listed wins, unless the second is present less often.
  CHECK(TemplateTree({{0}, {1}, {0, 1}}, 2).vertex(1).father == 0 && TemplateTree({{0}, {1}, {0, 1}}, 2).vertex(0).unit == 0);
  const std::vector<double> presence{0.9, 0.1, 0.05};
  const TemplateTree tree({{0}, {1}, {0, 1}}, 2, presence);
  const TemplateVertex& pair = tree.vertex(static_cast<std::size_t>(tree.vertex_of(2)));
  CHECK(pair.father == tree.vertex_of(1) && pair.unit == 0);
}

TEST("wrong templates are refused") {
  for (const Templates& templates : {Templates{{}}, Templates{{0, 0}}, Templates{{3}}, Templates{{-1}}, Templates{{0, 1}, {1, 0}}}) {
    bool refused = false;
    try {
      TemplateTree tree(templates, 3);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}

TEST("the trie fires exactly the stored features, with the same scores, in every layout") {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const World world(random, round % 3 == 0);
    const double dense_fill = round % 2 == 0 ? 0.5 : 2.0;
    const FeatureTrie hash = world.trie.freeze(TrieLayout::hash, dense_fill);
    const FeatureTrie packed = world.trie.freeze(TrieLayout::double_array, dense_fill);
    CHECK(hash.frozen() && packed.layout() == TrieLayout::double_array && hash.node_count() == packed.node_count());
    for (int count = 0; count < 30; ++count) {
      // One token above the alphabet: known to nobody, though it is a token.
      const Tokens part = random_part(random, World::unit_count, World::alphabet + 1);
      world.check(world.trie, part, false);
      world.check(hash, part, true);
      world.check(packed, part, true);
    }
  }
}

TEST("a path is kept while a feature below it is, and touched by no walk once all are gone") {
  FeatureTrie trie(TemplateTree({{0}, {0, 1}, {0, 1, 2}, {0, 1, 3}}, 4), 1);
  std::vector<std::int32_t> features;
  const Tokens part{5, 6, 7, 8};
  trie.insert_part(part, 0, features);
  CHECK(features.size() == 4);
  CHECK(trie.count_visits(part) == 4);
  for (const TrieLayout layout : {TrieLayout::hash, TrieLayout::double_array}) {
    const auto freeze = [&](std::vector<float> weights) {
      trie.set_weights(weights);
      return trie.freeze(layout);
    };
    const FeatureTrie deep = freeze({0, 0, 0, 1});
    std::vector<std::int32_t> fired;
    deep.append_features(part, fired);
    CHECK(fired == std::vector<std::int32_t>{3} && deep.node_count() == 3);
    const FeatureTrie shallow = freeze({1, 0, 0, 0});
    // The hash must ask once to learn that the row is empty; the double array knows. Neither goes further.
    CHECK(shallow.count_visits(part) == (layout == TrieLayout::hash ? 2u : 1u));
    CHECK(shallow.count_visits({{5, 9, 7, 8}}) == shallow.count_visits(part));
    CHECK(freeze({0, 0, 0, 0}).node_count() == 0);
    CHECK(freeze({1, 1, 1, 1}).count_visits({{4, 6, 7, 8}}) == 1);
    CHECK(freeze({1, 1, 1, 1}).count_visits({{-1, 6, 7, 8}}) == 0);
  }
}

TEST("no walk allocates") {
  Random random(3);
  const World world(random);
  std::vector<Tokens> parts;
  for (int count = 0; count < 50; ++count) parts.push_back(random_part(random, World::unit_count, World::alphabet));
  std::vector<std::int32_t> features;
  features.reserve(1000);
  std::vector<double> scores(World::label_count, 0.0);
  for (const TrieLayout layout : {TrieLayout::hash, TrieLayout::double_array}) {
    const FeatureTrie trie = world.trie.freeze(layout);
    const std::size_t before = allocations;
    for (const Tokens& part : parts) {
      features.clear();
      trie.append_features(part, features);
      trie.add_scores(part, scores);
    }
    CHECK(allocations == before);
  }
  CHECK(allocations > 0);
}
