// SPDX-License-Identifier: Apache-2.0
// Labels of trees under a scorer of random numbers: what they add to arcs, which are chosen, and how probable they are.
#include "core/tasks/parser/labels/tree_labels.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/core/check.hpp"
#include "tests/core/tasks/parser_cases.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

constexpr int words = 3, labels = 4;

// The whole seam of order 1 in a few lines.
class RandomScorer final : public TreeScorer {
 public:
  explicit RandomScorer(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (float& score : arcs_) score = normal(random);
    for (float& score : labels_) score = normal(random);
  }

  void load(const text::Document&, std::span<const size_t>) override {}
  void select(size_t) override {}
  void prune(Pruner&, const Deadline&, std::span<const int32_t>) override {}
  void score_parts(const parses::PartLayout&, std::span<double>) override {}
  void score_arcs(std::span<double> scores) override {
    for (int h = 0; h <= words; ++h)
      for (int m = 0; m <= words; ++m) scores[cell(h, m)] = m == 0 || h == m ? -INFINITY : static_cast<double>(arcs_[cell(h, m)]);
  }
  void score_labels(int head, int dependent, std::span<float> scores) override {
    std::copy_n(labels_ + cell(head, dependent) * labels, labels, scores.begin());
  }

  static size_t cell(int head, int dependent) { return static_cast<size_t>(head * (words + 1) + dependent); }
  double arc(int head, int dependent) const { return static_cast<double>(arcs_[cell(head, dependent)]); }
  double label(int head, int dependent, int number) const {
    return static_cast<double>(labels_[cell(head, dependent) * labels + static_cast<size_t>(number)]);
  }
  int best(int head, int dependent) const {
    const float* scores = labels_ + cell(head, dependent) * labels;
    return static_cast<int>(std::max_element(scores, scores + labels) - scores);
  }
  // T log sum exp(score / T).
  double soft(int head, int dependent, double temperature) const {
    double sum = 0;
    for (int l = 0; l < labels; ++l) sum += std::exp(label(head, dependent, l) / temperature);
    return temperature * std::log(sum);
  }

 private:
  float arcs_[(words + 1) * (words + 1)], labels_[(words + 1) * (words + 1) * labels];
};

struct Fixture {
  explicit Fixture(LabelMode mode, unsigned seed) : settings(cases::parser_settings(labels, mode, false, true)), scorer(seed) {
    settings.temperature = 2.0;
    settings.label_temperature = 0.5;
    search = search_all_arcs(settings);
  }

  void begin(TreeLabels& chosen, const GivenWords& given) {
    chosen.begin(given);
    search->find(scorer, words, given, Deadline(INFINITY));
    search->score(scorer);
  }

  ParserSettings settings;
  RandomScorer scorer;
  std::unique_ptr<TreeSearch> search;
};

const std::vector<int32_t> tree = {-1, 2, 0, 2};

}  // namespace

TEST("joint mode: an arc's score holds its best or given label's, and sums all labels or the given one") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Fixture fixture(LabelMode::joint, seed);
    TreeLabels chosen(fixture.settings, fixture.scorer);
    const std::vector<int32_t> heads = {-1, -1, -1, -1}, given = {-1, 3, not_given, foreign_label};
    fixture.begin(chosen, {heads, given});
    std::vector<double> sums(fixture.search->scores().begin(), fixture.search->scores().end());
    chosen.add_labels(*fixture.search, sums);
    fixture.search->for_each_arc([&](size_t slot, int head, int dependent) {
      const RandomScorer& scorer = fixture.scorer;
      const int label = dependent == 1 ? 3 : scorer.best(head, dependent);
      CHECK_NEAR(fixture.search->scores()[slot], scorer.arc(head, dependent) + scorer.label(head, dependent, label), 1e-6);
      const double summed = dependent == 1 ? scorer.label(head, dependent, 3) : scorer.soft(head, dependent, 0.5);
      CHECK_NEAR(sums[slot], scorer.arc(head, dependent) + summed, 1e-5);
    });
    std::vector<int32_t> labelled(words + 1);
    chosen.choose(*fixture.search, tree, labelled);
    CHECK(labelled[0] == -1 && labelled[1] == 3 && labelled[2] == fixture.scorer.best(0, 2) && labelled[3] == fixture.scorer.best(2, 3));
    chosen.hide_foreign(labelled);
    CHECK(labelled[1] == 3 && labelled[3] == -1);
  }
}

