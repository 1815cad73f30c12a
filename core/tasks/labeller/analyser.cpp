// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/analyser.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/text/characters.hpp"
#include "core/text/hash.hpp"

namespace accord::tasks {

namespace {

using text::combine;
using text::hash_bytes;

constexpr int ending_length = 3;

uint64_t form_key(const text::Token& word) { return combine(combine(1, hash_bytes(word.form)), hash_bytes(word.upos)); }
uint64_t ending_key(const text::Token& word) {
  return combine(combine(2, hash_bytes(text::lower_case(text::suffix(word.form, ending_length)))), hash_bytes(word.upos));
}
uint64_t upos_key(const text::Token& word) { return combine(3, hash_bytes(word.upos)); }

std::string written(const text::Token& word) {
  std::string text(word.upos);
  text += '\t';
  text += word.xpos;
  text += '\t';
  text += word.feats;
  return text;
}

const Block block{"analysis", 1};

std::span<const Block> blocks() { return {&block, 1}; }

double sum(const learn::ParameterTable& table, std::span<const uint64_t> keys, std::span<const uint64_t> components,
           std::vector<uint64_t>& all) {
  all.clear();
  for (uint64_t component : components)
    for (uint64_t key : keys) all.push_back(text::mix(key ^ component));
  return table.sum(all);
}

double sum(const text::WeightTable<int16_t>& table, std::span<const uint64_t> keys, std::span<const uint64_t> components,
           std::vector<uint64_t>& all) {
  all.clear();
  for (uint64_t component : components)
    for (uint64_t key : keys) all.push_back(text::mix(key ^ component));
  return static_cast<double>(text::sum_weights(table, all));
}

}  // namespace

AnalyserLexicon AnalyserLexicon::build(const text::Sequences& sequences, int frequent, int most) {
  std::map<std::string, int> numbers;
  std::map<uint64_t, std::map<int, int>> seen;  // key -> analysis -> count
  std::vector<text::Token> tokens;
  AnalyserLexicon lexicon;
  for (size_t s = 0; s < sequences.size(); ++s) {
    sequences.tokens(s, tokens);
    for (const text::Token& word : tokens) {
      const auto [at, fresh] = numbers.try_emplace(written(word), static_cast<int>(numbers.size()));
      if (fresh) lexicon.analyses.push_back(at->first);
      for (uint64_t key : {form_key(word), ending_key(word), upos_key(word)}) ++seen[key][at->second];
    }
  }
  if (lexicon.analyses.size() > UINT16_MAX) throw std::invalid_argument("more than 65,535 different analyses");
  std::vector<uint64_t> whole;
  for (const std::string& analysis : lexicon.analyses)
    whole.push_back(combine(3, hash_bytes(std::string_view(analysis).substr(0, analysis.find('\t')))));
  lexicon.starts = {0};
  for (const auto& [key, counts] : seen) {
    int total = 0;
    std::vector<std::pair<int, int>> ranked;
    for (const auto& [analysis, count] : counts) {
      total += count;
      ranked.emplace_back(-count, analysis);
    }
    const bool general = std::find(whole.begin(), whole.end(), key) != whole.end();
    if (!general && total < frequent) continue;
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), static_cast<size_t>(most)));
    lexicon.keys.push_back(key);
    for (const auto& [count, analysis] : ranked) lexicon.candidates.push_back(static_cast<uint16_t>(analysis));
    lexicon.starts.push_back(static_cast<uint32_t>(lexicon.candidates.size()));
  }
  return lexicon;
}

void AnalyserLexicon::check() const {
  bool good = starts.size() == keys.size() + 1 && starts[0] == 0 && starts.back() == candidates.size() &&
              std::is_sorted(starts.begin(), starts.end()) && std::is_sorted(keys.begin(), keys.end());
  for (uint16_t candidate : candidates) good &= candidate < analyses.size();
  for (const std::string& analysis : analyses) good &= std::count(analysis.begin(), analysis.end(), '\t') == 2;
  if (!good) throw std::invalid_argument("the lexicon of analyses is damaged");
}

Analyser::Analyser(AnalyserLexicon lexicon, std::string_view templates) : lexicon_(std::move(lexicon)), templates_(templates, blocks()) {
  lexicon_.check();
  component_starts_ = {0};
  for (size_t a = 0; a < lexicon_.analyses.size(); ++a) {
    const std::string_view analysis = lexicon_.analyses[a];
    numbers_[hash_bytes(analysis)] = static_cast<int>(a);
    const size_t first = analysis.find('\t'), second = analysis.find('\t', first + 1);
    components_.push_back(hash_bytes(analysis, 11));
    components_.push_back(combine(hash_bytes(analysis.substr(first + 1, second - first - 1), 12), 0));
    std::string_view feats = analysis.substr(second + 1);
    while (!feats.empty()) {
      const size_t bar = std::min(feats.find('|'), feats.size());
      components_.push_back(hash_bytes(feats.substr(0, bar), 13));
      feats.remove_prefix(std::min(bar + 1, feats.size()));
    }
    component_starts_.push_back(static_cast<uint32_t>(components_.size()));
  }
}

