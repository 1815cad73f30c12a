// SPDX-License-Identifier: Apache-2.0
// What feature extraction sees of a word: views into the document that holds it. A missing value is "_", as in the
// file.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace accord::text {

// What is said of a token beyond its own text, as hashes: columns of a table that a Lexicon fills (core/text/lexicons/lexicon.hpp), and
// for characters those of what stands around them (core/text/features/surroundings.hpp).
enum class Lexical {
  tags,
  begins,
  ends,
  alone,
  starts_word,
  ends_word,
  inside_word,
  entity_starts,
  entity_ends,
  entity_inside,
  chunk,
  chunk_left,
  chunk_right,
  next_chunk,
  previous_chunk,
  chunk_shape,
  next_shape,
  next_but_one,
  path
};
constexpr int lexical_count = 19;
using LexicalValues = std::array<uint64_t, lexical_count>;
constexpr size_t place(Lexical column) { return static_cast<size_t>(column); }

struct Token {
  std::string_view form, lemma, upos, xpos, feats;
  const LexicalValues* lexical = nullptr;  // null: no lexicon
  std::span<const uint64_t> columns = {};  // what the maker of the sequence says of the token: one value for each of its columns
  std::span<const uint64_t> marks = {};    // and any number of values that are true of the token
};

}  // namespace accord::text