TEST("separate mode: a given label weighs the arcs of a word whose head is searched, and no others") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Fixture fixture(LabelMode::separate, seed);
    TreeLabels chosen(fixture.settings, fixture.scorer);
    const std::vector<int32_t> heads = {-1, -1, 0, -1}, given = {-1, 2, 1, not_given};
    fixture.begin(chosen, {heads, given});
    chosen.add_evidence(*fixture.search);
    fixture.search->for_each_arc([&](size_t slot, int head, int dependent) {
      const RandomScorer& scorer = fixture.scorer;
      double evidence = 0;
      if (dependent == 1) evidence = 2.0 * (scorer.label(head, 1, 2) - scorer.soft(head, 1, 0.5)) / 0.5;
      CHECK_NEAR(fixture.search->scores()[slot], scorer.arc(head, dependent) + evidence, 1e-5);
    });
    std::vector<double> before(fixture.search->scores().begin(), fixture.search->scores().end());
    chosen.add_labels(*fixture.search, {});
    CHECK(std::equal(before.begin(), before.end(), fixture.search->scores().begin()));
  }
}

TEST("log-probabilities of labels given the arcs are those of a softmax over the temperature; given labels are certain") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Fixture fixture(LabelMode::separate, seed);
    TreeLabels chosen(fixture.settings, fixture.scorer);
    const std::vector<int32_t> heads = {-1, -1, -1, -1}, given = {-1, 2, not_given, not_given}, asked = {-1, 2, 0, 1};
    fixture.begin(chosen, {heads, given});
    const LabelLogs& logs = chosen.logs(tree, asked);
    const auto log = [&](int m) {
      const int head = tree[static_cast<size_t>(m)];
      return (fixture.scorer.label(head, m, asked[static_cast<size_t>(m)]) - fixture.scorer.soft(head, m, 0.5)) / 0.5;
    };
    CHECK(logs.words[1] == 0);
    CHECK_NEAR(logs.words[2], log(2), 1e-5);
    CHECK_NEAR(logs.words[3], log(3), 1e-5);
    CHECK_NEAR(logs.all, log(2) + log(3), 1e-5);
  }
}

TEST("a model without labels gives none, and a scorer of single arcs labels no whole trees") {
  Fixture fixture(LabelMode::none, 1);
  TreeLabels chosen(fixture.settings, fixture.scorer);
  fixture.begin(chosen, {});
  std::vector<int32_t> labelled(words + 1, 7);
  chosen.choose(*fixture.search, tree, labelled);
  CHECK(labelled == std::vector<int32_t>(words + 1, -1));
  CHECK(chosen.logs(tree, labelled).all == 0);
  bool refused = false;
  try {
    chosen.choose_together(tree, labelled);
  } catch (const std::logic_error&) {
    refused = true;
  }
  CHECK(refused);
}

TEST("the search of all arcs answers as the space of trees: the best tree, its probability, a list") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Fixture fixture(LabelMode::none, seed);
    TreeLabels chosen(fixture.settings, fixture.scorer);
    fixture.begin(chosen, {});
    TreeSearch& search = *fixture.search;
    CHECK(search.arcs() == words * words);
    std::vector<int32_t> heads(words + 1, 0);
    const parses::Decoded decoded = search.decode({}, heads);
    CHECK(decoded.status == graph::Status::optimal && decoded.bound == decoded.score);
    CHECK_NEAR(search.add_value(0, search.scores(), heads), decoded.score, 1e-9);
    const std::vector<parses::RankedParse> all = search.rank({}, 100);
    CHECK(all.size() == 9);  // trees of three words under one root
    CHECK_NEAR(all[0].score, decoded.score, 1e-9);
    std::vector<double> marginals;
    const double log_partition = search.marginals(search.scores(), marginals);
    double sum = 0, arc = 0;
    for (const parses::RankedParse& one : all) {
      sum += std::exp(one.score - log_partition);
      if (one.heads[1] == 0) arc += std::exp(one.score - log_partition);
      const LabelLogs labels_of{std::vector<double>(words + 1, 0.0), -0.25};
      CHECK_NEAR(search.gold_log_probability(search.scores(), one.heads, &labels_of), one.score - log_partition - 0.25, 1e-9);
    }
    CHECK_NEAR(sum, 1.0, 1e-9);
    CHECK_NEAR(arc, marginals[search.slot(0, 1)], 1e-9);
    CHECK(!search.counts(std::vector<int32_t>{-1, 0, 0, 2}) && search.counts(tree));
  }
}
