// SPDX-License-Identifier: Apache-2.0
// The two stages of a pruner, held against their definition on random scores.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/tasks/pruner/model.hpp"
#include "core/tasks/pruner/surroundings.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using parses::CandidateArc;
using tasks::PrunerSettings;

namespace {

const tasks::Deadline never(std::numeric_limits<double>::infinity());

// Random scores of both stages, over words that all differ.
struct Sentence {
  Sentence(int length, uint64_t seed, PrunerSettings chosen, bool projective, bool streaming = false)
      : words(length),
        settings(chosen),
        templates(tasks::ParserTemplates::compile("[arc]\nhead.form\n[label]\nhead.form\n[pruner]\nhead.form dependent.form\n")),
        pruner(templates, settings, projective, true, streaming) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < words; ++i) forms.push_back(std::to_string(i));
    for (const std::string& form : forms) tokens.push_back({form, form, "X", "X", "_"});
    for (int i = 0; i < 1 << 16; ++i) values.push_back(static_cast<int16_t>(random() % 1001) - 500);
    for (int i = 0; i < (words + 1) * (words + 1); ++i) second.push_back(std::normal_distribution<double>(0, 3)(random));
    atoms = text::AtomTable(tokens, templates.attributes, {});
    pruner.prepare(atoms);
    pruner.score(table());
  }

  text::WeightTable<int16_t> table() const { return {text::TableKind::hash, 16, 1, 0.01f, values, {}}; }
  double first_score(int head, int dependent) { return tasks::arc_sum(table(), pruner.keys(head, dependent)); }
  double second_score(int head, int dependent) const { return second[static_cast<size_t>(head * (words + 1) + dependent)]; }
  void look_closer() {
    pruner.look_closer(never, [&](std::span<const int32_t> heads, int dependent, std::span<double> scores) {
      for (size_t i = 0; i < heads.size(); ++i) scores[i] = second_score(heads[i], dependent);
    });
  }

  int words;
  PrunerSettings settings;
  std::vector<std::string> forms;
  std::vector<text::Token> tokens;
  std::vector<int16_t> values;
  std::vector<double> second;
  tasks::ParserTemplates templates;
  text::AtomTable atoms;
  tasks::Pruner pruner;
};

// The heads that settings allow, the likeliest first.
std::vector<int> likely(const std::map<int, double>& scores, const PrunerSettings& settings) {
  std::vector<int> heads;
  for (const auto& [head, score] : scores) heads.push_back(head);
  std::stable_sort(heads.begin(), heads.end(), [&](int a, int b) { return scores.at(a) > scores.at(b); });
  std::vector<int> kept;
  for (const int head : heads)
    if (static_cast<int>(kept.size()) < settings.heads &&
        std::exp(scores.at(head) - scores.at(heads[0])) >= settings.threshold * (1 - 1e-12))
      kept.push_back(head);
  return kept;
}

// By definition: what both stages leave a word, without the arcs of the best tree.
std::vector<int> left_by_both(Sentence& sentence, int dependent) {
  std::map<int, double> scores;
  for (int head = 0; head <= sentence.words; ++head)
    if (head != dependent) scores[head] = sentence.first_score(head, dependent);
  const std::vector<int> near = likely(scores, sentence.settings.first_stage());
  const double before = scores[near[0]];
  const auto seen = [&](int head) { return std::find(near.begin(), near.end(), head) != near.end(); };
  double after = trees::kForbidden, least = -trees::kForbidden, best_unseen = trees::kForbidden;
  for (const int head : near) {
    after = std::max(after, sentence.second_score(head, dependent));
    least = std::min(least, sentence.second_score(head, dependent));
  }
  for (const auto& [head, score] : scores)
    if (!seen(head)) best_unseen = std::max(best_unseen, score);
  for (auto& [head, score] : scores)
    score = seen(head) ? sentence.second_score(head, dependent) : score + std::min(after - before, least - best_unseen);
  return likely(scores, sentence.settings);
}

