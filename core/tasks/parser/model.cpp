// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/model.hpp"

#include <atomic>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/tasks/parser/sentence_parser.hpp"

namespace accord::tasks {

namespace {

// Calls visit(parser, sentences) for batches that together are all sentences with words, loaded into one thread's parser.
template <typename Visit>
void for_each_batch(const ParserContents& contents, const text::Document& document, int threads, Visit&& visit) {
  const std::vector<std::vector<size_t>> batches = contents.batches(document);
  std::vector<std::unique_ptr<SentenceParser>> parsers(static_cast<size_t>(thread_count(threads, batches.size())));
  parallel_for(batches.size(), threads, [&](int worker, size_t index) {
    auto& mine = parsers[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<SentenceParser>(contents);
    mine->load(document, batches[index]);
    visit(*mine, std::span<const size_t>(batches[index]));
  });
}

// Calls visit(parser, sentence) for every sentence with words, selected.
template <typename Visit>
void for_each_sentence(const ParserContents& contents, const text::Document& document, int threads, Visit&& visit) {
  for_each_batch(contents, document, threads, [&](SentenceParser& parser, std::span<const size_t> sentences) {
    for (size_t place = 0; place < sentences.size(); ++place) {
      parser.select(document, sentences[place], place);
      visit(parser, sentences[place]);
    }
  });
}

ParseResult empty_result(const text::Document& document, bool probabilities) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  ParseResult out;
  out.heads.assign(document.total_words(), 0);
  out.labels.assign(document.total_words(), -1);
  out.scores.assign(document.sentences(), nothing);
  out.bounds.assign(document.sentences(), nothing);
  out.statuses.assign(document.sentences(), static_cast<int32_t>(graph::Status::optimal));
  out.iterations.assign(document.sentences(), 0);
  if (!probabilities) return out;
  out.arc_probability.resize(document.total_words());
  out.label_probability.resize(document.total_words());
  out.tree_log_probability.resize(document.sentences());
  return out;
}

}  // namespace

ParserModel::ParserModel(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters)
    : contents_(std::make_unique<const ParserContents>(std::move(settings), tables, std::move(clusters))) {}
ParserModel::ParserModel(ParserSettings settings, std::shared_ptr<const neural::Network> network)
    : contents_(std::make_unique<const ParserContents>(std::move(settings), std::move(network))) {}
ParserModel::ParserModel(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters,
                         std::shared_ptr<const neural::Network> network, const ScorerShares& shares)
    : contents_(std::make_unique<const ParserContents>(std::move(settings), tables, std::move(clusters), std::move(network), shares)) {}
ParserModel::ParserModel(ParserModel&&) noexcept = default;
ParserModel::~ParserModel() = default;

const ParserSettings& ParserModel::settings() const { return contents_->settings; }

ParseResult ParserModel::parse(const text::Document& document, const parses::DecoderSettings& decoder, bool probabilities, int threads,
                               const Given* given, bool tags) const {
  if (given != nullptr && !given->fits(document)) throw std::invalid_argument("what is given belongs to another document");
  ParseResult out = empty_result(document, probabilities);
  if (tags) out.tags = NetworkTags::empty(contents_->network.get(), document);
  for_each_batch(*contents_, document, threads, [&](SentenceParser& parser, std::span<const size_t> sentences) {
    if (tags) parser.tags().choose(document, sentences, out.tags);
    for (size_t place = 0; place < sentences.size(); ++place) {
      parser.select(document, sentences[place], place, given == nullptr ? GivenWords{} : given->sentence(sentences[place]));
      parser.parse(decoder, probabilities, out);
    }
  });
  return out;
}

std::vector<std::vector<int32_t>> ParserModel::tag(const text::Document& document, int threads) const {
  TagColumns tags = NetworkTags::empty(contents_->network.get(), document);
  for_each_batch(*contents_, document, threads,
                 [&](SentenceParser& parser, std::span<const size_t> sentences) { parser.tags().choose(document, sentences, tags); });
  return tags;
}

std::vector<float> ParserModel::tag_logs(const text::Document& document, size_t sentence, size_t task, bool alone) const {
  const size_t classes = NetworkTags::classes(contents_->network.get(), task);
  if (document.words(sentence) == 0) return {};
  SentenceParser parser(*contents_);
  const size_t one[] = {sentence};
  parser.load(document, one);
  const std::span<const float> logs = parser.tags().logs(task, alone).subspan(classes);  // without the root
  return {logs.begin(), logs.end()};
}

std::vector<double> ParserModel::tag_probabilities(const text::Document& document, size_t task, int threads) const {
  NetworkTags::classes(contents_->network.get(), task);
  std::vector<double> out(document.total_words());
  for_each_batch(*contents_, document, threads, [&](SentenceParser& parser, std::span<const size_t> sentences) {
    parser.tags().probabilities(document, sentences, task, out);
  });
  return out;
}

PruningStatistics ParserModel::prune(const text::Document& document, int threads) const {
  std::atomic<size_t> words = 0, arcs = 0, gold = 0;
  for_each_sentence(*contents_, document, threads, [&](SentenceParser& parser, size_t) {
    const PruningStatistics one = parser.prune();
    words += one.words, arcs += one.arcs, gold += one.gold;
  });
  return {words, arcs, gold};
}

std::vector<LabelledTree> ParserModel::kbest(const text::Document& document, size_t sentence, const parses::DecoderSettings& decoder, int k,
                                             const Given* given) const {
  if (document.words(sentence) == 0) return {};
  SentenceParser parser(*contents_);
  parser.open(document, sentence, given == nullptr ? GivenWords{} : given->sentence(sentence));
  return parser.kbest(decoder, k);
}

double ParserModel::gold_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const {
  std::vector<double> values(document.sentences());
  for_each_sentence(*contents_, document, threads,
                    [&](SentenceParser& parser, size_t sentence) { values[sentence] = parser.gold_log_probability(names); });
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double ParserModel::gold_label_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const {
  std::vector<double> values(document.sentences());
  for_each_sentence(*contents_, document, threads,
                    [&](SentenceParser& parser, size_t sentence) { values[sentence] = parser.gold_label_log_probability(names); });
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> ParserModel::arc_scores(const text::Document& document, size_t sentence) const {
  SentenceParser parser(*contents_);
  parser.open(document, sentence);
  return parser.arc_scores();
}

std::vector<int32_t> ParserModel::labels_of_tree(const text::Document& document, size_t sentence, std::span<const int32_t> heads) const {
  if (!settings().tree_labels) throw std::invalid_argument("the model chooses labels arc by arc");
  if (heads.size() != document.words(sentence) + 1) throw std::invalid_argument("heads must have n+1 entries");
  std::vector<int32_t> labels(heads.size(), -1);
  if (heads.size() == 1) return labels;
  SentenceParser parser(*contents_);
  parser.open(document, sentence);
  parser.labels().choose_together(heads, labels);
  return labels;
}

std::vector<double> ParserModel::label_logs(const text::Document& document, size_t sentence, std::span<const int32_t> heads,
                                            std::span<const int32_t> labels, std::span<const double> penalties) const {
  if (!settings().tree_labels) throw std::invalid_argument("the model chooses labels arc by arc");
  const size_t size = document.words(sentence) + 1;
  if (heads.size() != size || labels.size() != size) throw std::invalid_argument("heads and labels must have n+1 entries");
  if (penalties.size() != size * static_cast<size_t>(settings().labels)) throw std::invalid_argument("penalties must be (n+1) x labels");
  SentenceParser parser(*contents_);
  parser.open(document, sentence);
  const LabelLogs& logs = parser.labels().logs(heads, labels, penalties);
  std::vector<double> out(logs.words);
  out[0] = logs.all;
  return out;
}

}  // namespace accord::tasks
