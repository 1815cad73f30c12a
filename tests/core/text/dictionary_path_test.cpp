// SPDX-License-Identifier: Apache-2.0
// The most probable row of words of a dictionary, beside all rows of words of short texts.
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/text/hash.hpp"
#include "core/text/lexicons/lexicon.hpp"
#include "core/text/sequences.hpp"
#include "core/text/token.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

using Words = std::map<std::string, int>;

std::string lines(const Words& words) {
  std::string text;
  for (const auto& [word, logarithm] : words) text += word + "\t" + std::to_string(logarithm) + "\n";
  return text;
}

// The best sum of logarithms of all ways to cut the text; characters that are no word stand alone.
double best_of_all(const std::string& text, const Words& words, double total, uint64_t* lengths) {
  double best = -1e300;
  for (uint64_t cuts = 0; cuts < (uint64_t{1} << (text.size() - 1)); ++cuts) {
    double sum = 0;
    size_t begin = 0;
    bool fits = true;
    for (size_t end = 1; end <= text.size(); ++end) {
      if (end < text.size() && (cuts >> (end - 1) & 1) == 0) continue;
      const auto found = words.find(text.substr(begin, end - begin));
      fits = fits && (found != words.end() || end == begin + 1);
      sum += (found == words.end() ? 0 : found->second) - total;
      begin = end;
    }
    if (fits && sum > best) {
      best = sum;
      *lengths = cuts;
    }
  }
  return best;
}

uint64_t value(uint64_t where, uint64_t how) { return combine(where, how); }

}  // namespace

TEST("the path is the best of all rows of words") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Words words;
    for (int i = 0; i < 8; ++i) {
      std::string word;
      for (unsigned size = 1 + random() % 4; size > 0; --size) word += static_cast<char>('a' + random() % 3);
      words[word] = static_cast<int>(random() % 12);
    }
    double sum = 0;
    for (const auto& [word, logarithm] : words) sum += std::exp(logarithm);
    const double total = std::log(sum);
    std::string text;
    for (unsigned size = 1 + random() % 9; size > 0; --size) text += static_cast<char>('a' + random() % 4);
    uint64_t cuts = 0;
    const double best = best_of_all(text, words, total, &cuts);

    const std::vector<std::string> texts = {text};
    CharacterSequences sequences(texts);
    Lexicon("", lines(words), true).annotate(sequences);
    double found = 0;
    size_t begin = 0;
    while (begin < text.size()) {
      size_t end = begin + 1;
      const auto alone = words.find(text.substr(begin, 1));
      const auto own = static_cast<uint64_t>(alone == words.end() ? 0 : alone->second);
      if (sequences.lexical()[begin][place(Lexical::path)] != value(0, 16 + own)) {
        while (end < text.size() && sequences.lexical()[end][place(Lexical::path)] != value(2, end + 1 - begin)) ++end;
        ++end;
        CHECK(end <= text.size());
      }
      const auto word = words.find(text.substr(begin, end - begin));
      CHECK(word != words.end() || end == begin + 1);
      found += (word == words.end() ? 0 : word->second) - total;
      begin = end;
    }
    CHECK(std::abs(found - best) < 1e-9);
  }
}

TEST("names whose types are no numbers have no path") {
  const std::vector<std::string> texts = {"abc"};
  CharacterSequences sequences(texts);
  Lexicon("", "ab\tLOC\nc\t3\n", true).annotate(sequences);
  CHECK(sequences.lexical()[0][place(Lexical::path)] == 0);
}

TEST("frequencies beyond all numbers, and names with two types, end the search for words too") {
  const std::vector<std::string> texts = {"abaab"};
  for (const char* names :
       {"a\t1694211230\n", "a\t-2147483648\nb\t600\n", "a\t600\nb\t601\n", "a\t1\na\t2\nab\t3\na\tx\n", "a\t1\na\t2\n"}) {
    CharacterSequences characters(texts);
    Lexicon("", names, true).annotate(characters);
    CHECK(characters.lexical().size() == 5);
  }
}
