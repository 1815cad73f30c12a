// SPDX-License-Identifier: Apache-2.0
// Random tries and parts, with a plain map of features that the trie is held against.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "benchmarks/trie/trie.hpp"
#include "tests/core/check.hpp"

namespace trie_worlds {

using namespace accord::text;

using Random = std::mt19937;
using Tokens = std::vector<std::int32_t>;
using Templates = std::vector<std::vector<std::int32_t>>;

inline int draw(Random& random, int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); }

inline Templates random_templates(Random& random, int unit_count) {
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

inline std::vector<double> random_presence(Random& random, std::size_t template_count) {
  std::vector<double> presence(template_count);
  for (double& chance : presence) chance = draw(random, 0, 5);
  return presence;
}

inline Tokens random_part(Random& random, int unit_count, int alphabet) {
  Tokens tokens;
  for (int unit = 0; unit < unit_count; ++unit) tokens.push_back(draw(random, 0, 5) == 0 ? -1 : draw(random, 0, alphabet));
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

}  // namespace trie_worlds
