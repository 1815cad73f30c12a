// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/joint/joint_model.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

using constituents::TaggedLattice;
using constituents::TaggedWord;
using constituents::WordLattice;

namespace {

constexpr int context_words = 2;  // likeliest words on each side that the tagger sees

struct StoredWeights {
  const PhraseTable& table;

  double sum(std::span<const uint64_t> keys, const Place& place) const {
    return std::visit(
        [&](const auto& stored) {
          int64_t total = 0;
          for (const uint64_t key : keys) total += stored.values[text::home_row(place.of(key, stored.bits), stored.bits)];
          return static_cast<double>(total) * static_cast<double>(stored.scale);
        },
        table);
  }
};

double log_sum(std::span<const double> scores) {
  const double peak = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - peak);
  return peak + std::log(sum);
}

text::Token token_of(std::string_view form, std::string_view tag) { return {form, "_", "_", tag, "_"}; }

}  // namespace

struct JointPhraseModel::Worker {
  explicit Worker(const JointPhraseModel& model, const JointRequest& request)
      : tagger(model.tagger_),
        transitions(tagger.transitions()),
        features(model.templates_),
        chart(model.grammar_) {
    for (double& score : transitions) score *= request.tags;
  }

  LabellerModel::TokenScorer tagger;
  std::vector<double> transitions;
  PhraseFeatures features;
  constituents::JointChart chart;
  std::vector<text::Token> tokens;
  std::vector<double> scores;
  std::vector<int32_t> order;
};

JointPhraseModel::JointPhraseModel(const LabellerModel& tagger, std::vector<std::string> tags, constituents::Grammar grammar,
                                   const std::string& templates, PhraseTable table, text::ClusterLexicon clusters)
    : tagger_(tagger),
      tags_(std::move(tags)),
      grammar_(std::move(grammar)),
      templates_(templates),
      table_(table),
      clusters_(std::move(clusters)) {
  std::visit(
      [](const auto& stored) {
        stored.check();
        if (stored.width != 1) throw std::invalid_argument("a table of phrases has one weight in a row");
      },
      table_);
  LabellerModel::TokenScorer check(tagger_);  // throws where the tagger cannot be asked so
  if (tagger_.labels() != tags_.size() || tags_.size() != static_cast<size_t>(grammar_.tags()))
    throw std::invalid_argument("tags of tagger and grammar are the same");
}

std::vector<JointAnswer> JointPhraseModel::parse(const std::vector<WordChoices>& texts, const JointRequest& request) const {
  std::vector<JointAnswer> answers(texts.size());
  const int threads = thread_count(request.threads, texts.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(threads));
  parallel_for(texts.size(), threads, [&](int number, size_t text) {
    std::unique_ptr<Worker>& worker = workers[static_cast<size_t>(number)];
    if (!worker) worker = std::make_unique<Worker>(*this, request);
    answers[text] = find(texts[text], 1, request, *worker).at(0);
  });
  return answers;
}

std::vector<JointAnswer> JointPhraseModel::kbest(const WordChoices& text, int k, const JointRequest& request) const {
  Worker worker(*this, request);
  return find(text, k, request, worker);
}

