// SPDX-License-Identifier: Apache-2.0
// Segments as wholes against plain enumeration of all segmentations: scores, best one, ranking, log-partition function and the
// expectations of every block, with scores of many sizes, known labels, and label schemes in which labels have several places.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "core/tasks/labeller/chain_layout.hpp"
#include "core/tasks/labeller/scorer.hpp"
#include "core/text/sequences.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

struct Piece {
  size_t first, size, type;
};

using Arrays = std::vector<std::vector<double>>;

int label_of(const SegmentType& type, size_t size, size_t k) {
  if (size == 1) return type.single;
  if (k + 1 == size) return type.last;
  return k < type.first.size() ? type.first[k] : type.middle;
}

void each_segmentation(const std::vector<SegmentType>& types, size_t tokens, const std::function<void(const std::vector<Piece>&)>& visit) {
  std::vector<Piece> pieces;
  const std::function<void(size_t)> extend = [&](size_t first) {
    if (first == tokens) return visit(pieces);
    for (size_t y = 0; y < types.size(); ++y)
      for (size_t size = 1; size <= std::min(tokens - first, static_cast<size_t>(types[y].longest)); ++size) {
        pieces.push_back({first, size, y});
        extend(first + size);
        pieces.pop_back();
      }
  };
  extend(0);
}

std::vector<int> labels_of(const std::vector<SegmentType>& types, const std::vector<Piece>& pieces) {
  std::vector<int> labels;
  for (const Piece& piece : pieces)
    for (size_t k = 0; k < piece.size; ++k) labels.push_back(label_of(types[piece.type], piece.size, k));
  return labels;
}

const std::vector<SegmentType> bioes = {{{0}, 1, 2, 3, 3}, {{4}, 5, 6, 7, 2}, {{8}, 8, 8, 8, 1}};
const std::vector<SegmentType> bio = {{{0}, 1, 1, 0, 4}, {{2}, 3, 3, 2, 3}, {{4}, 4, 4, 4, 1}};
const std::vector<SegmentType> six_labels = {{{0, 1, 2}, 3, 4, 5, 6}};

struct Case {
  std::vector<SegmentType> types;
  int labels;
};

void compare(const Case& one, size_t tokens, double size, std::mt19937& random) {
  const auto& [types, label_count] = one;
  const std::unique_ptr<ChainLayout> layout = make_segment_layout(label_count, types);
  const std::vector<Block>& blocks = layout->blocks();
  const auto reach = static_cast<size_t>(blocks[2].reach), Y = types.size();
  std::normal_distribution<double> normal(0.0, size);
  Arrays scores(4), wanted(4), got(4);
  std::vector<bool> shared(4);
  for (size_t b = 0; b < 4; ++b) {
    shared[b] = b == 1 && random() % 2 == 0;
    scores[b].resize(static_cast<size_t>(blocks[b].width) * (shared[b] ? 1 : tokens * static_cast<size_t>(blocks[b].reach)));
    for (double& value : scores[b]) value = normal(random);
    wanted[b].assign(scores[b].size(), 0.0);
    got[b].assign(scores[b].size(), 0.0);
  }
  const auto rows = [&](Arrays& arrays) {
    std::vector<BlockRows> all;
    for (size_t b = 0; b < 4; ++b) all.push_back({arrays[b].data(), shared[b] ? 0 : static_cast<size_t>(blocks[b].width)});
    return all;
  };
  std::vector<double> cost(tokens * static_cast<size_t>(label_count), 0.0);
  for (double& value : cost) value = random() % 12 == 0 ? chains::forbidden : normal(random);
  std::vector<const double*> costs;
  for (size_t i = 0; i < tokens; ++i) costs.push_back(cost.data() + i * static_cast<size_t>(label_count));

  std::map<std::vector<int>, double> all;
  std::map<std::vector<int>, std::vector<Piece>> pieces_of;
  each_segmentation(types, tokens, [&](const std::vector<Piece>& pieces) {
    const std::vector<int> labels = labels_of(types, pieces);
    double score = 0;
    for (size_t i = 0; i < tokens; ++i) score += scores[0][i * static_cast<size_t>(label_count) + static_cast<size_t>(labels[i])];
    for (size_t i = 0; i < tokens; ++i) score += costs[i][labels[i]];
    for (size_t k = 0; k < pieces.size(); ++k) {
      const size_t row = pieces[k].first * reach + pieces[k].size - 1;
      score += scores[2][row * Y + pieces[k].type] + scores[3][row * Y + pieces[k].type];
      if (k > 0) score += scores[1][(shared[1] ? 0 : pieces[k].first * Y * Y) + pieces[k - 1].type * Y + pieces[k].type];
    }
    CHECK(all.emplace(labels, score).second);  // every segmentation has labels of its own
    pieces_of[labels] = pieces;
  });
  std::vector<double> sorted;
  for (const auto& [labels, score] : all)
    if (score != chains::forbidden) sorted.push_back(score);
  std::sort(sorted.rbegin(), sorted.rend());

  layout->assemble(tokens, rows(scores), costs);
  for (const auto& [labels, score] : all) CHECK(check::near(layout->score(labels), score, 1e-9 * (1 + size)));
  std::vector<int> answer(tokens);
  const double tolerance = 1e-9 * (1 + size);
  const double value = layout->maximize(answer);
  if (sorted.empty()) {
    CHECK(value == chains::forbidden && layout->log_partition() == chains::forbidden && layout->k_best(3).empty());
    return;
  }
  CHECK(check::near(value, sorted[0], tolerance) && check::near(all.at(answer), value, tolerance));
  const std::vector<chains::Labelling> ranked = layout->k_best(7);
  CHECK(ranked.size() == std::min<size_t>(7, sorted.size()));
  for (size_t k = 0; k < ranked.size(); ++k) CHECK(check::near(ranked[k].score, sorted[k], tolerance));
  double total = 0;
  for (double score : sorted) total += std::exp(score - sorted[0]);
  CHECK(check::near(layout->log_partition(), sorted[0] + std::log(total), tolerance));
  for (const auto& [labels, score] : all)
    if (score != chains::forbidden) layout->add_path(labels, 0.5 * std::exp(score - sorted[0]) / total, rows(wanted));
  CHECK(check::near(layout->add_expectations(0.5, rows(got)), sorted[0] + std::log(total), tolerance));
  for (size_t b = 0; b < 4; ++b)
    for (size_t k = 0; k < got[b].size(); ++k) CHECK(check::near(got[b][k], wanted[b][k], 1e-8));
}

}  // namespace