TEST("candidates of two stages are those of the definition, and the best tree's") {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const PrunerSettings settings{1 + static_cast<int>(seed % 5), seed % 3 == 0 ? 0.0 : 0.02 * static_cast<double>(seed % 7)};
    Sentence sentence(1 + static_cast<int>(seed % 14), seed, settings, seed % 2 == 0);
    sentence.look_closer();
    const std::vector<CandidateArc> found = sentence.pruner.candidates();
    const std::vector<int32_t> tree = sentence.pruner.best_tree();
    std::vector<CandidateArc> wanted;
    for (int m = 1; m <= sentence.words; ++m) {
      std::vector<int> heads = left_by_both(sentence, m);
      if (std::find(heads.begin(), heads.end(), tree[static_cast<size_t>(m)]) == heads.end()) heads.push_back(tree[static_cast<size_t>(m)]);
      std::sort(heads.begin(), heads.end());
      for (const int head : heads) wanted.push_back({head, m});
    }
    CHECK(found == wanted);
  }
}

TEST("the best heads of words are those with the highest scores of the first stage") {
  for (const bool streaming : {false, true}) {
    Sentence sentence(streaming ? trees::dense_words + 5 : 9, 11, {4, 0.05}, false, streaming);
    const std::vector<int32_t>& best = sentence.pruner.best_heads();
    CHECK(sentence.pruner.streamed() == streaming && best.size() == static_cast<size_t>(sentence.words) + 1);
    for (int m = 1; m <= sentence.words; ++m)
      for (int h = 0; h <= sentence.words; ++h)
        CHECK(h == m || sentence.first_score(h, m) <= sentence.first_score(best[static_cast<size_t>(m)], m));
  }
}

TEST("the surroundings of an arc are those of the definition") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    const int words = 2 + round % 45, nowhere = words + 1;
    std::vector<int32_t> heads(static_cast<size_t>(words) + 1);
    for (int m = 1; m <= words; ++m) do
        heads[static_cast<size_t>(m)] = static_cast<int32_t>(random() % static_cast<uint64_t>(words + 1));
      while (heads[static_cast<size_t>(m)] == m);
    const int dependent = 1 + static_cast<int>(random() % static_cast<uint64_t>(words));
    const int head = (dependent + 1 + static_cast<int>(random() % static_cast<uint64_t>(words))) % (words + 1);
    const auto inside = [&](int word) { return std::min(head, dependent) < word && word < std::max(head, dependent); };
    const auto outside = [&](int word) { return !inside(word) && word != head && word != dependent; };
    int inner = nowhere, outer = nowhere, crossings = 0;
    for (int distance = tasks::Surroundings::reach; distance > 0; --distance)
      for (const int word : {dependent - distance, dependent + distance}) {
        if (word < 1 || word > words) continue;
        const int other = heads[static_cast<size_t>(word)];
        if (other == head && inside(word)) inner = word;
        if (other == head && outside(word) && (word > dependent) == (dependent > head)) outer = word;
        crossings += (inside(word) && outside(other)) || (outside(word) && inside(other));
      }
    const tasks::Surroundings found(heads, head, dependent, nowhere);
    CHECK(found.grandparent == (head == 0 ? nowhere : heads[static_cast<size_t>(head)]));
    CHECK(found.inner == inner && found.outer == outer && found.crossings == crossings);
  }
}

TEST("a sentence read word by word keeps what both stages leave of all arcs") {
  const int words = trees::dense_words + 20;
  Sentence all(words, 5, {4, 0.05}, false), streamed(words, 5, {4, 0.05}, false, true);
  all.look_closer();
  streamed.look_closer();
  CHECK(streamed.pruner.streamed() && !all.pruner.streamed());
  // Their best trees may differ.
  const std::vector<int32_t> tree = all.pruner.best_tree(), other_tree = streamed.pruner.best_tree();
  const auto without_trees = [&](std::vector<CandidateArc> arcs) {
    std::erase_if(arcs, [&](const CandidateArc& arc) {
      const auto m = static_cast<size_t>(arc.dependent);
      return tree[m] == arc.head || other_tree[m] == arc.head;
    });
    return arcs;
  };
  const std::vector<CandidateArc> found = without_trees(all.pruner.candidates());
  CHECK(found.size() > static_cast<size_t>(words) && found == without_trees(streamed.pruner.candidates()));
}