std::span<const uint16_t> Analyser::candidates(const text::Token& word) const {
  for (uint64_t key : {form_key(word), ending_key(word), upos_key(word)}) {
    const auto found = std::lower_bound(lexicon_.keys.begin(), lexicon_.keys.end(), key);
    if (found == lexicon_.keys.end() || *found != key) continue;
    const auto at = static_cast<size_t>(found - lexicon_.keys.begin());
    return std::span(lexicon_.candidates).subspan(lexicon_.starts[at], lexicon_.starts[at + 1] - lexicon_.starts[at]);
  }
  return {};
}

int Analyser::find(const text::Token& word) const {
  const auto found = numbers_.find(hash_bytes(written(word)));
  return found == numbers_.end() ? -1 : found->second;
}

std::vector<int32_t> Analyser::analyse(const text::Sequences& sequences, const text::WeightTable<int16_t>& table, int threads) const {
  table.check();
  std::vector<int32_t> result(sequences.total(), -1);
  const int workers = thread_count(threads, sequences.size());
  const text::ClusterLexicon no_clusters;
  std::vector<LabellerFeatures> features(static_cast<size_t>(workers), LabellerFeatures(templates_));
  std::vector<std::vector<text::Token>> tokens(static_cast<size_t>(workers));
  std::vector<std::vector<uint64_t>> buffers(static_cast<size_t>(workers));
  parallel_for(sequences.size(), workers, [&](int worker, size_t s) {
    LabellerFeatures& mine = features[static_cast<size_t>(worker)];
    std::vector<text::Token>& words = tokens[static_cast<size_t>(worker)];
    sequences.tokens(s, words);
    mine.prepare(words, no_clusters);
    for (size_t i = 0; i < words.size(); ++i) {
      const std::span<const uint16_t> options = candidates(words[i]);
      int32_t& best = result[sequences.first(s) + i];
      if (!options.empty()) best = options[0];
      if (options.size() < 2) continue;
      const std::span<const uint64_t> keys = mine.keys(0, i);
      double best_score = -HUGE_VAL;
      for (uint16_t option : options) {
        const double score = sum(table, keys, components(option), buffers[static_cast<size_t>(worker)]);
        if (score > best_score) best_score = score, best = option;
      }
    }
  });
  return result;
}

AnalyserTrainer::AnalyserTrainer(const text::Sequences& sequences, AnalyserLexicon lexicon, const std::string& templates, int bits,
                                 double rate)
    : sequences_(sequences),
      analyser_(std::move(lexicon), templates),
      table_(text::TableKind::hash, bits, 1),
      step_{learn::Step::adagrad, rate, 0.0, 1e-2} {}

double AnalyserTrainer::update(std::span<const int64_t> order) {
  const text::ClusterLexicon no_clusters;
  LabellerFeatures features(analyser_.templates());
  std::vector<text::Token> tokens;
  std::vector<double> scores;
  std::vector<uint64_t> all;
  double loss = 0;
  for (int64_t s : order) {
    sequences_.tokens(static_cast<size_t>(s), tokens);
    features.prepare(tokens, no_clusters);
    bool any = false;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::span<const uint16_t> options = analyser_.candidates(tokens[i]);
      const int gold = analyser_.find(tokens[i]);
      if (options.size() < 2 || gold < 0) continue;
      const std::span<const uint64_t> keys = features.keys(0, i);
      scores.clear();
      double largest = -HUGE_VAL, total = 0, gold_score = -HUGE_VAL;
      for (uint16_t option : options) {
        scores.push_back(sum(table_, keys, analyser_.components(option), all));
        largest = std::max(largest, scores.back());
        if (option == gold) gold_score = scores.back();
      }
      if (gold_score == -HUGE_VAL) continue;
      for (double score : scores) total += std::exp(score - largest);
      loss += largest + std::log(total) - gold_score;
      for (size_t k = 0; k < options.size(); ++k) {
        const double share = (options[k] == gold ? 1.0 : 0.0) - std::exp(scores[k] - largest) / total;
        if (std::abs(share) < 1e-3) continue;
        any = true;
        for (uint64_t component : analyser_.components(options[k]))
          for (uint64_t key : keys) table_.add_gradient(text::mix(key ^ component), 0, static_cast<float>(share));
      }
    }
    if (any) table_.step(step_, time_);
    time_ += 1;
  }
  return loss;
}

}  // namespace accord::tasks
