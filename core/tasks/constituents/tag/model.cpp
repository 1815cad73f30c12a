// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/tag/model.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

using constituents::LabelledSpan, constituents::SpineDerivation;

namespace {

constexpr int sample_count = 200;  // derivations that probabilities of phrases are counted over
constexpr uint64_t sample_seed = 1;

void check_table(const SpineTable& table, int width) {
  std::visit(
      [&](const auto& weights) {
        weights.check();
        if (weights.width < width) throw std::invalid_argument("weight table is too narrow");
      },
      table);
}

}  // namespace

FrozenPruner::FrozenPruner(const std::string& templates, constituents::SpineGrammar given, const std::vector<std::string>& tag_names,
                           SpineTable label_weights, SpineTable spine_weights, text::ClusterLexicon words)
    : templates(templates),
      grammar(std::move(given)),
      tags(tag_names),
      labels(grammar),
      marks(grammar),
      clusters(std::move(words)),
      label_weights_(label_weights),
      spine_weights_(spine_weights) {
  if (tag_names.size() != static_cast<size_t>(grammar.tags())) throw std::invalid_argument("one name for each tag");
  check_table(label_weights_, labels.width());
  check_table(spine_weights_, 1);
}

int FrozenPruner::look(const text::Sequences& sequences, size_t sentence, bool parts, Worker& worker) const {
  if (sentence >= sequences.size()) throw std::invalid_argument("there is no such sentence");
  sequences.tokens(sentence, worker.tokens);
  if (worker.tokens.empty()) return 0;
  tags.read(worker.tokens, worker.tags);
  worker.features.prepare(worker.tokens, clusters, parts);
  worker.pruner.prepare(worker.tags);
  float scale = 1;
  const auto rows = [&](std::span<const uint64_t> keys) {
    std::visit(
        [&](const auto& table) {
          worker.sums.assign(static_cast<size_t>(table.width), 0);
          text::sum_rows(table, keys, worker.sums);
          scale = table.scale;
        },
        label_weights_);
    return std::span<const int32_t>(worker.sums);
  };
  const auto spines = [&](std::span<const uint64_t> keys, uint64_t shift) {
    return std::visit([&](const auto& table) { return shifted_sum(table, keys, shift); }, spine_weights_);
  };
  worker.pruner.score(worker.features, rows, spines, worker.scores);
  const size_t arcs = worker.pruner.spine_part(1, 0);
  for (size_t k = 0; k < arcs; ++k) worker.scores[k] *= static_cast<double>(scale);
  worker.probabilities.resize(worker.scores.size());
  worker.pruner.probabilities(worker.scores, worker.probabilities);
  return static_cast<int>(worker.tokens.size());
}

struct TagModel::Worker {
  explicit Worker(const TagModel& model) : look(model.pruner_) {}
  FrozenPruner::Worker look;
  constituents::SpineCandidates candidates;
  constituents::SpineGraph graph;
  constituents::SpineSpace space;
  std::vector<double> scores;
  SpineDerivation derivation;
};

TagModel::TagModel(const std::string& templates, constituents::SpineGrammar grammar, const std::vector<std::string>& tags,
                   TagSettings settings, SpineTables tables, text::ClusterLexicon clusters)
    : pruner_(templates, std::move(grammar), tags, tables.labels, tables.spines, std::move(clusters)),
      settings_(settings),
      parts_(tables.parts) {
  check_table(parts_, 1);
  if (!(settings_.temperature > 0)) throw std::invalid_argument("temperature must be more than 0");
}

