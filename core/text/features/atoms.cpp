// SPDX-License-Identifier: Apache-2.0
#include "core/text/features/atoms.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"

namespace accord::text {

namespace {

constexpr uint64_t root_value = mix(1), before_value = mix(2), after_value = mix(3);

struct AttributeName {
  std::string_view name;
  Attribute::Kind kind;
  bool sized;
};

constexpr AttributeName attribute_names[] = {{"form", Attribute::Kind::form, false},
                                             {"lower", Attribute::Kind::lower, false},
                                             {"lemma", Attribute::Kind::lemma, false},
                                             {"upos", Attribute::Kind::upos, false},
                                             {"xpos", Attribute::Kind::xpos, false},
                                             {"feats", Attribute::Kind::feats, false},
                                             {"prefix", Attribute::Kind::prefix, true},
                                             {"suffix", Attribute::Kind::suffix, true},
                                             {"shape", Attribute::Kind::shape, false},
                                             {"length", Attribute::Kind::length, false},
                                             {"cluster", Attribute::Kind::cluster, true},
                                             {"type", Attribute::Kind::type, false},
                                             {"character", Attribute::Kind::character, true},
                                             {"final", Attribute::Kind::character, true},
                                             {"column", Attribute::Kind::column, true},
                                             {"marks", Attribute::Kind::marks, false},
                                             {"case", Attribute::Kind::letter_case, false},
                                             {"digits", Attribute::Kind::digits, false},
                                             {"punctuation", Attribute::Kind::punctuation, false}};

// What a lexicon says: the tags seen with the word; for characters, the longest word that begins or ends with it, whether it is a
// word alone, and the longest words and entities that match the text around it. Then the chunks around a character, and its place in
// the most probable row of words.
constexpr std::string_view lexical_names[lexical_count] = {"tags",        "begins",      "ends",          "alone",       "starts_word",
                                                           "ends_word",   "inside_word", "entity_starts", "entity_ends", "entity_inside",
                                                           "chunk",       "chunk_left",  "chunk_right",   "next_chunk",  "previous_chunk",
                                                           "chunk_shape", "next_shape",  "next_but_one",  "path"};

uint64_t character_count(std::string_view text) {
  return static_cast<uint64_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// A lemma or tag that is not annotated falls back on the nearest thing the treebank has.
std::string_view or_else(std::string_view value, std::string_view fallback) { return value == "_" ? fallback : value; }

uint64_t value_of(const Token& word, const Attribute& attribute, const ClusterLexicon& clusters) {
  switch (attribute.kind) {
    case Attribute::Kind::form:
      return hash_bytes(word.form);
    case Attribute::Kind::lower:
      return hash_bytes(lower_case(word.form));
    case Attribute::Kind::lemma:
      return hash_bytes(or_else(word.lemma, word.form));
    case Attribute::Kind::upos:
      return hash_bytes(or_else(word.upos, word.xpos));
    case Attribute::Kind::xpos:
      return hash_bytes(or_else(word.xpos, word.upos));
    case Attribute::Kind::prefix:
      return hash_bytes(prefix(word.form, attribute.size));
    case Attribute::Kind::suffix:
      return hash_bytes(suffix(word.form, attribute.size));
    case Attribute::Kind::shape:
      return hash_bytes(shape(word.form));
    case Attribute::Kind::length:
      return mix(std::min<uint64_t>(character_count(word.form), 12));
    case Attribute::Kind::cluster: {
      std::string_view path = clusters.path(word.form);
      if (path.empty() && !clusters.empty()) path = clusters.path(lower_case(word.form));
      return hash_bytes(attribute.size == 0 ? path : path.substr(0, static_cast<size_t>(attribute.size)));
    }
    case Attribute::Kind::type:
      return mix(static_cast<uint64_t>(character_type(word.form)));
    case Attribute::Kind::character:
      return hash_bytes(character_at(word.form, attribute.size));
    case Attribute::Kind::lexical:
      return word.lexical ? (*word.lexical)[static_cast<size_t>(attribute.size)] : 0;
    case Attribute::Kind::column:
      return static_cast<size_t>(attribute.size) <= word.columns.size() ? word.columns[static_cast<size_t>(attribute.size) - 1] : 0;
    case Attribute::Kind::letter_case:
      return mix(static_cast<uint64_t>(letter_case(word.form)));
    case Attribute::Kind::digits:
      return mix(static_cast<uint64_t>(share_of_digits(word.form)));
    case Attribute::Kind::punctuation:
      return mix(static_cast<uint64_t>(share_of_punctuation(word.form)));
    case Attribute::Kind::feats:
    case Attribute::Kind::marks:
      return 0;
  }
  return 0;
}

}  // namespace

std::optional<Attribute> parse_attribute(std::string_view name) {
  for (int column = 0; column < lexical_count; ++column)
    if (name == lexical_names[column]) return Attribute{Attribute::Kind::lexical, column};
  for (const AttributeName& known : attribute_names) {
    if (!name.starts_with(known.name)) continue;
    const std::string_view digits = name.substr(known.name.size());
    if (digits.empty() && (!known.sized || known.kind == Attribute::Kind::cluster)) return Attribute{known.kind, 0};
    int size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (known.sized && error == std::errc() && end == digits.data() + digits.size() && size >= 1 && size <= 32)
      return Attribute{known.kind, known.name == "final" ? -size : size};
  }
  return std::nullopt;
}

ClusterLexicon ClusterLexicon::read(std::string_view text) {
  ClusterLexicon lexicon;
  lexicon.paths_.reserve(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')));
  for (int line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (row.back() == '\r') row.remove_suffix(1);
    const size_t tab = row.find('\t');
    const std::string_view path = row.substr(0, std::min(tab, row.size()));
    if (tab == std::string_view::npos || path.empty() || path.find_first_not_of("01") != std::string_view::npos)
      throw std::invalid_argument(std::to_string(line));
    const std::string_view rest = row.substr(tab + 1);
    lexicon.add(rest.substr(0, std::min(rest.find('\t'), rest.size())), path);
  }
  return lexicon;
}

void ClusterLexicon::add(std::string_view form, std::string_view path) { paths_[hash_bytes(form)] = path; }

std::string_view ClusterLexicon::path(std::string_view form) const {
  const auto found = paths_.find(hash_bytes(form));
  return found == paths_.end() ? std::string_view() : std::string_view(found->second);
}

AtomTable::AtomTable(std::span<const Token> words, std::span<const Attribute> attributes, const ClusterLexicon& clusters)
    : words_(static_cast<int>(words.size())),
      many_index_(attributes.size(), -1) {
  values_.resize(attributes.size() * stride());
  for (size_t a = 0; a < attributes.size(); ++a) {
    uint64_t* row = values_.data() + a * stride() + reach;
    std::fill(row - reach, row, before_value);
    row[0] = root_value;
    std::fill(row + words_ + 1, row + words_ + 1 + reach, after_value);
    if (!attributes[a].many()) {
      for (int i = 0; i < words_; ++i) row[i + 1] = value_of(words[static_cast<size_t>(i)], attributes[a], clusters);
      continue;
    }
    many_index_[a] = static_cast<int>(many_starts_.size());
    many_starts_.insert(many_starts_.end(), 2, static_cast<uint32_t>(many_values_.size()));
    for (const Token& word : words) {
      if (attributes[a].kind == Attribute::Kind::marks) {
        many_values_.insert(many_values_.end(), word.marks.begin(), word.marks.end());
        many_starts_.push_back(static_cast<uint32_t>(many_values_.size()));
        continue;
      }
      std::string_view rest = word.feats == "_" ? std::string_view() : word.feats;
      while (!rest.empty()) {
        const size_t bar = std::min(rest.find('|'), rest.size());
        many_values_.push_back(hash_bytes(rest.substr(0, bar)));
        rest.remove_prefix(std::min(bar + 1, rest.size()));
      }
      many_starts_.push_back(static_cast<uint32_t>(many_values_.size()));
    }
  }
}

std::span<const uint64_t> AtomTable::many(int attribute, int position) const {
  if (position < 1 || position > words_) return {};
  const uint32_t* starts = many_starts_.data() + many_index_[static_cast<size_t>(attribute)];
  return std::span(many_values_).subspan(starts[position], starts[position + 1] - starts[position]);
}

}  // namespace accord::text
