// SPDX-License-Identifier: Apache-2.0
// Which tokens end a sentence, by a chain of labels over the words of a paragraph whose scores a network gives.
//
// Set: all ways to cut a paragraph between tokens. The chain has two labels, inside and end, and scores pairs of neighbours; see
// core/neural/network.hpp for what scores a word. What the characters around a place say of it is added with a weight: they know blanks
// and marks, and the network knows words. A paragraph of more tokens than a window is labelled window by window; windows overlap,
// so that what a cut changes depends on words farther away than a margin. Linear in the text; memory is that of one batch.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/neural/network.hpp"
#include "core/tasks/labeller/model.hpp"
#include "core/tasks/tokenizer/squeezed_text.hpp"
#include "core/text/documents/token_table.hpp"

namespace accord::tasks {

class SentenceEnds {
 public:
  // `model` must outlive this object. `characters`: the weight of the odds that characters give. Throws std::invalid_argument unless model
  // and network have two labels.
  SentenceEnds(const LabellerModel& model, std::shared_ptr<const neural::Network> network, double characters);

  // Says anew which tokens are the last ones of sentences. `words` of each form of the tokens: see text::TokenTable. `odds`: of each
  // token, the logarithm of the odds that a sentence ends there, by its characters. A sentence has at most `longest` tokens; where the
  // chain finds a longer one, it ends at the likeliest place of its second half. Threads change nothing.
  void mark(const text::TokenTable& tokens, std::span<const std::vector<std::string>> words, std::span<const double> odds,
            TokenSpans& spans, size_t longest, int threads) const;

 private:
  // Tokens begin:end are looked at, first:stop of them labelled.
  struct Window {
    size_t begin, end, first, stop;
  };
  // Of each token, whether it is an end, and how much more the network thinks so than not.
  struct Found {
    std::vector<uint8_t> end;
    std::vector<double> score;
  };

  static std::vector<Window> windows_of(const TokenSpans& spans);
  void label(const text::TokenTable& tokens, std::span<const std::vector<std::string>> words, std::span<const double> odds,
             std::span<const Window> batch, Found& found, int threads) const;

  const LabellerModel& model_;
  std::shared_ptr<const neural::Network> network_;
  double characters_;
};

}  // namespace accord::tasks
