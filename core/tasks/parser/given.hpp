// SPDX-License-Identifier: Apache-2.0
// What a document says of its own trees before they are parsed: heads and labels that an answer has to keep.
//
// Heads that no tree of the model's space can have together are dropped, as few as possible, and their labels with them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/text/documents/document.hpp"

namespace accord::tasks {

inline constexpr int32_t not_given = -1;
inline constexpr int32_t foreign_label = -2;  // given, but the model has no score for it

// One sentence's share; without anything given the spans are empty.
struct GivenWords {
  std::span<const int32_t> heads;   // size n+1
  std::span<const int32_t> labels;  // size n+1

  int head(int word) const { return heads.empty() ? not_given : heads[static_cast<size_t>(word)]; }
  int label(int word) const { return labels.empty() ? not_given : labels[static_cast<size_t>(word)]; }
};

struct Dropped {
  size_t sentence, word;  // word: 1..n
};

class Given {
 public:
  Given(const text::Document& document, const std::vector<std::string>& label_names, bool projective, bool single_root, int threads);

  // The document must be the one that this was made of, or have as many words in each sentence.
  GivenWords sentence(size_t sentence) const {
    const size_t begin = starts_[sentence], count = starts_[sentence + 1] - begin;
    return {std::span(heads_).subspan(begin, count), std::span(labels_).subspan(begin, count)};
  }
  bool fits(const text::Document& document) const;
  const std::vector<Dropped>& dropped() const { return dropped_; }

 private:
  std::vector<size_t> starts_;  // n+1 entries a sentence
  std::vector<int32_t> heads_, labels_;
  std::vector<Dropped> dropped_;
};

}  // namespace accord::tasks
