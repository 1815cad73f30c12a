// SPDX-License-Identifier: Apache-2.0
// The dictionary segmenter against all 2^(T-1) segmentations of short texts.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/chains/segments/lattice_sums.hpp"
#include "core/chains/segments/unigram_segmenter.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {

const std::vector<std::string> alphabet{"a", "b", "\xC3\xA9", "\xE4\xB8\xAD"};  // one, two and three bytes

std::string draw_word(std::mt19937_64& engine, int longest) {
  std::string word;
  for (int left = std::uniform_int_distribution<int>(1, longest)(engine); left > 0; --left)
    word += alphabet[std::uniform_int_distribution<size_t>(0, alphabet.size() - 1)(engine)];
  return word;
}

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> found;
  for (const char byte : text) {
    if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80) found.emplace_back();
    found.back() += byte;
  }
  return found;
}

double log_partition(const Lattice& lattice) { return LatticeSums(lattice).log_partition(); }

}  // namespace

TEST("the best segmentation and the sum over all equal enumeration") {
  std::mt19937_64 engine(31);
  for (int round = 0; round < 300; ++round) {
    std::map<std::string, double> dictionary;
    for (int left = round % 12; left > 0; --left) dictionary[draw_word(engine, 4)] += std::uniform_int_distribution<int>(0, 9)(engine);
    std::vector<std::string> words;
    std::vector<double> counts;
    double total = 0;
    for (const auto& [word, count] : dictionary) words.push_back(word), counts.push_back(count), total += count;
    const double delta = round % 2 ? 0.5 : 2.0, size = total + delta * static_cast<double>(words.size());
    const UnigramSegmenter segmenter(words, counts, delta);
    const std::string text = draw_word(engine, 10);
    const std::vector<std::string> characters = characters_of(text);
    const size_t length = characters.size();
    double best = -1e300, sum = 0;
    const auto value = [&](const std::string& word, size_t size_of_word) {
      const auto found = dictionary.find(word);
      if (found != dictionary.end()) return std::log((found->second + delta) / size);
      return size_of_word > 1 ? -INFINITY : words.empty() ? 0.0 : std::log(delta / size);
    };
    const auto score = [&](const std::vector<int>& ends) {
      double result = 0;
      int begin = 0;
      for (const int end : ends) {
        std::string word;
        for (int i = begin; i < end; ++i) word += characters[static_cast<size_t>(i)];
        result += value(word, static_cast<size_t>(end - begin));
        begin = end;
      }
      return result;
    };
    for (size_t cuts = 0; cuts < (size_t{1} << (length - 1)); ++cuts) {
      std::vector<int> ends;
      for (size_t i = 1; i < length; ++i)
        if (cuts >> (i - 1) & 1) ends.push_back(static_cast<int>(i));
      ends.push_back(static_cast<int>(length));
      best = std::max(best, score(ends));
      sum += std::exp(score(ends));
    }
    const std::vector<int> found = segmenter.segment(text);
    CHECK(found.back() == static_cast<int>(length));
    CHECK_NEAR(score(found), best, 1e-9);
    CHECK_NEAR(log_partition(segmenter.lattice(text)), std::log(sum), 1e-9);
    for (const auto& [word, count] : dictionary) CHECK_NEAR(segmenter.log_probability(word), value(word, 2), 1e-9);
  }
}

TEST("texts without words and wrong dictionaries") {
  const UnigramSegmenter segmenter({"ab"}, {3.0});
  CHECK(segmenter.segment("").empty());
  CHECK((segmenter.segment("zab") == std::vector<int>{1, 3}));
  CHECK(segmenter.log_probability("zz") == -INFINITY && segmenter.log_probability("z") < segmenter.log_probability("ab"));
  CHECK(check::throws([&] { segmenter.segment("a\xFF"); }));
  CHECK(check::throws([] { UnigramSegmenter({"a"}, {1.0}, 0.0); }));
  CHECK(check::throws([] { UnigramSegmenter({"a"}, {-1.0}); }));
  CHECK(check::throws([] { UnigramSegmenter({""}, {1.0}); }));
  CHECK(check::throws([] { UnigramSegmenter({"a"}, {}); }));
}
