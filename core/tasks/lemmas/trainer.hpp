// SPDX-License-Identifier: Apache-2.0
// Training of a lemmatizer: the rules, endings and lexicon are counted, the weights that choose between candidates are learnt.
//
// Maximises the log-probability of the right lemma among a word's candidates, over the different words (form and tags) of the
// training text, each once, by AdaGrad: words to come are unlike the frequent ones. Several candidates may give the right lemma:
// they share the credit. Whether a lemma is known is asked of the other words, so that training sees what unseen words will see.
// O(epochs * different words * candidates * features). Same seed, same result.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/text/documents/document.hpp"
#include "core/text/lexicons/dictionary.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks declares them, with bounds and text.
struct LemmatizerSettings {
  int epochs;
  int bits;     // 2^bits weights
  double rate;  // length of a step
  uint64_t seed;
};

struct TrainedLemmatizer {
  std::vector<std::string> rules;
  text::Dictionary<uint16_t> lexicon;
  text::Dictionary<uint32_t> endings;
  std::vector<uint16_t> candidates;
  std::vector<uint64_t> known;
  learn::FrozenWeights weights;  // 16 bits
};

// Throws std::invalid_argument when there are no words or settings make no sense.
TrainedLemmatizer train_lemmatizer(const text::Document& document, const LemmatizerSettings& settings);

}  // namespace accord::tasks
