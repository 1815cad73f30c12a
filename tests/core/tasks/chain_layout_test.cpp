// SPDX-License-Identifier: Apache-2.0
// Layouts against plain enumeration: scores, best labelling, log-partition function and expectations of every block, for rows of
// their own and rows shared by all tokens, with and without masks.
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "core/tasks/labeller/chain_layout.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

using Arrays = std::vector<std::vector<double>>;

std::vector<BlockRows> rows_of(Arrays& arrays, const std::vector<Block>& blocks, const std::vector<bool>& shared) {
  std::vector<BlockRows> rows;
  for (size_t b = 0; b < blocks.size(); ++b) rows.push_back({arrays[b].data(), shared[b] ? 0 : static_cast<size_t>(blocks[b].width)});
  return rows;
}

template <typename Visit>
void each_labelling(const ChainLayout& layout, size_t tokens, Visit&& visit) {
  std::vector<int> labels(tokens * static_cast<size_t>(layout.layers()), 0);
  while (true) {
    visit(labels);
    size_t k = 0;
    for (; k < labels.size(); ++k) {
      if (++labels[k] < layout.labels(static_cast<int>(k) % layout.layers())) break;
      labels[k] = 0;
    }
    if (k == labels.size()) return;
  }
}

// What the masks say of a labelling; pairs of a joint chain are numbered s * tags + t.
bool allowed(const ChainLayout& layout, const ChainMasks& masks, const std::vector<int>& labels) {
  std::vector<size_t> states;
  size_t count = 1;
  for (int layer = 0; layer < layout.layers(); ++layer) count *= static_cast<size_t>(layout.labels(layer));
  for (size_t k = 0; k < labels.size(); k += static_cast<size_t>(layout.layers()))
    states.push_back(layout.layers() == 1
                         ? static_cast<size_t>(labels[k])
                         : static_cast<size_t>(labels[k]) * static_cast<size_t>(layout.labels(1)) + static_cast<size_t>(labels[k + 1]));
  if (!masks.start.empty() && masks.start[states.front()] != 0) return false;
  if (!masks.end.empty() && masks.end[states.back()] != 0) return false;
  if (masks.follow.empty()) return true;
  for (size_t i = 1; i < states.size(); ++i)
    if (masks.follow[states[i - 1] * count + states[i]] != 0) return false;
  return true;
}

using Rule = std::function<bool(const std::vector<int>&)>;

void compare(ChainLayout& layout, const Rule& rule, size_t tokens, std::mt19937& random, double size = 1.0) {
  const std::vector<Block>& blocks = layout.blocks();
  std::normal_distribution<double> normal(0.0, size);
  std::vector<bool> shared;
  Arrays scores(blocks.size()), wanted(blocks.size()), got(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    shared.push_back(b >= static_cast<size_t>(layout.layers()) && random() % 2 == 0);
    scores[b].resize(static_cast<size_t>(blocks[b].width) * (shared[b] ? 1 : tokens));
    for (double& value : scores[b]) value = normal(random);
    wanted[b].assign(scores[b].size(), 0.0);
    got[b].assign(scores[b].size(), 0.0);
  }
  const std::vector<BlockRows> rows = rows_of(scores, blocks, shared);
  const auto score = [&](const std::vector<int>& labels) {
    Arrays used(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b) used[b].assign(scores[b].size(), 0.0);
    layout.add_path(labels, 1.0, rows_of(used, blocks, shared));
    double sum = 0;
    for (size_t b = 0; b < blocks.size(); ++b)
      for (size_t k = 0; k < used[b].size(); ++k) sum += used[b][k] * scores[b][k];
    return sum;
  };
  double best = chains::forbidden, total = 0;
  each_labelling(layout, tokens, [&](const std::vector<int>& labels) {
    if (!rule(labels)) return;
    best = std::max(best, score(labels));
  });
  each_labelling(layout, tokens, [&](const std::vector<int>& labels) {
    if (rule(labels)) total += std::exp(score(labels) - best);
  });
  each_labelling(layout, tokens, [&](const std::vector<int>& labels) {
    if (rule(labels)) layout.add_path(labels, 0.5 * std::exp(score(labels) - best) / total, rows_of(wanted, blocks, shared));
  });
  const double tolerance = 1e-9 * (1 + size);
  layout.assemble(tokens, rows, {});
  each_labelling(layout, tokens, [&](const std::vector<int>& labels) {
    const double expected = rule(labels) ? score(labels) : chains::forbidden;
    CHECK(check::near(layout.score(labels), expected, tolerance));
  });
  if (total == 0) return;
  std::vector<int> answer(tokens * static_cast<size_t>(layout.layers()));
  CHECK(check::near(layout.maximize(answer), best, tolerance));
  CHECK(check::near(score(answer), best, tolerance) && rule(answer));
  CHECK(check::near(layout.add_expectations(0.5, rows_of(got, blocks, shared)), best + std::log(total), tolerance));
  for (size_t b = 0; b < blocks.size(); ++b)
    for (size_t k = 0; k < got[b].size(); ++k) CHECK(check::near(got[b][k], wanted[b][k], 1e-9 * (1 + size / 10)));
}

void compare(ChainLayout& layout, const ChainMasks& masks, size_t tokens, std::mt19937& random, double size = 1.0) {
  compare(layout, [&](const std::vector<int>& labels) { return allowed(layout, masks, labels); }, tokens, random, size);
}