TEST("the second stage learns from gold heads and the best heads of the first") {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Sentence sentence(seed % 2 == 0 ? 9 : 30, seed, {2, 0.5}, false);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<int32_t> gold{-1};
    for (int m = 1; m <= sentence.words; ++m) gold.push_back(m % 4 == 0 ? -1 : (m + 1 + static_cast<int>(random() % 8)) % 10);
    for (int m = 1; m <= sentence.words; ++m)
      if (gold[static_cast<size_t>(m)] == m) gold[static_cast<size_t>(m)] = 0;
    tasks::HeadsInTraining near;
    sentence.pruner.list_near(gold, near);
    CHECK(near.best == sentence.pruner.best_heads() && near.starts.size() == gold.size() + 1);
    for (int m = 1; m <= sentence.words; ++m) {
      const auto word = static_cast<size_t>(m);
      std::map<int, double> first;
      for (int head = 0; head <= sentence.words; ++head)
        if (head != m) first[head] = sentence.first_score(head, m);
      std::vector<int> wanted = likely(first, {sentence.settings.first_stage().heads, 0.0});
      if (std::find(wanted.begin(), wanted.end(), gold[word]) == wanted.end()) wanted.push_back(gold[word]);
      if (gold[word] < 0) wanted.clear();
      const std::vector<int> found(near.heads.begin() + near.starts[word], near.heads.begin() + near.starts[word + 1]);
      CHECK(found == wanted);
      for (size_t i = near.starts[word]; i < near.starts[word + 1]; ++i)
        CHECK((near.rests[i] == 0) || i - near.starts[word] >= tasks::HeadsInTraining::at_once);
    }
  }
}

TEST("a pass adds the gradient of the log-likelihood, and heads of negligible probability rest") {
  std::mt19937_64 random(7);
  const int words = 6;
  const std::vector<int32_t> gold{-1, 2, 0, 2, -1, 4, 4};
  const auto key = [](int head, int dependent) { return static_cast<uint64_t>(head * 8 + dependent) << 56; };
  learn::ParameterTable table(text::TableKind::hash, 8, 1);
  const auto weight = [&](int head, int dependent) { return static_cast<double>(table.row(table.find(key(head, dependent)))[0]); };
  for (int head = 0; head <= words; ++head)
    for (int m = 1; m <= words; ++m)
      table.add_gradient(key(head, m), 0, static_cast<float>(std::normal_distribution<double>(0, 5)(random)));
  table.step({}, 0);
  tasks::HeadsInTraining listed;
  listed.list_all(gold);
  std::map<std::pair<int, int>, int> looked_at;
  tasks::HeadChoice choice;
  for (int pass = 0; pass < 5; ++pass) {
    std::map<std::pair<int, int>, double> before;
    for (int head = 0; head <= words; ++head)
      for (int m = 1; m <= words; ++m) before[{head, m}] = weight(head, m);
    std::vector<std::pair<int, int>> seen;
    const double loss = choice.learn(table, gold, listed, [&](int head, int dependent, std::vector<uint64_t>& keys) {
      seen.push_back({head, dependent});
      keys.push_back(key(head, dependent));
    });
    table.step({learn::Step::plain, 0.01}, pass);
    double wanted_loss = 0;
    for (int m = 1; m <= words; ++m) {
      const int right = gold[static_cast<size_t>(m)];
      double total = 0;
      for (const auto& [head, dependent] : seen)
        if (dependent == m) total += std::exp(before[{head, m}]);
      CHECK((total > 0) == (right >= 0));
      if (right >= 0) wanted_loss += std::log(total) - before[{right, m}];
      for (int head = 0; head <= words; ++head) {
        const bool here = std::find(seen.begin(), seen.end(), std::pair{head, m}) != seen.end();
        CHECK(here || pass > 0 || head == m || right < 0);
        const double error = here ? (head == right ? 1.0 : 0.0) - std::exp(before[{head, m}]) / total : 0.0;
        const bool counts = std::fabs(error) > tasks::HeadChoice::negligible;
        CHECK_NEAR(weight(head, m) - (before[{head, m}]), counts ? 0.01 * error : 0.0, 1e-5);
        if (!here && right >= 0 && head != m) CHECK((pass - looked_at[{head, m}] <= tasks::HeadsInTraining::rest));
        if (here) looked_at[{head, m}] = pass;
      }
    }
    CHECK_NEAR(loss, wanted_loss, 1e-4);
    CHECK(pass == 0 || pass == 3 || seen.size() < 5 * 6);
  }
}

}  // namespace