bool TagModel::load(const text::Sequences& sequences, size_t sentence, Worker& worker) const {
  if (pruner_.look(sequences, sentence, true, worker.look) == 0) return false;
  SpinePruning pruning = settings_.pruning;
  for (int attempt = 0; attempt < 4; ++attempt) {
    worker.look.pruner.choose(worker.look.probabilities, pruning, worker.candidates);
    worker.graph.build(pruner_.grammar, worker.candidates, settings_.shape);
    if (worker.graph.possible()) break;
    pruning.alpha *= 1e-3;  // where nothing fits together, more is looked at
    pruning.spine_alpha *= 1e-2;
    pruning.most *= 2;
  }
  if (!worker.graph.possible()) return false;
  std::visit(
      [&](const auto& table) { score_parts(table, worker.look.features, worker.graph, worker.candidates, pruner_.marks, worker.scores); },
      parts_);
  return true;
}

// Probabilities of phrases depend on both sides of a node at once, which no item of the graph sees: they are counted over samples.
void TagModel::estimate(const ConstituentRequest& request, Worker& worker, FoundSpans& found) const {
  for (double& score : worker.scores) score /= settings_.temperature;
  found.log_probability = std::min(found.score / settings_.temperature - worker.space.log_partition(worker.graph, worker.scores), 0.0);
  std::vector<std::vector<LabelledSpan>> trees;
  for (const SpineDerivation& one : worker.space.sample(worker.graph, worker.scores, sample_count, sample_seed))
    trees.push_back(constituents::phrases(pruner_.grammar, one));
  std::map<std::tuple<int, int, int>, double> chances;
  const auto key = [](const LabelledSpan& span) { return std::tuple(span.begin, span.end, span.label); };
  for (const std::vector<LabelledSpan>& tree : trees)
    for (const LabelledSpan& span : tree) chances[key(span)] += 1.0 / sample_count;
  if (request.least_risk) {  // of the trees drawn and the best one, that of the largest expected gain
    const auto gain = [&](const std::vector<LabelledSpan>& tree) {
      double total = 0;
      for (const LabelledSpan& span : tree) total += chances[key(span)] - request.threshold;
      return total;
    };
    double best = gain(found.spans);
    for (const std::vector<LabelledSpan>& tree : trees)
      if (const double here = gain(tree); here > best) best = here, found.spans = tree;
  }
  for (const LabelledSpan& span : found.spans) found.probability.push_back(std::min(chances[key(span)], 1.0));
}

FoundSpans TagModel::decode(const text::Sequences& sequences, size_t sentence, const ConstituentRequest& request, Worker& worker) const {
  FoundSpans found;
  if (!load(sequences, sentence, worker)) {
    const auto words = static_cast<int32_t>(sequences.length(sentence));
    if (words > 0) {  // a flat tree rather than none
      found.spans.push_back({0, words, 0});
      if (request.probabilities) found.probability.push_back(0.0);
    }
    return found;
  }
  worker.derivation.resize(worker.graph.words());
  found.score = worker.space.argmax(worker.graph, worker.scores, worker.derivation);
  found.spans = constituents::phrases(pruner_.grammar, worker.derivation);
  if (request.least_risk || request.probabilities) estimate(request, worker, found);
  return found;
}

