// SPDX-License-Identifier: Apache-2.0
#include "core/text/features/surroundings.hpp"

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"
#include "core/text/token.hpp"

namespace accord::text {

namespace {

constexpr uint64_t nothing = mix(4);

struct Chunk {
  size_t begin, end;
  uint64_t text = nothing, shape = nothing;
};

uint64_t folded(std::string_view character, CharacterType type) {
  if (type == CharacterType::digit) return '0';
  size_t at = 0;
  return lower_case(next_code_point(character, at));
}

bool is_blank(CharacterType type) { return type == CharacterType::space || type == CharacterType::newline; }

uint64_t shape_of(std::span<const CharacterType> types) {
  uint64_t hash = nothing;
  for (size_t i = 0; i < types.size(); ++i)
    if (i < 2 || types[i] != types[i - 1] || types[i] != types[i - 2]) hash = combine(hash, static_cast<uint64_t>(types[i]));
  return hash;
}

class Annotator {
 public:
  void annotate(std::span<const Token> tokens, LexicalValues* out) {
    read(tokens);
    const auto text_of = [&](size_t c) { return c < chunks_.size() ? chunks_[c].text : nothing; };
    size_t c = 0;  // the chunk around this character, or the first one behind it
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (c < chunks_.size() && i >= chunks_[c].end) ++c;
      const bool inside = c < chunks_.size() && i >= chunks_[c].begin;
      const size_t around = inside ? c : c - 1, next = inside ? c + 1 : c;  // c - 1 wraps to no chunk at all
      LexicalValues& values = out[i];
      values[place(Lexical::chunk)] = text_of(around);
      values[place(Lexical::previous_chunk)] = text_of(around - 1);
      values[place(Lexical::next_chunk)] = text_of(next);
      values[place(Lexical::next_but_one)] = text_of(next + 1);
      values[place(Lexical::chunk_shape)] = around < chunks_.size() ? chunks_[around].shape : nothing;
      values[place(Lexical::next_shape)] = next < chunks_.size() ? chunks_[next].shape : nothing;
      values[place(Lexical::chunk_left)] = inside && i > chunks_[c].begin ? out[i - 1][place(Lexical::chunk_left)] : nothing;
      if (inside) values[place(Lexical::chunk_left)] = combine(values[place(Lexical::chunk_left)], letters_[i]);
    }
    for (size_t i = tokens.size(); i-- > 0;) {
      const bool ends = i + 1 == tokens.size() || is_blank(types_[i]) || is_blank(types_[i + 1]);
      out[i][place(Lexical::chunk_right)] = ends ? nothing : combine(out[i + 1][place(Lexical::chunk_right)], letters_[i + 1]);
    }
  }

 private:
  void read(std::span<const Token> tokens) {
    types_.clear();
    letters_.clear();
    chunks_.clear();
    for (size_t i = 0; i < tokens.size(); ++i) {
      types_.push_back(character_type(tokens[i].form));
      letters_.push_back(folded(tokens[i].form, types_[i]));
      if (is_blank(types_[i])) continue;
      if (i == 0 || is_blank(types_[i - 1])) chunks_.push_back({i, i});
      chunks_.back().text = combine(chunks_.back().text, letters_[i]);
      chunks_.back().end = i + 1;
    }
    for (Chunk& chunk : chunks_) chunk.shape = shape_of(std::span(types_).subspan(chunk.begin, chunk.end - chunk.begin));
  }

  std::vector<CharacterType> types_;
  std::vector<uint64_t> letters_;
  std::vector<Chunk> chunks_;
};

}  // namespace

void annotate_surroundings(CharacterSequences& sequences) {
  std::vector<LexicalValues>& values = sequences.lexical();
  if (values.size() != sequences.total()) values.assign(sequences.total(), LexicalValues{});
  Annotator annotator;
  std::vector<Token> tokens;
  for (size_t s = 0; s < sequences.size(); ++s) {
    sequences.tokens(s, tokens);
    annotator.annotate(tokens, values.data() + sequences.first(s));
  }
}

}  // namespace accord::text
