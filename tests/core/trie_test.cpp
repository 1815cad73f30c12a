// The two-dimensional trie against plain enumeration: same features, same scores, no more look-ups than there are
// prefixes.
#include "core/text/trie.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/text/trie_baselines.hpp"
#include "core/text/trie_batch.hpp"
#include "core/text/trie_packing.hpp"
#include "tests/core/check.hpp"

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

namespace {

using namespace accord::text;

using Random = std::mt19937;
using Tokens = std::vector<std::int32_t>;
using Templates = std::vector<std::vector<std::int32_t>>;

int draw(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

Templates random_templates(Random& random, int unit_count) {
  std::set<std::vector<std::int32_t>> distinct;
  for (int count = draw(random, 1, 25); count > 0; --count) {
    std::set<std::int32_t> units;
    for (int size = draw(random, 1, 5); size > 0; --size) units.insert(draw(random, 0, unit_count - 1));
    distinct.insert({units.begin(), units.end()});
  }
  Templates templates(distinct.begin(), distinct.end());
  std::shuffle(templates.begin(), templates.end(), random);
  return templates;
}

std::vector<double> random_presence(Random& random, std::size_t template_count) {
  std::vector<double> presence(template_count);
  for (double& chance : presence) chance = draw(random, 0, 5);
  return presence;
}

Tokens random_part(Random& random, int unit_count, int alphabet) {
  Tokens tokens;
  for (int unit = 0; unit < unit_count; ++unit)
    tokens.push_back(draw(random, 0, 5) == 0 ? -1 : draw(random, 0, alphabet));
  return tokens;
}

// The reference: features by template, tokens and label in a map.
struct Naive {
  Templates templates;
  std::map<std::tuple<std::size_t, Tokens>, std::map<std::int32_t, std::int32_t>> features;
  std::vector<float> weights;

  bool key(std::size_t template_id, const Tokens& tokens, Tokens& values) const {
    values.clear();
    for (const std::int32_t unit : templates[template_id]) values.push_back(tokens[static_cast<std::size_t>(unit)]);
    return std::find(values.begin(), values.end(), -1) == values.end();
  }

  // The features of the part in ascending order, and the scores of the labels.
  std::vector<std::int32_t> read(const Tokens& tokens, bool skip_zero, std::vector<double>& scores) const {
    std::vector<std::int32_t> found;
    Tokens values;
    for (std::size_t index = 0; index < templates.size(); ++index) {
      if (!key(index, tokens, values)) continue;
      const auto entry = features.find({index, values});
      if (entry == features.end()) continue;
      for (const auto& [label, feature] : entry->second) {
        const float weight = weights[static_cast<std::size_t>(feature)];
        if (skip_zero && weight == 0.0f) continue;
        found.push_back(feature);
        scores[static_cast<std::size_t>(label)] += static_cast<double>(weight);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

struct World {
  static constexpr int unit_count = 8, alphabet = 3, label_count = 4;
  Naive naive;
  FeatureTrie trie;

  explicit World(Random& random, bool with_presence = false)
      : naive{random_templates(random, unit_count), {}, {}},
        trie(TemplateTree(naive.templates, unit_count,
                          with_presence ? random_presence(random, naive.templates.size()) : std::vector<double>()),
             label_count) {
    for (int count = draw(random, 0, 40); count > 0; --count) insert(random);
    for (std::size_t feature = 0; feature < trie.feature_count(); ++feature)
      naive.weights.push_back(static_cast<float>(draw(random, -3, 3)) / 8.0f);
    trie.set_weights(naive.weights);
  }

  void insert(Random& random) {
    const Tokens part = random_part(random, unit_count, alphabet);
    const std::int32_t label = draw(random, 0, label_count - 1);
    Tokens values;
    if (draw(random, 0, 1) == 0) {
      const auto index = static_cast<std::size_t>(draw(random, 0, static_cast<int>(naive.templates.size()) - 1));
      const std::int32_t feature = trie.insert(index, part, label);
      CHECK((feature >= 0) == naive.key(index, part, values));
      if (feature >= 0) naive.features[{index, values}][label] = feature;
      return;
    }
    std::vector<std::int32_t> features;
    trie.insert_part(part, label, features);
    std::size_t next = 0;
    for (const TemplateVertex& vertex : trie.tree().vertices()) {
      if (vertex.is_virtual() || !naive.key(static_cast<std::size_t>(vertex.template_id), part, values)) continue;
      CHECK(next < features.size());
      naive.features[{static_cast<std::size_t>(vertex.template_id), values}][label] = features[next++];
    }
    CHECK(next == features.size());
  }

  void check(const FeatureTrie& read, const Tokens& part, bool skip_zero) const {
    std::vector<double> expected_scores(label_count, 0.0), scores(label_count, 0.0);
    const auto expected = naive.read(part, skip_zero, expected_scores);
    std::vector<std::int32_t> features;
    read.append_features(part, features);
    std::sort(features.begin(), features.end());
    CHECK(features == expected);
    read.add_scores(part, scores);
    CHECK(scores == expected_scores);
  }
};

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
  CHECK(TemplateTree({{0}, {1}, {0, 1}}, 2).vertex(1).father == 0 &&
        TemplateTree({{0}, {1}, {0, 1}}, 2).vertex(0).unit == 0);
  const std::vector<double> presence{0.9, 0.1, 0.05};
  const TemplateTree tree({{0}, {1}, {0, 1}}, 2, presence);
  const TemplateVertex& pair = tree.vertex(static_cast<std::size_t>(tree.vertex_of(2)));
  CHECK(pair.father == tree.vertex_of(1) && pair.unit == 0);
}

TEST("wrong templates are refused") {
  for (const Templates& templates :
       {Templates{{}}, Templates{{0, 0}}, Templates{{3}}, Templates{{-1}}, Templates{{0, 1}, {1, 0}}}) {
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

TEST("packed rows share no slot, however they interleave") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::size_t> row_begin{0};
    std::vector<std::uint32_t> tokens;
    for (int rows = draw(random, 0, 60); rows > 0; --rows) {
      std::set<std::uint32_t> row;
      for (int size = draw(random, 0, 12); size > 0; --size)
        row.insert(static_cast<std::uint32_t>(draw(random, 0, 300)));
      tokens.insert(tokens.end(), row.begin(), row.end());
      row_begin.push_back(tokens.size());
    }
    const PackedRows packed = pack_rows(row_begin, tokens);
    std::set<std::uint32_t> slots;
    for (std::size_t row = 0; row + 1 < row_begin.size(); ++row) {
      CHECK((packed.bases[row] == no_row) == (row_begin[row] == row_begin[row + 1]));
      for (std::size_t at = row_begin[row]; at < row_begin[row + 1]; ++at) {
        const std::uint32_t slot = packed.bases[row] + tokens[at];
        CHECK(slot < packed.slot_count && slots.insert(slot).second);
      }
    }
    CHECK(pack_rows(row_begin, tokens).bases == packed.bases);
  }
}

TEST("rows of one token leave no hole, and no row gets the base that marks an empty one") {
  const std::vector<std::uint32_t> tokens{900, 1, 0, 70, 2, 33};
  const std::vector<std::size_t> row_begin{0, 1, 2, 3, 4, 5, 6};
  CHECK(pack_rows(row_begin, tokens).slot_count == tokens.size());
  // Token 1 would lie at slot 0 from base -1.
  const PackedRows single = pack_rows(std::vector<std::size_t>{0, 1}, std::vector<std::uint32_t>{1});
  CHECK(single.bases.front() == 0 && single.slot_count == 2);
}

TEST("freezing does not depend on the order of insertion, and bytes go round") {
  const Templates templates{{0}, {0, 1}, {1, 2}, {0, 1, 2}};
  const std::vector<Tokens> parts{{1, 2, 3}, {1, 5, 3}, {4, 2, 3}, {1, 2, 0}};
  const auto build = [&](bool backwards) {
    FeatureTrie trie(TemplateTree(templates, 3), 2);
    std::vector<std::int32_t> features;
    for (std::size_t index = 0; index < parts.size(); ++index)
      trie.insert_part(parts[backwards ? parts.size() - 1 - index : index], 1, features);
    trie.set_weights(std::vector<float>(trie.feature_count(), 0.5f));
    return trie;
  };
  for (const TrieLayout layout : {TrieLayout::hash, TrieLayout::double_array}) {
    const FeatureTrie forward = build(false).freeze(layout), backward = build(true).freeze(layout);
    CHECK(forward.save() == build(false).freeze(layout).save());
    std::vector<std::uint32_t> forward_rows, backward_rows;
    for (const Tokens& part : parts) {
      forward.walk(part.data(), [&](std::uint32_t row) { forward_rows.push_back(row); });
      backward.walk(part.data(), [&](std::uint32_t row) { backward_rows.push_back(row); });
    }
    CHECK(!forward_rows.empty() && forward_rows == backward_rows);

    const FeatureTrie loaded = FeatureTrie::load(forward.save());
    CHECK(loaded.save() == forward.save() && loaded.feature_count() == forward.feature_count());
    for (const Tokens& part : parts) {
      std::vector<std::int32_t> before, after;
      forward.append_features(part, before);
      loaded.append_features(part, after);
      CHECK(!before.empty() && before == after);
    }
    CHECK(loaded.freeze(layout).save() == forward.save());
  }
}

bool loads(std::string_view bytes) {
  try {
    (void)FeatureTrie::load(bytes);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// The checksum of the format, written again so that a test can forge files.
std::string forged(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  std::uint64_t sum = 0x243F6A8885A308D3u ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 29;
  }
  bytes.append(reinterpret_cast<const char*>(&sum), 8);
  return bytes;
}

TEST("damaged bytes are refused, and forged ones stay within their arrays") {
  Random random(5);
  const World world(random);
  for (const TrieLayout layout : {TrieLayout::hash, TrieLayout::double_array}) {
    const std::string bytes = world.trie.freeze(layout).save();
    CHECK(loads(bytes) && forged(bytes) == bytes && !loads("") && !loads("accord2d"));
    for (std::size_t length = 0; length < bytes.size(); length += 7) CHECK(!loads(bytes.substr(0, length)));
    for (int round = 0; round < 3000; ++round) {
      std::string damaged = bytes;
      const auto at = static_cast<std::size_t>(draw(random, 0, static_cast<int>(bytes.size()) - 9));
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << draw(random, 0, 7)));
      if (round % 10 == 0) CHECK(!loads(damaged));
      try {
        const FeatureTrie trie = FeatureTrie::load(forged(damaged));
        const Tokens part = random_part(random, trie.tree().unit_count(), World::alphabet);
        std::vector<std::int32_t> features;
        trie.append_features(part, features);
        std::vector<double> scores(static_cast<std::size_t>(trie.labels().label_count()), 0.0);
        trie.add_scores(part, scores);
      } catch (const std::invalid_argument&) {
      }
    }
  }
}

// Parts of two words that share a direction, and own a distance.
struct RandomBatch {
  std::vector<std::int32_t> head, child, fillings, own;
  std::vector<std::int64_t> sentences{0};
  PartBatch batch;

  explicit RandomBatch(Random& random) {
    // Units 0-2 and direction 6 for the head; 3-5 and direction 6 for the child; 7 is the part's own.
    for (int sentence = 0; sentence < 3; ++sentence) {
      const auto first = static_cast<std::int32_t>(head.size() / 4);
      for (int word = 0; word < 3; ++word)
        for (int direction = 0; direction < 2; ++direction)
          for (auto* side : {&head, &child}) {
            for (int unit = 0; unit < 3; ++unit) side->push_back(draw(random, -1, World::alphabet + 1));
            side->push_back(direction);
          }
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const int direction = a < b;
          fillings.push_back(draw(random, 0, 4) == 0 ? -1 : first + 2 * a + direction);
          fillings.push_back(draw(random, 0, 4) == 0 ? -1 : first + 2 * b + direction);
          own.push_back(draw(random, -1, World::alphabet));
        }
      sentences.push_back(static_cast<std::int64_t>(own.size()));
    }
    batch = {{{{0, 1, 2, 6}, head}, {{3, 4, 5, 6}, child}}, {7}, fillings, own, sentences};
  }
};

TEST("shared walks, walks of each part and both kinds of strings find the same") {
  Random random(6);
  const std::vector<std::string> alphabet{"a", "ab", "b", "c", "abc"};
  std::uint64_t found = 0;
  for (int round = 0; round < 100; ++round) {
    const World world(random);
    const RandomBatch parts(random);
    const FeatureTrie trie = world.trie.freeze(round % 2 == 0 ? TrieLayout::hash : TrieLayout::double_array);
    const auto speller = [&] {
      return FeatureSpeller(trie.tree(), {alphabet}, std::vector<std::int32_t>(World::unit_count, 0));
    };
    const StringHashIndex strings(trie, speller());
    const ByteTrieIndex bytes(trie, speller());
    for (const BatchOutput output : {BatchOutput::retrieve, BatchOutput::best_label, BatchOutput::features}) {
      const BatchResult each = extract_batch(trie, parts.batch, output);
      found += each.label_rows;
      for (BatchResult other :
           {extract_batch_shared(trie, parts.batch, output), extract_batch(strings, trie, parts.batch, output),
            extract_batch(bytes, trie, parts.batch, output)}) {
        CHECK(other.label_rows == each.label_rows && other.checksum == each.checksum);
        CHECK(other.best_labels == each.best_labels && other.best_scores == each.best_scores);
        CHECK(other.feature_begin == each.feature_begin);
        if (other.feature_begin != each.feature_begin) continue;
        std::vector<std::int32_t> expected = each.features;
        for (std::size_t part = 0; part + 1 < each.feature_begin.size(); ++part) {
          const auto begin = static_cast<std::ptrdiff_t>(each.feature_begin[part]);
          const auto end = static_cast<std::ptrdiff_t>(each.feature_begin[part + 1]);
          std::sort(expected.begin() + begin, expected.begin() + end);
          std::sort(other.features.begin() + begin, other.features.begin() + end);
        }
        CHECK(other.features == expected);
      }
    }
    CHECK(extract_batch_shared(trie, parts.batch, BatchOutput::retrieve).visits <=
          extract_batch(trie, parts.batch, BatchOutput::retrieve).visits + 100);
  }
  CHECK(found > 1000);
}

}  // namespace
