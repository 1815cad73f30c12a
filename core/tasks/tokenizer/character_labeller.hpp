// SPDX-License-Identifier: Apache-2.0
// Labels for the characters of long texts, in bounded memory.
//
// A paragraph longer than a window is labelled window by window. Windows overlap: labels near a cut are taken from the window that sees
// text on both sides of it, so that what a cut changes is what depends on text farther away than `margin` characters. Time is linear in
// the text; memory is that of one batch.
#pragma once
#include <cstdint>
#include <vector>

#include "core/tasks/labeller/model.hpp"
#include "core/tasks/tokenizer/squeezed_text.hpp"
#include "core/tasks/tokenizer/user_words.hpp"
#include "core/text/lexicons/lexicon.hpp"

namespace accord::tasks {

class CharacterLabeller {
 public:
  // model, lexicon: must outlive this object; the lexicon may be null. blanks_inside: tokens may hold blanks. surroundings: the model
  // looks at what stands around characters. words: what a user wants to be tokens, null where that is nothing; must outlive this object.
  // Throws std::invalid_argument for a model of other labels.
  CharacterLabeller(const LabellerModel& model, const text::Lexicon* lexicon, bool blanks_inside, bool surroundings,
                    const UserWords* words = nullptr);

  // The best label of each character; `last`: also how probably each ends a sentence.
  std::vector<int32_t> labels(const SqueezedText& text, int threads, std::vector<double>* last = nullptr) const;
  // How probably each of the characters begin:end ends a sentence.
  std::vector<double> last_probabilities(const SqueezedText& text, size_t begin, size_t end, int threads) const;

  bool blanks_inside() const { return blanks_inside_; }

 private:
  // Characters begin:end are looked at, first:stop of them labelled.
  struct Window {
    size_t begin, end, first, stop;
  };

  static void add_windows(size_t start, size_t stop, std::vector<Window>& windows);
  LabelAnswer label(const SqueezedText& text, std::span<const Window> batch, bool posteriors, int threads) const;

  const LabellerModel& model_;
  const text::Lexicon* lexicon_;
  bool blanks_inside_, surroundings_;
  const UserWords* words_;
};

}  // namespace accord::tasks