TEST("a segment layout is the sum over all segmentations") {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round)
    for (const Case& one : {Case{bioes, 9}, Case{bio, 5}, Case{six_labels, 6}})
      compare(one, 1 + random() % 5, std::vector<double>{1e-12, 1.0, 30.0, 1e6}[random() % 4], random);
}

TEST("labels that no segments have are forbidden") {
  const std::unique_ptr<ChainLayout> layout = make_segment_layout(9, bioes);
  std::vector<double> zeros(1000, 0.0);
  const std::vector<BlockRows> rows(4, BlockRows{zeros.data(), 0});
  layout->assemble(3, rows, {});
  CHECK(layout->score(std::vector<int>{0, 1, 2}) == 0.0);
  CHECK(layout->score(std::vector<int>{0, 1, 1}) == chains::forbidden);
  CHECK(layout->score(std::vector<int>{1, 2, 8}) == chains::forbidden);
  CHECK(layout->score(std::vector<int>{4, 5, 6}) == chains::forbidden);  // longer than its type may be
}

TEST("the features of whole segments are the same whatever was asked before") {
  const std::string source =
      "[state]\nhere.form\n[type_pair]\nbias\n[segment]\nfirst.form last.form\nbetween.form\ndistance\n[whole]\nhere.form\n";
  const std::unique_ptr<ChainLayout> layout = make_segment_layout(6, six_labels);
  const LabellerTemplates templates(source, layout->blocks());
  const text::CharacterSequences sequences(std::vector<std::string>{"abcab", "cabab"});
  LabellerFeatures features(templates);
  std::vector<text::Token> tokens;
  const auto keys = [&](size_t sequence, size_t block, size_t first, size_t size) {
    sequences.tokens(sequence, tokens);
    features.prepare(tokens, {});
    const std::span<const uint64_t> found = features.keys(block, first * 6 + size - 1);
    return std::vector<uint64_t>(found.begin(), found.end());
  };
  CHECK(keys(0, 3, 0, 2) == keys(0, 3, 3, 2));  // "ab" twice
  CHECK(keys(0, 3, 0, 2) == keys(1, 3, 1, 2));  // and in the other text
  CHECK(keys(0, 3, 0, 3) == keys(0, 3, 0, 3));
  CHECK(keys(0, 3, 0, 3) != keys(0, 3, 1, 3));
  CHECK(keys(0, 2, 0, 2) == keys(0, 2, 3, 2));
  CHECK(keys(0, 3, 4, 2).empty());  // would end behind the text
  sequences.tokens(0, tokens);
  features.prepare(tokens, {});
  std::vector<std::vector<uint64_t>> in_order;
  for (size_t row = 0; row < 30; ++row) {
    const std::span<const uint64_t> found = features.keys(3, row);
    in_order.emplace_back(found.begin(), found.end());
  }
  for (size_t row = 30; row-- > 0;) {
    const std::span<const uint64_t> found = features.keys(3, row);
    CHECK(std::equal(found.begin(), found.end(), in_order[row].begin(), in_order[row].end()));
  }
}
