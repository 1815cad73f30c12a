// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/chains/segments/lattice_best.hpp"
#include "core/parallel.hpp"

namespace accord::tasks {

LabellerModel::LabellerModel(LabellerSettings settings, std::vector<LabelTable> tables, text::ClusterLexicon clusters)
    : settings_(std::move(settings)),
      layer_sizes_(settings_.layer_sizes()),
      blocks_(settings_.layout()->blocks()),
      templates_(settings_.templates, blocks_),
      tables_(std::move(tables)),
      clusters_(std::move(clusters)) {
  if (tables_.size() != blocks_.size()) throw std::invalid_argument("one weight table for each kind of feature");
  for (size_t b = 0; b < blocks_.size(); ++b)
    std::visit(
        [&](const auto& table) {
          table.check();
          if (table.width < blocks_[b].width) throw std::invalid_argument("weight table is too narrow");
        },
        tables_[b]);
  if (!(settings_.temperature > 0)) throw std::invalid_argument("temperature must be more than 0");
}

LabellerModel::Worker::Worker(const LabellerModel& model) : layout(model.settings_.layout()), features(model.templates_) {}

namespace {

// Rows of scores whose keys are made before they are summed: weights lie all over a table that is larger than the caches near a core, and
// their memory is on its way meanwhile.
constexpr size_t together = 8;

template <typename Stored>
ACCORD_INLINE void prefetch_rows(const text::WeightTable<Stored>& table, std::span<const uint64_t> keys) {
  if (table.kind != text::TableKind::hash) return text::prefetch(table, keys);
  const int shift = 64 - table.bits;
  for (const uint64_t key : keys) ACCORD_PREFETCH(table.values.data() + (key >> shift) * static_cast<size_t>(table.width));
}

}  // namespace

void LabellerModel::score(const text::Sequences& sequences, size_t sequence, Worker& worker) const {
  const std::vector<text::Token>& tokens = worker.tokens;
  worker.features.prepare(tokens, clusters_);
  worker.scores.resize(blocks_, worker.features, tokens.size());
  for (size_t b = 0; b < blocks_.size(); ++b) {
    const auto width = static_cast<size_t>(blocks_[b].width);
    double* out = worker.scores.values(b).data();
    std::visit(
        [&](const auto& table) {
          worker.sums.resize(static_cast<size_t>(table.width));
          const size_t rows = worker.features.rows(b, tokens.size());
          for (size_t begin = 0; begin < rows; begin += together) {
            const size_t end = std::min(begin + together, rows);
            worker.keys.clear();
            worker.key_ends.clear();
            for (size_t row = begin; row < end; ++row) {
              const std::span<const uint64_t> keys = worker.features.keys(b, row);
              prefetch_rows(table, keys);
              worker.keys.insert(worker.keys.end(), keys.begin(), keys.end());
              worker.key_ends.push_back(worker.keys.size());
            }
            size_t first = 0;
            for (size_t row = begin; row < end; ++row) {
              const size_t last = worker.key_ends[row - begin];
              std::fill(worker.sums.begin(), worker.sums.end(), 0);
              text::sum_rows(table, std::span<const uint64_t>(worker.keys).subspan(first, last - first), worker.sums);
              for (size_t c = 0; c < width; ++c)
                out[row * width + c] = static_cast<double>(worker.sums[c]) * static_cast<double>(table.scale);
              first = last;
            }
          }
        },
        tables_[b]);
  }
  if (sequences.label_scores().empty()) return;
  if (sequences.label_scores().size() != sequences.total() * labels())
    throw std::invalid_argument("scores of a network: one for each token and label");
  const float* given = sequences.label_scores().data() + sequences.first(sequence) * labels();
  for (size_t i = 0; i < tokens.size(); ++i)
    for (size_t layer = 0; layer < static_cast<size_t>(layers()); ++layer) {
      if (worker.features.constant(layer)) throw std::invalid_argument("labels of single tokens need a template that looks at the token");
      double* row = worker.scores.rows()[layer].row(i);
      for (int l = 0; l < blocks_[layer].width; ++l) row[l] += static_cast<double>(*given++);
    }
}

namespace {

void scale(BlockArrays& scores, size_t blocks, double factor) {
  if (factor == 1.0) return;
  for (size_t b = 0; b < blocks; ++b)
    for (double& value : scores.values(b)) value *= factor;
}

// One vector for each token and layer: 0, the bonus, or -infinity for labels that contradict a known one.
void make_costs(const ChainLayout& layout, size_t tokens, std::span<const int32_t> known, std::span<const double> bonus, double factor,
                std::vector<double>& costs, std::vector<const double*>& rows) {
  const auto layers = static_cast<size_t>(layout.layers());
  size_t labels = 0;
  for (size_t layer = 0; layer < layers; ++layer) labels += static_cast<size_t>(layout.labels(static_cast<int>(layer)));
  costs.assign(tokens * labels, 0.0);
  rows.clear();
  double* at = costs.data();
  for (size_t i = 0; i < tokens; ++i)
    for (size_t layer = 0; layer < layers; ++layer) {
      const auto size = static_cast<size_t>(layout.labels(static_cast<int>(layer)));
      const int32_t wanted = known.empty() ? -1 : known[i * layers + layer];
      for (size_t l = 0; l < size; ++l) {
        if (!bonus.empty()) at[l] = factor * bonus[static_cast<size_t>(at - costs.data()) + l];
        if (wanted >= 0 && static_cast<size_t>(wanted) != l) at[l] = chains::forbidden;
      }
      rows.push_back(at);
      at += size;
    }
}

}  // namespace

void LabellerModel::check_known(std::span<const int32_t> known) const {
  for (size_t k = 0; k < known.size(); ++k)
    if (known[k] >= layer_sizes_[k % layer_sizes_.size()]) throw std::invalid_argument("a known label is out of range");
}

LabelAnswer LabellerModel::label(const text::Sequences& sequences, const LabelRequest& request) const {
  const auto layers = static_cast<size_t>(this->layers());
  if (!request.known.empty() && request.known.size() != sequences.total() * layers)
    throw std::invalid_argument("known labels: one for each token and layer");
  check_known(request.known);
  if (!request.bonus.empty() && request.bonus.size() != sequences.total() * labels())
    throw std::invalid_argument("bonus: one number for each token and label");
  LabelAnswer answer;
  answer.labels.resize(sequences.total() * layers);
  answer.score.resize(sequences.size());
  answer.impossible.resize(sequences.size());
  if (request.probabilities) {
    answer.probability.resize(answer.labels.size());
    answer.log_probability.resize(sequences.size());
  }
  if (request.posteriors) answer.posteriors.resize(sequences.total() * labels());
  const int threads = thread_count(request.threads, sequences.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(threads));
  parallel_for(sequences.size(), threads, [&](int worker, size_t sequence) {
    std::unique_ptr<Worker>& mine = workers[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Worker>(*this);
    label_sequence(sequences, sequence, request, *mine, answer);
  });
  return answer;
}

void LabellerModel::label_sequence(const text::Sequences& sequences, size_t sequence, const LabelRequest& request, Worker& worker,
                                   LabelAnswer& answer) const {
  const auto layers = static_cast<size_t>(this->layers());
  sequences.tokens(sequence, worker.tokens);
  const size_t tokens = worker.tokens.size(), first = sequences.first(sequence);
  if (tokens == 0) return;
  score(sequences, sequence, worker);
  const bool sums = request.probabilities || request.posteriors || request.decoding == Decoding::posterior;
  const double factor = sums ? 1.0 / settings_.temperature : 1.0;
  scale(worker.scores, blocks_.size(), factor);
  std::span<const int32_t> known = request.known.empty() ? request.known : request.known.subspan(first * layers, tokens * layers);
  std::span<const double> bonus = request.bonus.empty() ? request.bonus : request.bonus.subspan(first * labels(), tokens * labels());
  ChainLayout& layout = *worker.layout;
  worker.labels.resize(tokens * layers);
  const auto assemble = [&] {
    worker.cost_rows.clear();
    if (!known.empty() || !bonus.empty()) make_costs(layout, tokens, known, bonus, factor, worker.costs, worker.cost_rows);
    layout.assemble(tokens, worker.scores.rows(), worker.cost_rows);
    return layout.maximize(worker.labels);
  };
  double value = assemble();
  if (value == chains::forbidden && (!known.empty() || !bonus.empty())) {
    answer.impossible[sequence] = 1;
    known = {};
    bonus = {};
    value = assemble();
  }
  if (sums) {
    BlockArrays expectations;
    expectations.resize(blocks_, worker.features, tokens);
    const double log_partition = layout.add_expectations(1.0, expectations.rows());
    if (request.decoding == Decoding::posterior)
      for (size_t k = 0; k < worker.labels.size(); ++k) {
        const double* row = expectations.rows()[k % layers].row(k / layers);
        worker.labels[k] = static_cast<int>(std::max_element(row, row + layout.labels(static_cast<int>(k % layers))) - row);
      }
    if (request.probabilities) {
      for (size_t k = 0; k < worker.labels.size(); ++k)
        answer.probability[first * layers + k] = std::clamp(expectations.rows()[k % layers].row(k / layers)[worker.labels[k]], 0.0, 1.0);
      answer.log_probability[sequence] = std::min(0.0, layout.score(worker.labels) - log_partition);
    }
    if (request.posteriors) {
      double* out = answer.posteriors.data() + first * labels();
      for (size_t i = 0; i < tokens; ++i)
        for (size_t layer = 0; layer < layers; ++layer) {
          const auto size = static_cast<size_t>(layout.labels(static_cast<int>(layer)));
          const double* row = expectations.rows()[layer].row(i);
          for (size_t l = 0; l < size; ++l) *out++ = std::clamp(row[l], 0.0, 1.0);
        }
    }
    if (request.decoding == Decoding::posterior) value = layout.score(worker.labels);
  }
  answer.score[sequence] = value / factor;
  std::copy(worker.labels.begin(), worker.labels.end(), answer.labels.begin() + static_cast<std::ptrdiff_t>(first * layers));
}

std::vector<RankedLabels> LabellerModel::kbest(const text::Sequences& sequences, size_t sequence, int k, std::span<const int32_t> known,
                                               std::span<const double> bonus) const {
  if (sequence >= sequences.size()) throw std::invalid_argument("there is no such sequence");
  const auto layers = static_cast<size_t>(this->layers());
  if (!known.empty() && known.size() != sequences.length(sequence) * layers)
    throw std::invalid_argument("known labels: one for each token and layer");
  if (!bonus.empty() && bonus.size() != sequences.length(sequence) * labels())
    throw std::invalid_argument("bonus: one number for each token and label");
  check_known(known);
  View view(*this, sequences, sequence, known, bonus, true);
  const double log_partition = view.log_partition();
  std::vector<RankedLabels> ranked;
  for (chains::Labelling& one : view.layout().k_best(k))
    ranked.push_back({{one.labels.begin(), one.labels.end()}, one.score * settings_.temperature, std::min(0.0, one.score - log_partition)});
  return ranked;
}

std::vector<double> LabellerModel::run_log_probabilities(const text::Sequences& sequences, std::span<const LabelRun> runs,
                                                         std::span<const double> bonus) const {
  if (layers() != 1) throw std::invalid_argument("runs of labels are for models with one layer");
  if (!bonus.empty() && bonus.size() != sequences.total() * labels())
    throw std::invalid_argument("bonus: one number for each token and label");
  std::vector<double> result;
  std::vector<double> restricted;
  std::vector<int32_t> known;
  for (size_t r = 0; r < runs.size();) {
    const size_t sequence = runs[r].sequence;
    if (sequence >= sequences.size()) throw std::invalid_argument("there is no such sequence");
    const size_t tokens = sequences.length(sequence);
    const std::span<const double> own = bonus.empty() ? bonus : bonus.subspan(sequences.first(sequence) * labels(), tokens * labels());
    View view(*this, sequences, sequence, {}, own, true);
    const double all = view.log_partition();
    for (; r < runs.size() && runs[r].sequence == sequence; ++r) {
      const LabelRun& run = runs[r];
      const size_t end = run.first + run.labels.size();
      if (run.first > tokens || end > tokens || run.not_after >= settings_.labels) throw std::invalid_argument("a run is out of range");
      known.assign(tokens, -1);
      for (size_t k = 0; k < run.labels.size(); ++k) {
        if (run.labels[k] < 0 || run.labels[k] >= settings_.labels) throw std::invalid_argument("a label is out of range");
        known[run.first + k] = run.labels[k];
      }
      restricted.assign(tokens * labels(), 0.0);
      std::copy(own.begin(), own.end(), restricted.begin());
      if (run.not_after >= 0 && end < tokens) restricted[end * labels() + static_cast<size_t>(run.not_after)] = chains::forbidden;
      view.restrict(known, restricted);
      result.push_back(std::min(0.0, view.log_partition() - all));
    }
  }
  return result;
}

LabellerModel::View::View(const LabellerModel& model, const text::Sequences& sequences, size_t sequence, std::span<const int32_t> known,
                          std::span<const double> bonus, bool scaled)
    : worker_(model),
      factor_(scaled ? 1.0 / model.settings_.temperature : 1.0) {
  sequences.tokens(sequence, worker_.tokens);
  model.score(sequences, sequence, worker_);
  scale(worker_.scores, model.blocks_.size(), factor_);
  restrict(known, bonus);
}

void LabellerModel::View::restrict(std::span<const int32_t> known, std::span<const double> bonus) {
  worker_.cost_rows.clear();
  if (!known.empty() || !bonus.empty())
    make_costs(*worker_.layout, worker_.tokens.size(), known, bonus, factor_, worker_.costs, worker_.cost_rows);
  worker_.layout->assemble(worker_.tokens.size(), worker_.scores.rows(), worker_.cost_rows);
}

std::vector<std::vector<ScoredSegment>> LabellerModel::segments(const text::Sequences& sequences, std::span<const double> bonus,
                                                                double margin, int threads) const {
  if (!bonus.empty() && bonus.size() != sequences.total() * labels())
    throw std::invalid_argument("bonus: one number for each token and label");
  settings_.layout()->segments();  // throws where there are none
  std::vector<std::vector<ScoredSegment>> found(sequences.size());
  parallel_for(sequences.size(), thread_count(threads, sequences.size()), [&](int, size_t sequence) {
    const size_t tokens = sequences.length(sequence);
    if (tokens == 0) return;
    const std::span<const double> own = bonus.empty() ? bonus : bonus.subspan(sequences.first(sequence) * labels(), tokens * labels());
    View view(*this, sequences, sequence, {}, own, true);
    std::vector<ScoredSegment> all = view.layout().segments();
    std::vector<chains::Edge> edges;
    for (const ScoredSegment& one : all) edges.push_back({one.first, one.first + one.size, 0, one.score});
    const chains::Lattice lattice(static_cast<int>(tokens), std::move(edges));
    std::vector<double> best(all.size());
    chains::max_marginals(lattice, best);
    const double limit = *std::max_element(best.begin(), best.end()) - margin;
    for (size_t k = 0; k < all.size(); ++k)
      if (best[k] != chains::forbidden && best[k] >= limit) found[sequence].push_back(all[k]);
  });
  return found;
}

LabellerModel::TokenScorer::TokenScorer(const LabellerModel& model) : model_(model), worker_(model) {
  const LabellerSettings& settings = model.settings_;
  if (settings.tags > 0 || !settings.types.empty() || !settings.sizes.empty() || settings.order > 1)
    throw std::invalid_argument("single tokens: order 0 or 1");
  if (settings.order == 1 && !model.templates_.constant[1])
    throw std::invalid_argument("templates of [pair] look at tokens; beside phrases they must not");
}

void LabellerModel::TokenScorer::sum_row(size_t block, size_t row) {
  std::visit(
      [&](const auto& table) {
        worker_.sums.assign(static_cast<size_t>(table.width), 0);
        text::sum_rows(table, worker_.features.keys(block, row), worker_.sums);
        worker_.costs.resize(worker_.sums.size());
        for (size_t c = 0; c < worker_.sums.size(); ++c)
          worker_.costs[c] = static_cast<double>(worker_.sums[c]) * static_cast<double>(table.scale) / model_.settings_.temperature;
      },
      model_.tables_[block]);
}

void LabellerModel::TokenScorer::add(std::span<const text::Token> tokens, size_t token, std::span<double> out) {
  worker_.features.prepare(tokens, model_.clusters_);
  sum_row(0, token);
  for (size_t l = 0; l < out.size(); ++l) out[l] += worker_.costs[l];
}

std::vector<double> LabellerModel::TokenScorer::transitions() {
  if (model_.settings_.order == 0) return {};
  const text::Token any{"_", "_", "_", "_", "_"};
  worker_.features.prepare(std::span(&any, 1), model_.clusters_);
  sum_row(1, 0);
  worker_.costs.resize(static_cast<size_t>(model_.blocks_[1].width));
  return worker_.costs;
}

}  // namespace accord::tasks
