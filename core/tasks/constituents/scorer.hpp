// SPDX-License-Identifier: Apache-2.0
// Features of the spans of a sentence: templates of section [span] with the anchors `first` and `last`, the outermost words of the span.
//
// The relation of a span goes from the word before it to the word after it: `distance` tells the number of its words (one more than it
// has), `between` and `count` look at all of its words.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/constituents/span_scores.hpp"
#include "core/text/features/features.hpp"

namespace accord::tasks {

struct SpanTemplates {
  std::vector<text::Attribute> attributes;
  text::TemplateSet spans;

  // Throws std::invalid_argument naming the line.
  explicit SpanTemplates(std::string_view source) : spans(text::TemplateSet::compile(source, "span", {"first", "last"}, attributes)) {}
};

// Working space of one thread.
class SpanFeatures {
 public:
  explicit SpanFeatures(const SpanTemplates& templates) : templates_(templates) {}

  void prepare(std::span<const text::Token> tokens, const text::ClusterLexicon& clusters) {
    atoms_ = text::AtomTable(tokens, templates_.attributes, clusters);
    features_.prepare(templates_.spans, atoms_);
  }

  // Keys of the span of the words i+1..j.
  std::span<const uint64_t> keys(int i, int j) {
    const int positions[] = {i + 1, j};
    return features_.keys(positions, {i, j + 1});
  }

 private:
  const SpanTemplates& templates_;
  text::AtomTable atoms_;
  text::PartFeatures features_;
};

}  // namespace accord::tasks