// The tags that words may have, with the scores of word and tag.
std::vector<TaggedWord> JointPhraseModel::candidates(const WordChoices& text, const WordLattice& lattice, const JointRequest& request,
                                                     Worker& worker) const {
  std::vector<TaggedWord> tagged;
  const auto form = [&](int32_t word) -> std::string_view {
    return text.forms[static_cast<size_t>(lattice.given()[static_cast<size_t>(word)])];
  };
  for (int32_t w = 0; w < static_cast<int32_t>(lattice.words().size()); ++w) {
    const constituents::LatticeWord& word = lattice.words()[static_cast<size_t>(w)];
    worker.tokens.clear();
    int32_t beside = lattice.before(word.begin);
    for (int k = 0; k < context_words && beside >= 0; ++k, beside = lattice.before(lattice.words()[static_cast<size_t>(beside)].begin))
      worker.tokens.push_back(token_of(form(beside), "_"));
    std::reverse(worker.tokens.begin(), worker.tokens.end());
    const size_t here = worker.tokens.size();
    worker.tokens.push_back(token_of(form(w), "_"));
    beside = lattice.behind(word.end);
    for (int k = 0; k < context_words && beside >= 0; ++k, beside = lattice.behind(lattice.words()[static_cast<size_t>(beside)].end))
      worker.tokens.push_back(token_of(form(beside), "_"));
    worker.scores.assign(tags_.size(), 0.0);
    worker.tagger.add(worker.tokens, here, worker.scores);
    const double offset = request.normal_tags ? log_sum(worker.scores) : 0.0;
    for (double& score : worker.scores) score = request.words * word.score + request.bonus + request.tags * (score - offset);
    const int32_t known = text.tags[static_cast<size_t>(lattice.given()[static_cast<size_t>(w)])];
    if (known >= 0) {
      tagged.push_back({w, known, worker.scores[static_cast<size_t>(known)]});
      continue;
    }
    worker.order.resize(tags_.size());
    std::iota(worker.order.begin(), worker.order.end(), 0);
    const size_t most = request.most_tags > 0 ? std::min(tags_.size(), static_cast<size_t>(request.most_tags)) : tags_.size();
    const auto score = [&](int32_t tag) { return worker.scores[static_cast<size_t>(tag)]; };
    std::partial_sort(worker.order.begin(), worker.order.begin() + static_cast<std::ptrdiff_t>(most), worker.order.end(),
                      [&](int32_t a, int32_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    for (size_t k = 0; k < most; ++k) tagged.push_back({w, worker.order[k], score(worker.order[k])});
  }
  return tagged;
}

std::vector<JointAnswer> JointPhraseModel::find(const WordChoices& text, int k, const JointRequest& request, Worker& worker) const {
  if (text.forms.size() != text.words.size() || text.tags.size() != text.words.size())
    throw std::invalid_argument("every word of a text has a form and a tag, or none");
  for (const int32_t tag : text.tags)
    if (tag >= static_cast<int32_t>(tags_.size())) throw std::invalid_argument("a tag is out of range");
  const WordLattice words(text.length, text.words);
  const TaggedLattice lattice(words, candidates(text, words, request, worker), static_cast<int>(tags_.size()), worker.transitions);
  if (!request.pipeline) return search(text, words, lattice, k, request, worker);
  // The same chart over one path.
  WordChoices chosen{text.length, {}, {}, {}};
  std::vector<TaggedWord> tagged;
  std::vector<int32_t> given;
  for (const int32_t one : lattice.pipeline_path(words)) {
    const auto word = static_cast<size_t>(lattice[one].word);
    tagged.push_back({static_cast<int32_t>(chosen.words.size()), lattice[one].tag, lattice[one].score});
    given.push_back(words.given()[word]);
    chosen.words.push_back(words.words()[word]);
    chosen.forms.push_back(text.forms[static_cast<size_t>(given.back())]);
  }
  const WordLattice path(text.length, chosen.words);
  const TaggedLattice tagged_path(path, std::move(tagged), static_cast<int>(tags_.size()), worker.transitions);
  std::vector<JointAnswer> answers = search(chosen, path, tagged_path, k, request, worker);
  for (JointAnswer& answer : answers)
    for (JointWord& word : answer.words) word.given = given[static_cast<size_t>(word.given)];
  return answers;
}

std::vector<JointAnswer> JointPhraseModel::search(const WordChoices& text, const WordLattice& words, const TaggedLattice& lattice, int k,
                                                  const JointRequest& request, Worker& worker) const {
  worker.tokens.clear();
  for (const TaggedWord& one : lattice.words())
    worker.tokens.push_back(
        token_of(text.forms[static_cast<size_t>(words.given()[static_cast<size_t>(one.word)])], tags_[static_cast<size_t>(one.tag)]));
  worker.features.prepare(lattice, worker.tokens, clusters_);
  const StoredWeights weights{table_};
  TemplateScorer<StoredWeights> scorer(worker.features, weights, request.phrases);
  const constituents::ChartSettings settings{request.beam, request.tied, templates_.pairwise, request.gap};
  std::vector<constituents::Derivation> found;
  if (k == 1) found.push_back(worker.chart.best(lattice, scorer, settings));
  else found = worker.chart.kbest(lattice, scorer, settings, k);
  std::vector<JointAnswer> answers;
  std::vector<int32_t> number(static_cast<size_t>(text.length) + 1);  // of words that end at or before a place
  for (const constituents::Derivation& one : found) {
    JointAnswer answer{one.score, one.whole, {}, {}};
    for (const constituents::DerivedSpan& span : one.spans) {
      if (span.word < 0) continue;
      const TaggedWord& word = lattice[span.word];
      answer.words.push_back({words.given()[static_cast<size_t>(word.word)], word.tag});
      number[static_cast<size_t>(span.end)] = static_cast<int32_t>(answer.words.size());
    }
    for (const constituents::DerivedSpan& span : one.spans)
      answer.spans.push_back({number[static_cast<size_t>(span.begin)], number[static_cast<size_t>(span.end)], span.bottom, span.top});
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace accord::tasks