ConstituentAnswer TagModel::parse(const text::Sequences& sequences, const ConstituentRequest& request) const {
  std::vector<FoundSpans> found(sequences.size());
  const int threads = thread_count(request.threads, sequences.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(threads));
  parallel_for(sequences.size(), threads, [&](int worker, size_t sentence) {
    std::unique_ptr<Worker>& mine = workers[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Worker>(*this);
    found[sentence] = decode(sequences, sentence, request, *mine);
  });
  return ConstituentAnswer(found);
}

RankedSpans TagModel::kbest(const text::Sequences& sequences, size_t sentence, int k) const {
  Worker worker(*this);
  RankedSpans ranked;
  if (!load(sequences, sentence, worker)) {
    const auto words = static_cast<int32_t>(sequences.length(sentence));
    if (k > 0 && words > 0) ranked.push_back({{0.0, {{0, words, 0}}}, 0.0});
    return ranked;
  }
  for (double& score : worker.scores) score /= settings_.temperature;
  const double total = worker.space.log_partition(worker.graph, worker.scores);
  for (const constituents::ScoredDerivation& one : worker.space.kbest(pruner_.grammar, worker.graph, worker.scores, k))
    ranked.push_back(
        {{one.score * settings_.temperature, constituents::phrases(pruner_.grammar, one.derivation)}, std::min(one.score - total, 0.0)});
  return ranked;
}

std::vector<int32_t> TagModel::heads(const text::Sequences& sequences, int threads) const {
  std::vector<int32_t> found(sequences.total(), 0);
  const int count = thread_count(threads, sequences.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(count));
  parallel_for(sequences.size(), count, [&](int number, size_t sentence) {
    std::unique_ptr<Worker>& mine = workers[static_cast<size_t>(number)];
    if (!mine) mine = std::make_unique<Worker>(*this);
    if (!load(sequences, sentence, *mine)) {
      for (size_t k = 1; k < sequences.length(sentence); ++k) found[sequences.first(sentence) + k] = 1;
      return;
    }
    mine->derivation.resize(mine->graph.words());
    mine->space.argmax(mine->graph, mine->scores, mine->derivation);
    std::copy(mine->derivation.head.begin() + 1, mine->derivation.head.end(),
              found.begin() + static_cast<std::ptrdiff_t>(sequences.first(sentence)));
  });
  return found;
}

SpinePruningStatistics TagModel::pruning(const SpineData& gold) const {
  gold.check(pruner_.grammar);
  SpinePruningStatistics total;
  Worker worker(*this);
  const constituents::SpineCandidates& left = worker.candidates;
  const SpineDerivation& wanted = worker.derivation;
  for (size_t sentence = 0; sentence < gold.sequences.size(); ++sentence) {
    const int words = pruner_.look(gold.sequences, sentence, false, worker.look);
    if (words == 0) continue;
    worker.look.pruner.choose(worker.look.probabilities, settings_.pruning, worker.candidates);
    gold.read(sentence, worker.derivation);
    const auto n = static_cast<size_t>(words);
    total.words += n;
    total.relations += left.relations.size();
    total.spines += left.spines.values.size();
    total.possible += n * n * pruner_.grammar.relations().size();
    const std::vector<uint8_t> after = constituents::after_regular(wanted);
    const auto has = [](std::span<const int32_t> list, int32_t one) { return std::find(list.begin(), list.end(), one) != list.end(); };
    const auto known = [&](int word) {
      return word == 0 || has(left.spines[static_cast<size_t>(word)], wanted.spine[static_cast<size_t>(word)]);
    };
    for (const constituents::AdjunctionArc& arc : left.arcs) {
      const auto m = static_cast<size_t>(arc.dependent);
      if (wanted.head[m] != arc.head || !known(arc.head) || !known(arc.dependent)) continue;
      const constituents::SpineRelation relation = constituents::relation_of(pruner_.grammar, wanted, left.tags, arc.dependent, after[m]);
      total.kept += has(left.relations_of(arc), pruner_.grammar.find(relation));
    }
  }
  return total;
}

std::vector<TagModel::Marginal> TagModel::marginals(const text::Sequences& sequences, size_t sentence) const {
  FrozenPruner::Worker worker(pruner_);
  const int words = pruner_.look(sequences, sentence, false, worker);
  std::vector<Marginal> found;
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h)
      for (int model = 0; model < 3 && h != m; ++model) {
        const std::span<const int32_t> columns = worker.pruner.columns(model, h, m);
        for (size_t k = 0; k < columns.size(); ++k)
          found.emplace_back(model, h, m, columns[k] - pruner_.labels.column(model, 0),
                             worker.probabilities[worker.pruner.arc_part(h, m, model, k)]);
      }
    const std::span<const int32_t> spines = pruner_.grammar.spines_of(worker.tags[static_cast<size_t>(m)]);
    for (size_t k = 0; k < spines.size(); ++k) found.emplace_back(3, 0, m, spines[k], worker.probabilities[worker.pruner.spine_part(m, k)]);
  }
  return found;
}

}  // namespace accord::tasks