std::vector<double> random_mask(size_t size, std::mt19937& random) {
  std::vector<double> mask(size);
  for (double& value : mask) value = random() % 4 == 0 ? chains::forbidden : 0.0;
  return mask;
}

// A rule on (s', t', s) and one on (t', s, t): all that a joint chain can obey.
ChainMasks joint_masks(size_t S, size_t T, std::mt19937& random) {
  const std::vector<double> segment = random_mask(S * T * S, random), tag = random_mask(T * S * T, random);
  ChainMasks masks{random_mask(S * T, random), random_mask(S * T, random), std::vector<double>(S * T * S * T)};
  for (size_t before = 0; before < S; ++before)
    for (size_t earlier = 0; earlier < T; ++earlier)
      for (size_t s = 0; s < S; ++s)
        for (size_t t = 0; t < T; ++t)
          masks.follow[(before * T + earlier) * S * T + s * T + t] =
              segment[(before * T + earlier) * S + s] + tag[(earlier * S + s) * T + t];
  return masks;
}

}  // namespace

TEST("a joint layout is the sum over all pairs of labels") {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const int segments = 1 + static_cast<int>(random() % 3), tags = 1 + static_cast<int>(random() % 3);
    ChainMasks masks;
    if (round % 2 == 1) masks = joint_masks(static_cast<size_t>(segments), static_cast<size_t>(tags), random);
    compare(*make_joint_layout(segments, tags, masks), masks, 1 + random() % 3, random);
  }
}

TEST("a joint layout keeps the type of a segment, whatever the size of scores") {
  std::mt19937 random(4);
  constexpr size_t S = 4;  // begin, middle, end, single
  for (int round = 0; round < 60; ++round) {
    const size_t T = 1 + random() % 3;
    ChainMasks masks{std::vector<double>(S * T), std::vector<double>(S * T), std::vector<double>(S * T * S * T, chains::forbidden)};
    for (size_t t = 0; t < T; ++t) {
      masks.start[T + t] = masks.start[2 * T + t] = chains::forbidden;
      masks.end[t] = masks.end[T + t] = chains::forbidden;
    }
    for (size_t before = 0; before < S; ++before)
      for (size_t earlier = 0; earlier < T; ++earlier)
        for (size_t s = 0; s < S; ++s)
          for (size_t t = 0; t < T; ++t) {
            const bool inside = before < 2, goes_on = s == 1 || s == 2;
            if (inside == goes_on && (!goes_on || earlier == t)) masks.follow[(before * T + earlier) * S * T + s * T + t] = 0;
          }
    const double size = std::vector<double>{1e-9, 1.0, 20.0, 1000.0}[static_cast<size_t>(round) % 4];
    compare(*make_joint_layout(static_cast<int>(S), static_cast<int>(T), masks), masks, 1 + random() % 3, random, size);
  }
}

TEST("a layered layout of one to four layers is the sum over all labels") {
  std::mt19937 random(5);
  for (int round = 0; round < 80; ++round) {
    const size_t m = 1 + static_cast<size_t>(round) % 4, tokens = 1 + random() % (m < 3 ? 3 : 2);
    std::vector<int> sizes;
    size_t states = 1;
    for (size_t k = 0; k < m; ++k) {
      sizes.push_back(1 + static_cast<int>(random() % (m < 4 ? 3 : 2)));
      states *= static_cast<size_t>(sizes[k]);
    }
    LayerMasks masks;
    if (round / 4 % 2 == 1) {
      masks = {random_mask(states, random), random_mask(states, random), {}};
      for (int size : sizes) masks.follow.push_back(random_mask(states * static_cast<size_t>(size), random));
    }
    const auto rule = [&](const std::vector<int>& labels) {
      if (masks.follow.empty()) return true;
      const auto number = [&](size_t first, size_t count, size_t layer) {
        size_t code = 0;
        for (size_t j = 0; j < count; ++j)
          code = code * static_cast<size_t>(sizes[(layer + j) % m]) + static_cast<size_t>(labels[first + j]);
        return code;
      };
      if (masks.start[number(0, m, 0)] != 0 || masks.end[number(labels.size() - m, m, 0)] != 0) return false;
      for (size_t at = m; at < labels.size(); ++at)
        if (masks.follow[at % m][number(at - m, m + 1, at % m)] != 0) return false;
      return true;
    };
    const double size = std::vector<double>{1.0, 1e-9, 20.0, 1000.0}[static_cast<size_t>(round) / 8 % 4];
    compare(*make_layered_layout(sizes, masks), rule, tokens, random, size);
  }
}

TEST("layers that could not be searched are refused") {
  const auto refused = [](std::vector<int> sizes, const LayerMasks& masks) {
    try {
      make_layered_layout(std::move(sizes), masks);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refused({}, {}) && refused({2, 0}, {}) && refused({200, 200}, {}) && refused({2, 2}, {{0.0}, {}, {}}));
  CHECK(refused({2, 2}, {{}, {}, {{0.0}}}) && refused({1, 1}, {{}, {}, {{0.0}, {}}}) && !refused({1, 1}, {{0.0}, {}, {{0.0}, {0.0}}}));
}

TEST("a plain layout of any order is the sum over all labels") {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const int labels = 1 + static_cast<int>(random() % 3), order = static_cast<int>(random() % 3);
    ChainMasks masks;
    if (round % 2 == 1) {
      const auto size = static_cast<size_t>(labels);
      masks = {random_mask(size, random), random_mask(size, random), random_mask(size * size, random)};
    }
    compare(*make_plain_layout(labels, order, masks), masks, 1 + random() % 4, random);
  }
}
