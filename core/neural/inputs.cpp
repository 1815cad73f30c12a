// SPDX-License-Identifier: Apache-2.0
#include "core/neural/inputs.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"

namespace accord::neural {

namespace {

template <typename Visit>
void for_each_value(const text::AtomTable& atoms, const text::Attribute& attribute, int index, int position, Visit&& visit) {
  if (!attribute.many()) return visit(atoms.at(index, position));
  for (const uint64_t value : atoms.many(index, position)) visit(value);
}

ValueCounts sorted_counts(const std::unordered_map<uint64_t, uint32_t>& counted) {
  std::vector<std::pair<uint64_t, uint32_t>> pairs(counted.begin(), counted.end());
  std::sort(pairs.begin(), pairs.end());
  ValueCounts out;
  for (const auto& [value, count] : pairs) out.values.push_back(value), out.counts.push_back(count);
  return out;
}

}  // namespace

InputReader::InputReader(std::vector<InputField> fields, std::vector<uint32_t> characters, text::ClusterLexicon clusters)
    : fields_(std::move(fields)),
      characters_(std::move(characters)),
      clusters_(std::move(clusters)) {
  for (const InputField& field : fields_) {
    if (!std::is_sorted(field.keys.begin(), field.keys.end())) throw std::invalid_argument("the keys of an input are not in order");
    if (field.keys.empty() && field.rows < 1) throw std::invalid_argument("an input has no rows");
    attributes_.push_back(field.attribute);
  }
  if (!std::is_sorted(characters_.begin(), characters_.end())) throw std::invalid_argument("the characters are not in order");
}

int32_t InputReader::row(const InputField& field, uint64_t value) const {
  if (field.keys.empty()) return field.rows == 1 ? 0 : 1 + static_cast<int32_t>(text::mix(value) % static_cast<uint64_t>(field.rows - 1));
  const auto found = std::lower_bound(field.keys.begin(), field.keys.end(), value);
  return found == field.keys.end() || *found != value ? 0 : static_cast<int32_t>(found - field.keys.begin()) + 1;
}

void InputReader::read_characters(std::string_view form, Bags& out) const {
  out.numbers.push_back(begin);
  const size_t first = out.numbers.size();
  for (size_t at = 0; at < form.size();) {
    const uint32_t point = text::next_code_point(form, at);
    const auto found = std::lower_bound(characters_.begin(), characters_.end(), point);
    const bool known = found != characters_.end() && *found == point;
    out.numbers.push_back(known ? static_cast<int32_t>(found - characters_.begin()) + 3 : unknown);
  }
  if (const size_t count = out.numbers.size() - first; count > longest) {
    const auto middle = out.numbers.begin() + static_cast<std::ptrdiff_t>(first + longest / 2);
    out.numbers.erase(middle, middle + static_cast<std::ptrdiff_t>(count - longest));
  }
  out.numbers.push_back(end);
}

void InputReader::read(const text::Document& document, std::span<const size_t> sentences, WordInputs& out) const {
  out.lengths.clear();
  out.fields.resize(fields_.size());
  for (Bags& bags : out.fields) bags.clear();
  out.characters.clear();
  std::vector<text::Token> tokens;
  for (const size_t sentence : sentences) {
    document.tokens(sentence, tokens);
    const text::AtomTable atoms(tokens, attributes_, clusters_);
    const int words = static_cast<int>(tokens.size());
    out.lengths.push_back(words + 1);
    for (size_t f = 0; f < fields_.size(); ++f) {
      Bags& bags = out.fields[f];
      bags.end();
      for (int word = 1; word <= words; ++word) {
        for_each_value(atoms, attributes_[f], static_cast<int>(f), word,
                       [&](uint64_t value) { bags.numbers.push_back(row(fields_[f], value)); });
        bags.end();
      }
    }
    out.characters.end();
    for (const text::Token& token : tokens) read_characters(token.form, out.characters), out.characters.end();
  }
}

std::vector<ValueCounts> count_values(const text::Document& document, std::span<const text::Attribute> attributes,
                                      const text::ClusterLexicon& clusters) {
  std::vector<std::unordered_map<uint64_t, uint32_t>> counted(attributes.size());
  std::vector<text::Token> tokens;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence) {
    document.tokens(sentence, tokens);
    const text::AtomTable atoms(tokens, attributes, clusters);
    for (size_t a = 0; a < attributes.size(); ++a)
      for (int word = 1; word <= static_cast<int>(tokens.size()); ++word)
        for_each_value(atoms, attributes[a], static_cast<int>(a), word, [&](uint64_t value) { ++counted[a][value]; });
  }
  std::vector<ValueCounts> out;
  for (const auto& one : counted) out.push_back(sorted_counts(one));
  return out;
}

ValueCounts count_characters(const text::Document& document) {
  std::unordered_map<uint64_t, uint32_t> counted;
  for (const std::string_view form : document.column(text::Column::form))
    for (size_t at = 0; at < form.size();) ++counted[text::next_code_point(form, at)];
  return sorted_counts(counted);
}

std::vector<uint64_t> values_of_forms(std::span<const std::string_view> forms, const text::Attribute& attribute) {
  if (attribute.many()) throw std::invalid_argument("the attribute has several values a word");
  std::vector<text::Token> tokens(forms.size());
  for (size_t i = 0; i < forms.size(); ++i) tokens[i].form = forms[i];
  const text::AtomTable atoms(tokens, {&attribute, 1}, {});
  const uint64_t* first = atoms.from(0, 1);
  return {first, first + forms.size()};
}

}  // namespace accord::neural
