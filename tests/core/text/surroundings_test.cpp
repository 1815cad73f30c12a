// SPDX-License-Identifier: Apache-2.0
// The chunks around characters against a plain reading of the text.
#include <map>
#include <random>
#include <string>

#include "core/text/features/surroundings.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

// ASCII only: one byte a character.
std::string folded(const std::string& text) {
  std::string result;
  for (char c : text) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c >= '0' && c <= '9' ? '0' : c;
  return result;
}

std::vector<std::pair<size_t, size_t>> chunks_of(const std::string& text) {
  std::vector<std::pair<size_t, size_t>> chunks;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (i == 0 || text[i - 1] == ' ') chunks.emplace_back(i, i);
    chunks.back().second = i + 1;
  }
  return chunks;
}

std::string shape_of(const std::string& text) {
  std::string kinds, shape;
  for (char c : text) kinds += c >= 'a' && c <= 'z' ? 'x' : c >= 'A' && c <= 'Z' ? 'X' : c >= '0' && c <= '9' ? 'd' : c;
  for (size_t i = 0; i < kinds.size(); ++i)
    if (i < 2 || kinds[i] != kinds[i - 1] || kinds[i] != kinds[i - 2]) shape += kinds[i];
  return shape;
}

// What each column says of a character, as text; "-" where there is nothing.
std::vector<std::string> expected(const std::string& text, size_t i) {
  const auto chunks = chunks_of(text);
  int around = -1, next = static_cast<int>(chunks.size());
  for (int c = 0; c < static_cast<int>(chunks.size()); ++c) {
    if (chunks[static_cast<size_t>(c)].first <= i) around = c;
    if (chunks[static_cast<size_t>(c)].first > i && next == static_cast<int>(chunks.size())) next = c;
  }
  const auto piece = [&](int c) {
    if (c < 0 || c >= static_cast<int>(chunks.size())) return std::string("-");
    const auto [begin, end] = chunks[static_cast<size_t>(c)];
    return text.substr(begin, end - begin);
  };
  const bool blank = text[i] == ' ';
  std::string left = "-", right = "-";
  if (!blank) {
    const auto [begin, end] = chunks[static_cast<size_t>(around)];
    left = folded(text.substr(begin, i + 1 - begin));
    if (i + 1 < end) right = folded(text.substr(i + 1, end - i - 1));
  }
  return {
      folded(piece(around)),  left, right, folded(piece(next)), folded(piece(around - 1)), shape_of(piece(around)), shape_of(piece(next)),
      folded(piece(next + 1))};
}

}  // namespace

TEST("two characters have the same hash in a column exactly when the same text stands there") {
  std::mt19937 random(5);
  const std::string alphabet = "abAB1 .  ";
  std::vector<std::string> texts;
  for (int t = 0; t < 300; ++t) {
    std::string text;
    for (size_t i = random() % 14; i > 0; --i) text += alphabet[random() % alphabet.size()];
    texts.push_back(text);
  }
  CharacterSequences sequences(texts);
  annotate_surroundings(sequences);
  constexpr size_t first = static_cast<size_t>(Lexical::chunk), columns = 8;
  for (size_t column = 0; column < columns; ++column) {
    std::map<std::string, uint64_t> hash_of;
    std::map<uint64_t, std::string> text_of;
    for (size_t s = 0; s < texts.size(); ++s)
      for (size_t i = 0; i < texts[s].size(); ++i) {
        const std::string said = expected(texts[s], i)[column];
        const uint64_t hash = sequences.lexical()[sequences.first(s) + i][first + column];
        CHECK(hash_of.emplace(said, hash).first->second == hash);
        CHECK(text_of.emplace(hash, said).first->second == said);
      }
  }
}

TEST("columns of a lexicon stay, and characters of several bytes count as one") {
  CharacterSequences sequences(std::vector<std::string>{"É é", "é"});
  sequences.lexical().assign(sequences.total(), LexicalValues{});
  sequences.lexical()[0][0] = 7;
  annotate_surroundings(sequences);
  CHECK(sequences.lexical()[0][0] == 7);
  const auto chunk = static_cast<size_t>(Lexical::chunk);
  CHECK(sequences.lexical()[0][chunk] == sequences.lexical()[2][chunk]);
  CHECK(sequences.lexical()[0][chunk] == sequences.lexical()[3][chunk]);
}
