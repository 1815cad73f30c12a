// SPDX-License-Identifier: Apache-2.0
#include "core/text/documents/annotation.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "core/text/lexicons/lemma_rules.hpp"

namespace accord::text {
namespace {

using Views = std::vector<std::string_view>;

const std::string& name_of(std::span<const std::string> names, int32_t number) {
  if (number < 0 || static_cast<size_t>(number) >= names.size()) throw std::invalid_argument("no name has this number");
  return names[static_cast<size_t>(number)];
}

Views label_names(const Document& document, const PredictedTrees& trees) {
  Views values = document.column(Column::deprel);
  if (trees.labels.size() != values.size()) throw std::invalid_argument("one label per word is needed");
  for (size_t word = 0; word < values.size(); ++word)
    if (trees.labels[word] >= 0) values[word] = name_of(trees.names, trees.labels[word]);
  return values;
}

// DEPS without those of sentences whose tree changes; nothing where there are none to lose.
Views remaining_deps(const Document& document, std::span<const int32_t> heads, const Views& labels) {
  if (document.layout().place(Column::deps) < 0) return {};
  Views deps = document.column(Column::deps);
  bool lost = false;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence) {
    const size_t begin = document.first_word(sentence), end = begin + document.words(sentence);
    bool changed = false;
    for (size_t word = begin; word < end && !changed; ++word)
      changed = heads[word] != document.heads()[word] || labels[word] != document.field(word, Column::deprel);
    for (size_t word = begin; changed && word < end; ++word) {
      lost |= deps[word] != "_";
      deps[word] = "_";
    }
  }
  return lost ? deps : Views{};
}

std::string confidence_entries(const PredictedTrees& trees, size_t word) {
  char entry[64];
  std::snprintf(entry, sizeof entry, "ArcConf=%.4f", trees.arc_probability[word]);
  std::string entries = entry;
  if (!trees.label_probability.empty()) {
    std::snprintf(entry, sizeof entry, "|LabelConf=%.4f", trees.label_probability[word]);
    entries += entry;
  }
  return entries;
}

// Values of a column by number, where a word has none or none is to be kept.
template <typename Value>
Document with_values(const Document& document, Column column, size_t count, bool keep_given, const Value& value) {
  if (count != document.total_words()) throw std::invalid_argument("one value per word is needed");
  Views values = document.column(column);
  for (size_t word = 0; word < count; ++word)
    if (!keep_given || values[word] == "_") values[word] = value(word);
  Edits edits;
  edits.columns[static_cast<size_t>(column)] = values;
  return document.edited(edits);
}

}  // namespace

Document with_trees(const Document& document, const PredictedTrees& trees) {
  Edits edits;
  edits.heads = trees.heads;
  const Views labels = label_names(document, trees);
  if (trees.heads.size() != labels.size()) throw std::invalid_argument("one head per word is needed");
  const auto known = [](int32_t label) { return label >= 0; };
  if (std::any_of(trees.labels.begin(), trees.labels.end(), known)) edits.columns[static_cast<size_t>(Column::deprel)] = labels;
  const Views deps = remaining_deps(document, trees.heads, labels);
  edits.columns[static_cast<size_t>(Column::deps)] = deps;
  std::vector<std::string> entries;
  for (size_t word = 0; word < trees.arc_probability.size(); ++word) entries.push_back(confidence_entries(trees, word));
  const Views entry_views(entries.begin(), entries.end());
  edits.misc_entries = entry_views;
  return document.edited(edits);
}

Document with_names(const Document& document, Column column, std::span<const int32_t> numbers, std::span<const std::string> names,
                    bool keep_given) {
  return with_values(document, column, numbers.size(), keep_given,
                     [&](size_t word) -> std::string_view { return name_of(names, numbers[word]); });
}

Document with_lemmas(const Document& document, std::span<const int32_t> numbers, std::span<const std::string> rules, bool keep_given) {
  std::vector<LemmaRule> parsed;
  for (const std::string& rule : rules) parsed.push_back(LemmaRule::parse(rule));
  std::vector<std::string> lemmas(numbers.size());
  return with_values(document, Column::lemma, numbers.size(), keep_given, [&](size_t word) -> std::string_view {
    const std::string_view form = document.field(word, Column::form);
    name_of(rules, numbers[word]);
    std::optional<std::string> lemma = parsed[static_cast<size_t>(numbers[word])].apply(form);
    if (!lemma || lemma->empty()) return form;
    return lemmas[word] = std::move(*lemma);
  });
}

bool has_gaps(const Document& document, Column column) {
  for (size_t word = 0; word < document.total_words(); ++word)
    if (document.field(word, column) == "_") return true;
  return false;
}

}  // namespace accord::text
