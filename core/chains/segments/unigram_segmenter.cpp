// SPDX-License-Identifier: Apache-2.0
#include "core/chains/segments/unigram_segmenter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/chains/chain.hpp"
#include "core/chains/segments/lattice_best.hpp"
#include "core/text/utf8.hpp"

namespace accord::chains {

namespace {

// Where the characters of a text begin, and its end.
std::vector<size_t> character_offsets(std::string_view text) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(text.data());
  std::vector<size_t> offsets;
  for (size_t at = 0; at < text.size();) {
    offsets.push_back(at);
    const size_t length = text::utf8_sequence(begin + at, begin + text.size());
    if (length == 0) throw std::invalid_argument("byte " + std::to_string(at) + " of the text is not UTF-8");
    at += length;
  }
  offsets.push_back(text.size());
  return offsets;
}

}  // namespace

UnigramSegmenter::UnigramSegmenter(const std::vector<std::string>& words, const std::vector<double>& counts, double delta) {
  if (!(delta > 0) || !std::isfinite(delta)) throw std::invalid_argument("delta must be a positive number");
  if (words.size() != counts.size()) throw std::invalid_argument("there must be one count a word");
  double total = 0;
  for (size_t w = 0; w < words.size(); ++w) {
    if (words[w].empty()) throw std::invalid_argument("a word must have a character");
    if (!(counts[w] >= 0) || !std::isfinite(counts[w]))
      throw std::invalid_argument("the count of '" + words[w] + "' must be a number from 0 on");
    longest_ = std::max(longest_, character_offsets(words[w]).size() - 1);
    scores_[words[w]] += counts[w];
    total += counts[w];
  }
  const double log_total = std::log(total + delta * static_cast<double>(scores_.size()));
  for (auto& [word, score] : scores_) score = std::log(score + delta) - log_total;
  unknown_ = scores_.empty() ? 0.0 : std::log(delta) - log_total;
}

double UnigramSegmenter::log_probability(std::string_view word) const {
  const auto found = scores_.find(word);
  if (found != scores_.end()) return found->second;
  return character_offsets(word).size() == 2 ? unknown_ : forbidden;
}

Lattice UnigramSegmenter::lattice(std::string_view text) const {
  const std::vector<size_t> offsets = character_offsets(text);
  const size_t length = offsets.size() - 1;
  std::vector<Edge> edges;
  for (size_t begin = 0; begin < length; ++begin) {
    for (size_t end = begin + 1; end <= std::min(length, begin + longest_); ++end) {
      const auto found = scores_.find(text.substr(offsets[begin], offsets[end] - offsets[begin]));
      if (found == scores_.end() && end > begin + 1) continue;
      edges.push_back({static_cast<int>(begin), static_cast<int>(end), 0, found == scores_.end() ? unknown_ : found->second});
    }
  }
  return Lattice(static_cast<int>(length), std::move(edges));
}

std::vector<int> UnigramSegmenter::segment(std::string_view text) const {
  const Lattice words = lattice(text);
  const std::vector<LatticePath> best = k_best(words, 1);
  std::vector<int> ends;
  for (const int edge : best.at(0).edges) ends.push_back(words.edges()[static_cast<size_t>(edge)].to);
  return ends;
}

}  // namespace accord::chains
