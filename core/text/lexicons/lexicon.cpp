// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/lexicon.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"
#include "core/text/token.hpp"

namespace accord::text {

namespace {

constexpr int longest_match = 20;
constexpr int largest_logarithm = 600;  // of a frequency: sums of such frequencies are finite

int characters_of(std::string_view word) {
  return static_cast<int>(std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

template <typename Visit>
void each_line(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t tab = std::min(line.find('\t'), line.size());
    if (tab > 0) visit(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
  }
}

uint8_t bucket(int length) { return static_cast<uint8_t>(std::min(length, 7)); }

}  // namespace

Lexicon::Lexicon(std::string_view words, std::string_view names, bool matching) : matching_(matching) {
  tags_.reserve(static_cast<size_t>(std::count(words.begin(), words.end(), '\n')) + 1);
  each_line(words, [&](std::string_view word, std::string_view tags) {
    tags_[hash_bytes(word)] = hash_bytes(tags);
    if (!matching) return;
    const int length = characters_of(word);
    longest_word_ = std::max(longest_word_, std::min(length, longest_match));
    Ends& first = characters_[hash_bytes(character_at(word, 1))];
    first.begins = std::max(first.begins, bucket(length));
    if (length == 1) first.alone = 1;
    Ends& last = characters_[hash_bytes(character_at(word, -1))];
    last.ends = std::max(last.ends, bucket(length));
  });
  names_.reserve(static_cast<size_t>(std::count(names.begin(), names.end(), '\n')) + 1);
  bool numbers = true;  // are all types?
  double total = 0;
  each_line(names, [&](std::string_view name, std::string_view type) {
    const uint64_t kind = hash_bytes(type);
    const bool is_new = names_.insert_or_assign(hash_bytes(name), kind).second;
    longest_name_ = std::max(longest_name_, std::min(characters_of(name), longest_match));
    int logarithm = 0;
    const auto read = std::from_chars(type.data(), type.data() + type.size(), logarithm);
    numbers = numbers && read.ec == std::errc{} && read.ptr == type.data() + type.size() && logarithm <= largest_logarithm;
    frequencies_[kind] = logarithm;
    if (is_new) total += std::exp(logarithm);
  });
  if (!numbers) frequencies_.clear();
  rarest_ = -std::log(std::max(total, 1.0));
  for (auto& [kind, logarithm] : frequencies_) logarithm += rarest_;
}

bool Lexicon::contains(std::string_view word) const { return tags_.contains(hash_bytes(word)); }

void Lexicon::annotate_words(std::span<const Token> tokens, LexicalValues* out) const {
  for (size_t i = 0; i < tokens.size(); ++i) {
    const uint64_t key = hash_bytes(tokens[i].form);
    const auto found = tags_.find(key);
    out[i][place(Lexical::tags)] = found == tags_.end() ? 1 : found->second;
    if (!matching_) continue;
    const auto ends = characters_.find(key);
    const Ends said = ends == characters_.end() ? Ends{} : ends->second;
    out[i][place(Lexical::begins)] = mix(said.begins);
    out[i][place(Lexical::ends)] = mix(said.ends);
    out[i][place(Lexical::alone)] = mix(said.alone);
  }
}

// Tokens are characters that stand one after another in memory, so that a run of them is one view.
void Lexicon::annotate_matches(std::span<const Token> tokens, LexicalValues* out, const Table& table, int longest, Lexical starts,
                               Lexical ends, Lexical inside) const {
  for (size_t i = 0; i < tokens.size(); ++i) out[i][place(starts)] = out[i][place(ends)] = out[i][place(inside)] = 1;
  std::vector<int> ending(tokens.size(), 0), around(tokens.size(), 0);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const char* begin = tokens[i].form.data();
    int best = 0;
    uint64_t said = 0;
    for (int length = 2; length <= longest && i + static_cast<size_t>(length) <= tokens.size(); ++length) {
      const size_t last = i + static_cast<size_t>(length) - 1;
      const std::string_view run(begin, static_cast<size_t>(tokens[last].form.data() - begin) + tokens[last].form.size());
      const auto found = table.find(hash_bytes(run));
      if (found == table.end()) continue;
      best = length;
      said = found->second;
      if (length >= ending[last]) {
        ending[last] = length;
        out[last][place(ends)] = combine(said, bucket(length));
      }
      for (size_t j = i + 1; j < last; ++j) {
        if (length <= around[j]) continue;
        around[j] = length;
        out[j][place(inside)] = combine(said, bucket(length));
      }
    }
    if (best > 0) out[i][place(starts)] = combine(said, bucket(best));
  }
}

// The best row of words from each character to the end, from right to left; characters that are no word stand alone.
void Lexicon::annotate_path(std::span<const Token> tokens, LexicalValues* out) const {
  const size_t count = tokens.size();
  std::vector<double> best(count + 1, 0.0);
  std::vector<size_t> next(count, 0);
  std::vector<uint64_t> alone(count, 0);  // how frequent the character is as a word, in steps of about a factor of three
  for (size_t i = count; i-- > 0;) {
    const char* begin = tokens[i].form.data();
    best[i] = -std::numeric_limits<double>::infinity();
    for (size_t length = 1; length <= std::min(static_cast<size_t>(std::max(longest_name_, 1)), count - i); ++length) {
      const Token& last = tokens[i + length - 1];
      const auto found = names_.find(hash_bytes({begin, static_cast<size_t>(last.form.data() - begin) + last.form.size()}));
      if (found == names_.end() && length > 1) continue;
      const double own = found == names_.end() ? rarest_ : frequencies_.at(found->second);
      if (length == 1) alone[i] = static_cast<uint64_t>(std::lround(own - rarest_));
      const double score = own + best[i + length];
      if (length > 1 && !(score > best[i])) continue;
      best[i] = score;
      next[i] = i + length;
    }
  }
  for (size_t i = 0; i < count; i = next[i]) {
    const size_t length = next[i] - i;
    for (size_t at = i; at < next[i]; ++at) {
      const uint64_t where = length == 1 ? 0 : at == i ? 1 : at + 1 == next[i] ? 2 : 3;
      out[at][place(Lexical::path)] = combine(where, length == 1 ? 16 + alone[at] : bucket(static_cast<int>(length)));
    }
  }
}

void Lexicon::annotate(Sequences& sequences, std::span<const size_t> which) const {
  std::vector<LexicalValues>& values = sequences.lexical();
  if (values.size() != sequences.total()) values.assign(sequences.total(), LexicalValues{});
  std::vector<Token> tokens;
  for (size_t s : which) {
    sequences.tokens(s, tokens);
    LexicalValues* out = values.data() + sequences.first(s);
    annotate_words(tokens, out);
    if (matching_) annotate_matches(tokens, out, tags_, longest_word_, Lexical::starts_word, Lexical::ends_word, Lexical::inside_word);
    if (matching_ && !names_.empty())
      annotate_matches(tokens, out, names_, longest_name_, Lexical::entity_starts, Lexical::entity_ends, Lexical::entity_inside);
    if (matching_ && !frequencies_.empty()) annotate_path(tokens, out);
  }
}

void Lexicon::annotate(Sequences& sequences) const {
  std::vector<size_t> all(sequences.size());
  std::iota(all.begin(), all.end(), size_t{0});
  annotate(sequences, all);
}

}  // namespace accord::text
