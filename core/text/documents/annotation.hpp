// SPDX-License-Identifier: Apache-2.0
// What models say of the words of a document, as columns of it: numbers become names, probabilities entries of MISC.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/text/documents/document.hpp"

namespace accord::text {

// Trees of all sentences, words one after another.
struct PredictedTrees {
  std::span<const int32_t> heads;
  std::span<const int32_t> labels;            // numbers of names; negative: the label stays as it is
  std::span<const std::string> names;         // of labels
  std::span<const double> arc_probability;    // none, or ArcConf of each word
  std::span<const double> label_probability;  // none, or LabelConf of each word
};

// The document with these trees. The enhanced graph in DEPS belongs to the tree beside it: a sentence that gets another tree
// than it had loses its DEPS. Rows of empty nodes stay.
Document with_trees(const Document& document, const PredictedTrees& trees);

// The document with a column of names by number; with keep_given where a word has no value (_) alone.
Document with_names(const Document& document, Column column, std::span<const int32_t> numbers, std::span<const std::string> names,
                    bool keep_given);

// The document with lemmas that rules (core/text/lexicons/lemma_rules.hpp) make of forms; the form where a rule does not fit.
Document with_lemmas(const Document& document, std::span<const int32_t> numbers, std::span<const std::string> rules, bool keep_given);

// Whether some word has no value (_) in a column.
bool has_gaps(const Document& document, Column column);

}  // namespace accord::text
