// SPDX-License-Identifier: Apache-2.0
// Walks over batches of parts that share words, against walks of each part and against strings.
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/trie/tests/trie_worlds.hpp"
#include "benchmarks/trie/trie_baselines.hpp"
#include "benchmarks/trie/trie_batch.hpp"

using namespace trie_worlds;

namespace {

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

}  // namespace

TEST("shared walks, walks of each part and both kinds of strings find the same") {
  Random random(6);
  const std::vector<std::string> alphabet{"a", "ab", "b", "c", "abc"};
  std::uint64_t found = 0;
  for (int round = 0; round < 100; ++round) {
    const World world(random);
    const RandomBatch parts(random);
    const FeatureTrie trie = world.trie.freeze(round % 2 == 0 ? TrieLayout::hash : TrieLayout::double_array);
    const auto speller = [&] { return FeatureSpeller(trie.tree(), {alphabet}, std::vector<std::int32_t>(World::unit_count, 0)); };
    const StringHashIndex strings(trie, speller());
    const ByteTrieIndex bytes(trie, speller());
    for (const BatchOutput output : {BatchOutput::retrieve, BatchOutput::best_label, BatchOutput::features}) {
      const BatchResult each = extract_batch(trie, parts.batch, output);
      found += each.label_rows;
      for (BatchResult other : {extract_batch_shared(trie, parts.batch, output), extract_batch(strings, trie, parts.batch, output),
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
