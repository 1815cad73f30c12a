// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/bigrams.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace accord::text {

int32_t BigramCounter::number_of(std::string_view word) {
  if (const auto known = numbers_.find(word); known != numbers_.end()) return known->second;
  if (words_.size() == static_cast<size_t>(std::numeric_limits<int32_t>::max())) throw std::invalid_argument("too many different words");
  words_.emplace_back(word);
  const auto number = static_cast<int32_t>(counts_.size());
  numbers_.emplace(words_.back(), number);
  counts_.push_back(0);
  return number;
}

void BigramCounter::add(std::string_view lines) {
  size_t at = 0;
  while (at < lines.size()) {
    const char byte = lines[at];
    if (byte == '\n') tokens_.push_back(line_end);
    if (byte == '\n' || byte == ' ' || byte == '\t' || byte == '\r') {
      ++at;
      continue;
    }
    const size_t end = std::min(lines.find_first_of(" \t\r\n", at), lines.size());
    const int32_t number = number_of(lines.substr(at, end - at));
    ++counts_[static_cast<size_t>(number)];
    tokens_.push_back(number);
    at = end;
  }
  tokens_.push_back(line_end);
}

Bigrams BigramCounter::sum_up(int least_count, int most_words) const {
  Bigrams found;
  std::vector<int32_t> order(words_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto word = [&](int32_t number) -> const std::string& { return words_[static_cast<size_t>(number)]; };
  const auto count = [&](int32_t number) { return counts_[static_cast<size_t>(number)]; };
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return count(a) != count(b) ? count(a) > count(b) : word(a) < word(b); });
  std::vector<int32_t> rank(words_.size(), line_end);
  for (const int32_t number : order) {
    if (count(number) < static_cast<uint64_t>(least_count)) break;
    if (most_words > 0 && found.words.size() == static_cast<size_t>(most_words)) break;
    rank[static_cast<size_t>(number)] = static_cast<int32_t>(found.words.size());
    found.words.push_back(word(number));
    found.counts.push_back(count(number));
  }
  std::vector<uint64_t> pairs;  // first word in the upper half
  int32_t before = line_end;
  for (const int32_t token : tokens_) {
    const int32_t here = token == line_end ? line_end : rank[static_cast<size_t>(token)];
    if (before != line_end && here != line_end) pairs.push_back(static_cast<uint64_t>(before) << 32 | static_cast<uint64_t>(here));
    before = here;
  }
  std::sort(pairs.begin(), pairs.end());
  const size_t words = found.words.size();
  found.total = static_cast<double>(pairs.size());
  found.right_starts_.assign(words + 1, 0);
  found.left_starts_.assign(words + 1, 0);
  std::vector<int32_t> firsts;
  for (size_t i = 0; i < pairs.size();) {
    size_t end = i;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    const auto first = static_cast<int32_t>(pairs[i] >> 32), second = static_cast<int32_t>(pairs[i] & 0xffffffffu);
    found.right_.push_back({second, static_cast<double>(end - i)});
    firsts.push_back(first);
    ++found.right_starts_[static_cast<size_t>(first) + 1];
    ++found.left_starts_[static_cast<size_t>(second) + 1];
    i = end;
  }
  for (size_t w = 0; w < words; ++w) {
    found.right_starts_[w + 1] += found.right_starts_[w];
    found.left_starts_[w + 1] += found.left_starts_[w];
  }
  found.left_.resize(found.right_.size());
  std::vector<size_t> next(found.left_starts_.begin(), found.left_starts_.end() - 1);
  for (size_t i = 0; i < found.right_.size(); ++i)
    found.left_[next[static_cast<size_t>(found.right_[i].word)]++] = {firsts[i], found.right_[i].count};
  return found;
}

Bigrams Bigrams::by_class(std::span<const int32_t> class_of, size_t classes) const {
  Bigrams found;
  found.words.resize(classes);
  found.counts.assign(classes, 0);
  found.total = total;
  std::vector<std::vector<size_t>> members(classes);
  for (size_t word = 0; word < words.size(); ++word) {
    members[static_cast<size_t>(class_of[word])].push_back(word);
    found.counts[static_cast<size_t>(class_of[word])] += counts[word];
  }
  const auto sum_up = [&](auto&& neighbours_of, std::vector<Neighbour>& all, std::vector<size_t>& starts) {
    std::vector<double> row(classes);
    starts.assign(1, 0);
    for (const std::vector<size_t>& some : members) {
      std::fill(row.begin(), row.end(), 0.0);
      for (const size_t word : some)
        for (const Neighbour& other : neighbours_of(word))
          row[static_cast<size_t>(class_of[static_cast<size_t>(other.word)])] += other.count;
      for (size_t c = 0; c < classes; ++c)
        if (row[c] > 0) all.push_back({static_cast<int32_t>(c), row[c]});
      starts.push_back(all.size());
    }
  };
  sum_up([&](size_t word) { return right(word); }, found.right_, found.right_starts_);
  sum_up([&](size_t word) { return left(word); }, found.left_, found.left_starts_);
  return found;
}

}  // namespace accord::text
