// SPDX-License-Identifier: Apache-2.0
// Parsers with random networks: scores against plain loops, answers against all trees one by one.
#include "core/tasks/parser/scorers/neural_scorer.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/tasks/parser/model.hpp"
#include "core/trees/space.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"
#include "tests/core/tasks/network_cases.hpp"
#include "tests/core/tasks/parser_cases.hpp"

using namespace accord;
using namespace accord::parses;
using namespace accord::tasks;
using cases::known, cases::shape, cases::shared, cases::words;
using networks::Plainly;
using networks::SmallNetwork;
using parses::PartLayout;
using Bad = std::invalid_argument;

namespace {

constexpr double tolerance = 1e-4;
constexpr parses::PartFamilies second_order{true, true, false, false, false, false, false};

ParserSettings settings(LabelMode mode, bool projective, bool single_root, bool parts) {
  ParserSettings made = cases::parser_settings(3, mode, projective, single_root);
  if (parts) made.families = second_order;
  return made;
}

PartLayout every_arc(int n, const parses::PartFamilies& families) {
  std::mt19937 random(0);
  PartLayout layout;
  layout.build(n, part_trees::random_arcs(n, true, random), families);
  return layout;
}

// A tree's siblings and grandparents by their definitions.
double larger_parts(const Plainly& plain, std::span<const int32_t> heads) {
  const int n = static_cast<int>(heads.size()) - 1;
  const auto place = [&](int position) { return static_cast<size_t>(position); };
  const int nowhere = n + 1;
  double total = 0;
  for (int h = 0; h <= n; ++h)
    for (const int step : {-1, 1}) {
      if (h + step < 1 || h + step > n) continue;  // no word could stand on this side
      int last = nowhere;
      for (int m = h + step; m >= 1 && m <= n; m += step) {
        if (heads[place(m)] != h) continue;
        total += plain.part("sibling", place(h), place(m), place(last));
        last = m;
      }
      total += plain.part("sibling", place(h), place(nowhere), place(last));
    }
  for (int m = 1; m <= n; ++m)
    if (const int h = heads[place(m)]; h > 0) total += plain.part("grandparent", place(h), place(m), place(heads[place(h)]));
  return total;
}

double best_label(const Plainly& plain, size_t head, size_t dependent) {
  const networks::Row labels = plain.labels(head, dependent);
  return *std::max_element(labels.begin(), labels.end());
}

double tree_score(const Plainly& plain, std::span<const int32_t> heads, bool parts, LabelMode mode) {
  double total = parts ? larger_parts(plain, heads) : 0;
  for (size_t m = 1; m < heads.size(); ++m) {
    const auto h = static_cast<size_t>(heads[m]);
    total += plain.arc(h, m) + (mode == LabelMode::joint ? best_label(plain, h, m) : 0);
  }
  return total;
}

double best_tree(const Plainly& plain, const ParserSettings& with) {
  double best = -INFINITY;
  part_trees::for_each_tree(
      every_arc(static_cast<int>(plain.top.size()) - 1, {}), with.projective, with.single_root,
      [&](std::span<const int32_t> heads) { best = std::max(best, tree_score(plain, heads, with.families.any(), with.mode)); });
  return best;
}

}  // namespace

TEST("scores of arcs and labels are the network's, whichever sentence of a batch is looked at") {
  const SmallNetwork net(shape(false), known, 1);
  NeuralScorer scorer(std::make_shared<EncodedBatch>(shared(net)));
  for (const std::vector<size_t>& batch : std::vector<std::vector<size_t>>{{2, 0, 3, 1}, {1}, {3, 2}}) {
    scorer.load(words, batch);
    for (size_t turn = 0; turn < 2 * batch.size(); ++turn) {
      const size_t place = turn * 3 % batch.size();
      scorer.select(place);
      const Plainly plain(net, words, batch[place]);
      const size_t n = plain.top.size();
      std::vector<double> arcs(n * n);
      scorer.score_arcs(arcs);
      for (size_t h = 0; h < n; ++h)
        for (size_t m = 0; m < n; ++m) {
          if (m == 0 || m == h) {
            CHECK(arcs[h * n + m] == trees::kForbidden);
            continue;
          }
          CHECK_NEAR(arcs[h * n + m], plain.arc(h, m), tolerance);
          std::vector<float> labels(3);
          scorer.score_labels(static_cast<int>(h), static_cast<int>(m), labels);
          CHECK(cases::close(labels, plain.labels(h, m), tolerance));
          double sum = 0;
          for (const float label : labels) sum += std::exp(static_cast<double>(label));
          CHECK_NEAR(sum, 1.0, 1e-5);
        }
    }
  }
}

