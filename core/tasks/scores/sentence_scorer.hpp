// SPDX-License-Identifier: Apache-2.0
// What every scorer of sentences has: a batch of sentences is loaded at once, since some scorers do better on many, and then one
// sentence after another is selected and asked. A sentence's scores do not depend on the others of its batch. One object per thread.
//
// A task derives a seam of its own that says which arrays are filled for the selected sentence:
//   trees    TreeScorer (core/tasks/parser/scorer.hpp): arcs, larger parts, labels of arcs
//   chains   a seam of this shape has two functions, the scores of single labels (words x labels) and of pairs of labels; a network
//            fills them from the same EncodedBatch (encoded_batch.hpp) that serves trees and tags
#pragma once
#include <cstddef>
#include <span>

namespace accord::text {
class Document;
}

namespace accord::tasks {

class SentenceScorer {
 public:
  virtual ~SentenceScorer() = default;

  // The document must stay until the next load.
  virtual void load(const text::Document& document, std::span<const size_t> sentences) = 0;
  // One of the loaded sentences, by its place among them. It must have words.
  virtual void select(size_t place) = 0;
};

}  // namespace accord::tasks
