// SPDX-License-Identifier: Apache-2.0
// The frozen trie: rows packed into one array, bytes that go round, and bytes that are refused.
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/trie/tests/trie_worlds.hpp"
#include "benchmarks/trie/trie_packing.hpp"

using namespace trie_worlds;

TEST("packed rows share no slot, however they interleave") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::size_t> row_begin{0};
    std::vector<std::uint32_t> tokens;
    for (int rows = draw(random, 0, 60); rows > 0; --rows) {
      std::set<std::uint32_t> row;
      for (int size = draw(random, 0, 12); size > 0; --size) row.insert(static_cast<std::uint32_t>(draw(random, 0, 300)));
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

namespace {

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

}  // namespace

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
