// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/sentence_parser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/trees/shape.hpp"

namespace accord::tasks {

namespace {

const Deadline no_deadline(std::numeric_limits<double>::infinity());

}  // namespace

SentenceParser::SentenceParser(const ParserContents& contents)
    : settings_(contents.settings),
      scoring_(contents.make_scoring()),
      labels_(contents.settings, *scoring_.scorer),
      search_(make_tree_search(contents.settings, contents.templates)) {}

void SentenceParser::select(const text::Document& document, size_t sentence, size_t place, const GivenWords& given) {
  scoring_.scorer->select(place);
  document_ = &document;
  sentence_ = sentence;
  words_ = document.words(sentence);
  first_ = document.first_word(sentence);
  given_ = given;
  labels_.begin(given);
}

void SentenceParser::open(const text::Document& document, size_t sentence, const GivenWords& given) {
  const size_t alone[] = {sentence};
  load(document, alone);
  select(document, sentence, 0, given);
}

void SentenceParser::score(TreeSearch& search, bool sums, const Deadline& deadline) {
  search.find(*scoring_.scorer, static_cast<int>(words_), given_, deadline);
  search.score(*scoring_.scorer);
  labels_.add_evidence(search);
  if (!sums) return labels_.add_labels(search, {});
  sums_.assign(search.scores().begin(), search.scores().end());
  labels_.add_labels(search, sums_);
  const double inverse = 1.0 / settings_.temperature;
  for (double& score : sums_) score *= inverse;
}

void SentenceParser::parse(const parses::DecoderSettings& decoder, bool probabilities, ParseResult& out) {
  const Deadline deadline(decoder.seconds);
  score(*search_, probabilities, deadline);
  parses::DecoderSettings remaining = decoder;
  remaining.seconds = deadline.left();
  heads_.assign(words_ + 1, 0);
  const parses::Decoded decoded = search_->decode(remaining, heads_);
  out.scores[sentence_] = decoded.score;
  out.bounds[sentence_] = decoded.bound;
  out.statuses[sentence_] = static_cast<int32_t>(decoded.status);
  out.iterations[sentence_] = decoded.iterations;
  tree_labels_.resize(words_ + 1);
  labels_.choose(*search_, heads_, tree_labels_);
  if (probabilities) add_probabilities(out);
  labels_.hide_foreign(tree_labels_);
  std::copy(heads_.begin() + 1, heads_.end(), out.heads.begin() + static_cast<std::ptrdiff_t>(first_));
  std::copy(tree_labels_.begin() + 1, tree_labels_.end(), out.labels.begin() + static_cast<std::ptrdiff_t>(first_));
}

// Estimates may leave the range of probabilities, and sums of the last digit, too.
void SentenceParser::add_probabilities(ParseResult& out) {
  const double log_partition = search_->marginals(sums_, marginals_);
  const double tree = search_->add_value(-log_partition, sums_, heads_);
  const LabelLogs& logs = labels_.logs(heads_, tree_labels_);
  for (size_t m = 1; m <= words_; ++m) {
    const double arc = std::clamp(marginals_[search_->slot(heads_[m], static_cast<int>(m))], 0.0, 1.0);
    out.arc_probability[first_ + m - 1] = arc;
    out.label_probability[first_ + m - 1] = arc * std::exp(logs.words[m]);
  }
  out.tree_log_probability[sentence_] = std::min(0.0, tree + logs.all);
}

std::vector<LabelledTree> SentenceParser::kbest(const parses::DecoderSettings& decoder, int k) {
  score(*search_, false, no_deadline);
  std::vector<LabelledTree> trees;
  for (parses::RankedParse& parse : search_->rank(decoder, k)) {
    LabelledTree tree{parse.score, std::move(parse.heads), std::vector<int32_t>(words_ + 1, -1), parse.certified};
    labels_.choose(*search_, tree.heads, tree.labels);
    labels_.hide_foreign(tree.labels);
    trees.push_back(std::move(tree));
  }
  return trees;
}

std::vector<double> SentenceParser::arc_scores() {
  const std::unique_ptr<TreeSearch> all = search_all_arcs(settings_);
  score(*all, false, no_deadline);
  return {all->scores().begin(), all->scores().end()};
}

PruningStatistics SentenceParser::prune() {
  search_->find(*scoring_.scorer, static_cast<int>(words_), given_, no_deadline);
  PruningStatistics found{words_, search_->arcs(), 0};
  for (size_t m = 1; m <= words_; ++m) {
    const int head = document_->head(sentence_, m);
    found.gold += head >= 0 && search_->slot(head, static_cast<int>(m)) != TreeSearch::none;
  }
  return found;
}

void SentenceParser::read_gold_heads() {
  heads_.assign(1, -1);
  for (size_t m = 1; m <= words_; ++m) heads_.push_back(document_->head(sentence_, m));
}

const LabelLogs* SentenceParser::gold_labels(const std::vector<std::string>& names) {
  tree_labels_.assign(1, -1);
  for (size_t m = 1; m <= words_; ++m) {
    const auto name = std::find(names.begin(), names.end(), document_->field(sentence_, m, text::Column::deprel));
    if (name == names.end() && settings_.mode != LabelMode::none) return nullptr;
    tree_labels_.push_back(static_cast<int32_t>(name - names.begin()));
  }
  return trees::is_tree(heads_, false) ? &labels_.logs(heads_, tree_labels_) : nullptr;
}

double SentenceParser::gold_log_probability(const std::vector<std::string>& names) {
  read_gold_heads();
  if (!search_->counts(heads_)) return 0;
  score(*search_, true, no_deadline);
  return search_->gold_log_probability(sums_, heads_, gold_labels(names));
}

double SentenceParser::gold_label_log_probability(const std::vector<std::string>& names) {
  read_gold_heads();
  const LabelLogs* const logs = gold_labels(names);
  return logs == nullptr ? 0 : logs->all;
}

}  // namespace accord::tasks