TEST("a tree's parts over a layout sum to those of its definition") {
  const SmallNetwork net(shape(true), known, 2);
  NeuralScorer scorer(std::make_shared<EncodedBatch>(shared(net)));
  const std::vector<size_t> batch = {2, 3, 0, 1};
  scorer.load(words, batch);
  for (size_t place = 0; place < batch.size(); ++place) {
    scorer.select(place);
    const Plainly plain(net, words, batch[place]);
    const PartLayout layout = every_arc(static_cast<int>(plain.top.size()) - 1, second_order);
    std::vector<double> scores(layout.size(), 99.0);
    scorer.score_parts(layout, scores);
    part_trees::for_each_tree(layout, false, false, [&](std::span<const int32_t> heads) {
      CHECK_NEAR(layout.score(scores, heads), tree_score(plain, heads, true, LabelMode::none), tolerance);
    });
  }
}

TEST("of families that the network does not score nothing is added, and unused slots are zero") {
  const SmallNetwork net(shape(false), known, 3);
  NeuralScorer scorer(std::make_shared<EncodedBatch>(shared(net)));
  const size_t batch[] = {2};
  scorer.load(words, batch);
  scorer.select(0);
  const PartLayout layout = every_arc(4, second_order);
  std::vector<double> scores(layout.size(), 99.0);
  scorer.score_parts(layout, scores);
  const Plainly plain(net, words, 2);
  for (size_t slot = 0; slot < scores.size(); ++slot) {
    const int arc = static_cast<int>(slot);
    if (arc >= layout.arcs()) CHECK(scores[slot] == 0);
    else CHECK_NEAR(scores[slot], plain.arc(static_cast<size_t>(layout.head(arc)), static_cast<size_t>(layout.dependent(arc))), tolerance);
  }
}

TEST("the parser's trees of arcs are the best of all, with labels before or after, and its scores theirs") {
  const SmallNetwork net(shape(false), known, 5);
  for (const LabelMode mode : {LabelMode::joint, LabelMode::separate, LabelMode::none})
    for (const bool projective : {false, true})
      for (const bool single_root : {false, true}) {
        const ParserSettings with = settings(mode, projective, single_root, false);
        const ParserModel model(with, shared(net));
        const ParseResult found = model.parse(words, {}, false, 2, nullptr, true);
        for (size_t s = 0; s < words.sentences(); ++s) {
          const Plainly plain(net, words, s);
          std::vector<int32_t> heads = {-1};
          for (size_t m = 1; m <= words.words(s); ++m) heads.push_back(found.heads[words.first_word(s) + m - 1]);
          CHECK(trees::is_tree(heads, single_root) && (!projective || trees::is_projective(heads)));
          CHECK_NEAR(found.scores[s], tree_score(plain, heads, false, mode), tolerance);
          CHECK_NEAR(found.scores[s], best_tree(plain, with), tolerance);
          for (size_t m = 1; m < heads.size(); ++m) {
            const int32_t label = found.labels[words.first_word(s) + m - 1];
            const auto head = static_cast<size_t>(heads[m]);
            CHECK((label >= 0) == (mode != LabelMode::none));
            if (label >= 0) CHECK_NEAR(plain.labels(head, m)[static_cast<size_t>(label)], best_label(plain, head, m), tolerance);
            const networks::Row tags = plain.classes("upos", m);
            const auto tag = static_cast<size_t>(found.tags[0][words.first_word(s) + m - 1]);
            CHECK_NEAR(tags[tag], *std::max_element(tags.begin(), tags.end()), tolerance);
          }
        }
      }
}

