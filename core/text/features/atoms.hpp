// SPDX-License-Identifier: Apache-2.0
// Atoms: the attributes of each word of a sentence as 64-bit values, computed once and shared by every template.
// Position 0 is the artificial root, 1..n are the words; positions outside read as distinct boundary values.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/token.hpp"

namespace accord::text {

struct Attribute {
  enum class Kind {
    form,
    lower,
    lemma,
    upos,
    xpos,
    feats,
    prefix,
    suffix,
    shape,
    length,
    cluster,
    type,
    character,
    lexical,
    column,
    marks,
    letter_case,
    digits,
    punctuation
  };
  Kind kind = Kind::form;
  int size = 0;  // characters of a prefix or suffix, bits of a cluster path (0: the whole path), place of a character (negative:
                 // from the end), column of a lexicon, column of a ColumnSequences (from 1)

  bool operator==(const Attribute&) const = default;
  bool many() const { return kind == Kind::feats || kind == Kind::marks; }  // one value per FEATS pair or mark
};

// "form", "suffix3", "cluster6", ...; nothing when the name is unknown.
std::optional<Attribute> parse_attribute(std::string_view name);

// Word -> bit path of a hierarchical clustering; empty until a model brings one.
class ClusterLexicon {
 public:
  // Lines "path<TAB>word[<TAB>count]". Throws std::invalid_argument naming the line.
  static ClusterLexicon read(std::string_view text);
  void add(std::string_view form, std::string_view path);
  std::string_view path(std::string_view form) const;  // empty when unknown
  bool empty() const { return paths_.empty(); }

 private:
  std::unordered_map<uint64_t, std::string> paths_;
};

class AtomTable {
 public:
  static constexpr int reach = 9;  // how far templates may look beyond an anchor

  AtomTable() = default;
  AtomTable(std::span<const Token> words, std::span<const Attribute> attributes, const ClusterLexicon& clusters);

  int words() const { return words_; }

  // Single-valued attribute at a position within [-reach, words + reach].
  uint64_t at(int attribute, int position) const { return from(attribute, position)[0]; }

  // The same from this position on.
  const uint64_t* from(int attribute, int position) const {
    return values_.data() + static_cast<size_t>(attribute) * stride() + static_cast<size_t>(position + reach);
  }

  // Values of a many-valued attribute; none outside 1..n.
  std::span<const uint64_t> many(int attribute, int position) const;

 private:
  size_t stride() const { return static_cast<size_t>(words_ + 1 + 2 * reach); }

  int words_ = 0;
  std::vector<uint64_t> values_;
  std::vector<uint64_t> many_values_;
  std::vector<uint32_t> many_starts_;  // per many-valued attribute: words_ + 2 offsets
  std::vector<int> many_index_;        // attribute -> its row of many_starts_, or -1
};

}  // namespace accord::text
