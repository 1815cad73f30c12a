// SPDX-License-Identifier: Apache-2.0
// What a network reads of each word: rows of its embedding tables.
//
// Fields:     attributes of words (core/text/features/atoms.hpp): the lower-cased form, affixes, shape, tags, cluster prefixes. A value
// becomes
//             a row by a dictionary (row 0: unknown), or, without keys, by hashing into buckets 1..rows-1.
// Characters: the code points of the form between a mark of its begin and one of its end; of a long word the first and the last.
// Positions:  those of all sentences of a batch one after the other, each sentence's root before its words; the root reads nothing.
// Training and parsing share this code, so that a network sees the same numbers in both.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/documents/document.hpp"
#include "core/text/features/atoms.hpp"

namespace accord::neural {

struct InputField {
  text::Attribute attribute;
  std::vector<uint64_t> keys;  // sorted; row of keys[i] is i + 1
  int rows = 1;                // without keys: hashed into so many rows
};

// Lists of numbers, one for each position: numbers[offsets[i]] .. numbers[offsets[i + 1] - 1].
struct Bags {
  std::vector<uint32_t> offsets{0};
  std::vector<int32_t> numbers;

  void clear() { offsets.assign(1, 0), numbers.clear(); }
  void end() { offsets.push_back(static_cast<uint32_t>(numbers.size())); }
};

struct WordInputs {
  std::vector<int> lengths;  // positions of each sentence: words and root
  std::vector<Bags> fields;
  Bags characters;

  size_t positions() const { return characters.offsets.size() - 1; }
};

class InputReader {
 public:
  static constexpr int32_t unknown = 0, begin = 1, end = 2;  // characters
  static constexpr size_t longest = 32;                      // characters of a word, marks apart

  // Throws std::invalid_argument when keys are not sorted or a field has no rows.
  InputReader(std::vector<InputField> fields, std::vector<uint32_t> characters, text::ClusterLexicon clusters);

  size_t fields() const { return fields_.size(); }
  int rows(size_t field) const {
    return fields_[field].keys.empty() ? fields_[field].rows : static_cast<int>(fields_[field].keys.size()) + 1;
  }
  int character_rows() const { return static_cast<int>(characters_.size()) + 3; }
  void read(const text::Document& document, std::span<const size_t> sentences, WordInputs& out) const;

 private:
  int32_t row(const InputField& field, uint64_t value) const;
  void read_characters(std::string_view form, Bags& out) const;

  std::vector<InputField> fields_;
  std::vector<text::Attribute> attributes_;
  std::vector<uint32_t> characters_;  // sorted code points
  text::ClusterLexicon clusters_;
};

// The different values of each attribute in a document, sorted, with how many words have them.
struct ValueCounts {
  std::vector<uint64_t> values;
  std::vector<uint32_t> counts;
};
std::vector<ValueCounts> count_values(const text::Document& document, std::span<const text::Attribute> attributes,
                                      const text::ClusterLexicon& clusters);
ValueCounts count_characters(const text::Document& document);

// The value of an attribute for each of some words of which nothing is known but their forms: keys of a field.
// Throws std::invalid_argument for attributes of several values.
std::vector<uint64_t> values_of_forms(std::span<const std::string_view> forms, const text::Attribute& attribute);

}  // namespace accord::neural