TEST("every decoder of larger parts keeps its word: values, bounds and proofs by all trees") {
  size_t proved = 0;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const SmallNetwork net(shape(true), known, 60 + seed);
    for (const LabelMode mode : {LabelMode::joint, LabelMode::separate})
      for (const bool projective : {false, true}) {
        const ParserSettings with = settings(mode, projective, true, true);
        const ParserModel model(with, shared(net));
        for (const char* name : {"auto", "chart", "ad3", "subgradient", "bp", "branch_and_bound", "nonlocal"}) {
          const std::string solver = name;
          if (!projective && (solver == "chart" || solver == "nonlocal")) continue;
          const bool exact = solver == "branch_and_bound" || solver == "auto" || solver == "chart" || solver == "nonlocal";
          DecoderSettings decoder = cases::search_by();
          decoder.solver = parse_solver(name), decoder.iterations = 500, decoder.search_nodes = 1000;
          const ParseResult found = model.parse(words, decoder, false, 1);
          for (size_t s = 0; s < words.sentences(); ++s) {
            const Plainly plain(net, words, s);
            std::vector<int32_t> heads = {-1};
            for (size_t m = 1; m <= words.words(s); ++m) heads.push_back(found.heads[words.first_word(s) + m - 1]);
            CHECK(trees::is_tree(heads, true) && (!projective || trees::is_projective(heads)));
            const double best = best_tree(plain, with);
            CHECK_NEAR(found.scores[s], tree_score(plain, heads, true, mode), tolerance);
            CHECK(found.scores[s] <= best + tolerance && (solver == "bp" || best <= found.bounds[s] + tolerance));
            const bool optimal = found.statuses[s] == static_cast<int32_t>(graph::Status::optimal);
            CHECK(optimal || !exact);
            if (optimal) CHECK_NEAR(found.scores[s], best, tolerance);
            proved += optimal;
          }
        }
      }
  }
  CHECK(proved > 144);  // which the exact ones must have
}

TEST("the candidates are the best heads under the network's own arcs") {
  const SmallNetwork net(shape(true), known, 7);
  ParserSettings with = settings(LabelMode::none, false, true, true);
  with.pruner = {1, 0.0};
  const PruningStatistics one = ParserModel(with, shared(net)).prune(words, 1);
  with.pruner = {20, 0.0};
  const PruningStatistics all = ParserModel(with, shared(net)).prune(words, 1);
  size_t every = 0;
  for (size_t s = 0; s < words.sentences(); ++s) every += words.words(s) * words.words(s);
  CHECK(one.words == words.total_words() && all.arcs == every && one.arcs >= one.words && one.arcs < every);
}

TEST("networks that do not fit the parser are refused") {
  const SmallNetwork net(shape(false), known, 8);
  const auto refused = [&](auto&& change) {
    ParserSettings with = settings(LabelMode::joint, false, true, false);
    change(with);
    return check::throws<Bad>([&] { ParserModel(with, shared(net)); });
  };
  CHECK(!refused([](ParserSettings&) {}));
  CHECK(refused([](ParserSettings& s) { s.labels = 4; }));
  CHECK(!refused([](ParserSettings& s) { s.labels = 0, s.mode = LabelMode::none; }));
  CHECK(refused([](ParserSettings& s) { s.tree_labels = true; }));
  CHECK(refused([](ParserSettings& s) { s.families.sibling = true; }));
  CHECK(refused([](ParserSettings& s) { s.families.grandparent = true; }));
  CHECK(refused([](ParserSettings& s) { s.families.tri_sibling = true; }));
  const ParserModel untagged(settings(LabelMode::joint, false, true, false), [&] {
    neural::NetworkShape plain = shape(false);
    plain.tasks.clear(), plain.tag_layer = 0;
    static const SmallNetwork other(plain, known, 9);
    return shared(other);
  }());
  CHECK(check::throws<Bad>([&] { untagged.tag(words, 1); }));
}
