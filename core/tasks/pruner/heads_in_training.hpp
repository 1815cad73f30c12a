// SPDX-License-Identifier: Apache-2.0
// The choice of a word's head among several by log-linear scores, as both stages of a pruner learn it.
//
// Loss:   -log P(gold head | word), P(h | m) ~ exp(w . f(h, m)) over the heads that are listed.
// Rests:  a head other than gold whose probability was negligible moved no weights, and sits out the next passes. After the first pass
//         few heads are left, so later passes cost little; the curve of recall and heads is the same.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"

namespace accord::tasks {

// The heads of a sentence's words that learning looks at.
struct HeadsInTraining {
  static constexpr uint8_t rest = 2;    // passes
  static constexpr size_t at_once = 8;  // heads of a word that the second stage looks at in the first pass, and a third of the others

  std::vector<int32_t> best;  // the second stage: the best head of each word by the first; size n+1
  std::vector<int32_t> heads;
  std::vector<uint8_t> rests;    // by head: passes to sit out
  std::vector<uint32_t> starts;  // of word m: starts[m] .. starts[m + 1]

  bool empty() const { return starts.empty(); }
  void clear() {
    heads.clear();
    rests.clear();
    starts.assign(2, 0);
  }
  // `turn`: heads of different turns are first looked at in different passes; those of turn 0 at once.
  void add(int head, size_t turn) {
    heads.push_back(head);
    rests.push_back(static_cast<uint8_t>(turn % (rest + 1)));
  }
  void end_word() { starts.push_back(static_cast<uint32_t>(heads.size())); }

  // All heads of the words whose head is known (size n+1; negative: unknown).
  void list_all(std::span<const int32_t> gold) {
    clear();
    for (size_t m = 1; m < gold.size(); ++m) {
      for (size_t h = 0; h < gold.size(); ++h)
        if (h != m && gold[m] >= 0) add(static_cast<int>(h), 0);
      end_word();
    }
  }
};

class HeadChoice {
 public:
  static constexpr double negligible = 1e-3;  // derivatives below this move no weights

  // Adds the gradient of the log-likelihood of a sentence's known heads, append_keys(head, dependent, keys) being the features of an
  // arc. Returns the log loss.
  template <typename AppendKeys>
  double learn(learn::ParameterTable& table, std::span<const int32_t> gold, HeadsInTraining& listed, AppendKeys&& append_keys) {
    double loss = 0;
    for (size_t m = 1; m < gold.size(); ++m) {
      keys_.clear();
      ends_.clear();
      scores_.clear();
      places_.clear();
      size_t right = 0;
      for (size_t i = listed.starts[m]; i < listed.starts[m + 1]; ++i) {
        const bool is_gold = listed.heads[i] == gold[m];
        if (!is_gold && listed.rests[i] > 0) {
          --listed.rests[i];
          continue;
        }
        if (is_gold) right = ends_.size();
        append_keys(listed.heads[i], static_cast<int>(m), keys_);
        ends_.push_back(keys_.size());
        places_.push_back(i);
        table.prefetch(keys_of(ends_.size() - 1));
      }
      if (ends_.empty()) continue;
      for (size_t i = 0; i < ends_.size(); ++i) scores_.push_back(table.sum(keys_of(i)));
      loss += weigh(right);
      for (size_t i = 0; i < scores_.size(); ++i) {
        const bool counts = std::fabs(errors_[i]) > negligible;
        listed.rests[places_[i]] = counts ? 0 : HeadsInTraining::rest;
        if (counts) table.add_gradients(keys_of(i), 0, static_cast<float>(errors_[i]));
      }
    }
    return loss;
  }

 private:
  std::span<const uint64_t> keys_of(size_t head) const {
    const size_t begin = head == 0 ? 0 : ends_[head - 1];
    return std::span(keys_).subspan(begin, ends_[head] - begin);
  }

  // Into errors_: the derivatives of the log-likelihood by the scores. Returns the log loss.
  double weigh(size_t right) {
    const double best = *std::max_element(scores_.begin(), scores_.end());
    double total = 0;
    errors_.resize(scores_.size());
    for (size_t i = 0; i < scores_.size(); ++i) total += errors_[i] = std::exp(scores_[i] - best);
    for (double& error : errors_) error /= -total;
    errors_[right] += 1;
    return best + std::log(total) - scores_[right];
  }

  std::vector<uint64_t> keys_;  // of all heads of a word
  std::vector<size_t> ends_, places_;
  std::vector<double> scores_, errors_;
};

}  // namespace accord::tasks
