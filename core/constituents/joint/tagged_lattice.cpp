// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/joint/tagged_lattice.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace accord::constituents {

namespace {

std::size_t at(int32_t number) { return static_cast<std::size_t>(number); }

}  // namespace

WordLattice::WordLattice(int length, std::vector<LatticeWord> words) : length_(length), words_(std::move(words)), given_(words_.size()) {
  if (length < 0) throw std::invalid_argument("a lattice has places from 0 on");
  for (const LatticeWord& word : words_) {
    if (word.begin < 0 || word.end <= word.begin || word.end > length)
      throw std::invalid_argument("a word of a lattice goes forward within its places");
    if (std::isnan(word.score) || word.score == std::numeric_limits<double>::infinity())
      throw std::invalid_argument("the score of a word is a number or -infinity");
  }
  std::iota(given_.begin(), given_.end(), 0);
  std::stable_sort(given_.begin(), given_.end(), [&](int32_t a, int32_t b) {
    return std::pair(words_[at(a)].begin, words_[at(a)].end) < std::pair(words_[at(b)].begin, words_[at(b)].end);
  });
  std::vector<LatticeWord> sorted;
  for (const int32_t number : given_) sorted.push_back(words_[at(number)]);
  words_ = std::move(sorted);
  keep_used();
  const std::size_t places = at(length) + 1;
  before_.assign(places, -1);
  behind_.assign(places, -1);
  std::vector<double> best(places, forbidden);
  best[0] = 0;
  for (std::size_t w = 0; w < words_.size(); ++w) {  // by begin: what leads to a place is known before it is left
    const auto [begin, end, score] = words_[w];
    if (before_[at(end)] >= 0 && best[at(begin)] + score <= best[at(end)]) continue;
    best[at(end)] = best[at(begin)] + score;
    before_[at(end)] = static_cast<int32_t>(w);
  }
  best.assign(places, forbidden);
  best[at(length)] = 0;
  for (std::size_t w = words_.size(); w-- > 0;) {
    const auto [begin, end, score] = words_[w];
    if (behind_[at(begin)] >= 0 && best[at(end)] + score < best[at(begin)]) continue;
    best[at(begin)] = best[at(end)] + score;
    behind_[at(begin)] = static_cast<int32_t>(w);
  }
}

void WordLattice::keep_used() {
  std::vector<uint8_t> reached(at(length_) + 1, 0), leads(at(length_) + 1, 0);
  reached[0] = leads[at(length_)] = 1;
  const auto possible = [](const LatticeWord& word) { return word.score != forbidden; };
  for (const LatticeWord& word : words_) reached[at(word.end)] |= possible(word) && reached[at(word.begin)];
  for (std::size_t w = words_.size(); w-- > 0;) leads[at(words_[w].begin)] |= possible(words_[w]) && leads[at(words_[w].end)];
  if (!reached[at(length_)]) throw std::invalid_argument("no words lead from the first place to the last");
  std::size_t kept = 0;
  for (std::size_t w = 0; w < words_.size(); ++w)
    if (possible(words_[w]) && reached[at(words_[w].begin)] && leads[at(words_[w].end)]) {
      words_[kept] = words_[w];
      given_[kept++] = given_[w];
    }
  words_.resize(kept);
  given_.resize(kept);
}

std::vector<int32_t> WordLattice::best_path() const {
  std::vector<int32_t> path;
  for (int place = length_; place > 0; place = words_[at(path.back())].begin) path.push_back(before(place));
  std::reverse(path.begin(), path.end());
  return path;
}

TaggedLattice::TaggedLattice(const WordLattice& words, std::vector<TaggedWord> candidates, int tags, std::span<const double> transitions)
    : length_(words.length()),
      tags_(at(tags)),
      transitions_(transitions),
      words_(std::move(candidates)),
      starts_(at(length_) + 2, 0),
      places_(at(length_) + 1, 0) {
  if (!transitions.empty() && transitions.size() != tags_ * tags_) throw std::invalid_argument("one transition for each pair of tags");
  int32_t word = -1;
  for (const TaggedWord& one : words_) {
    if (one.tag < 0 || one.tag >= tags || one.word < word || one.word > word + 1 || at(one.word) >= words.words().size())
      throw std::invalid_argument("tags of words stand in the order of the words");
    word = one.word;
    const LatticeWord& lattice = words.words()[at(word)];
    begins_.push_back(lattice.begin);
    ends_.push_back(lattice.end);
    places_[at(lattice.begin)] = places_[at(lattice.end)] = 1;
    ++starts_[at(lattice.begin) + 1];
  }
  if (at(word) + 1 != words.words().size()) throw std::invalid_argument("every word has a tag");
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  find_neighbours(words);
}

std::pair<int32_t, int32_t> TaggedLattice::between(int begin, int end) const {
  const auto first = ends_.begin() + starts_[at(begin)], last = ends_.begin() + starts_[at(begin) + 1];
  const auto [low, high] = std::equal_range(first, last, end);
  return {static_cast<int32_t>(low - ends_.begin()), static_cast<int32_t>(high - ends_.begin())};
}

void TaggedLattice::find_neighbours(const WordLattice& words) {
  const std::size_t count = words_.size();
  std::vector<std::vector<int32_t>> ending(at(length_) + 1);
  for (std::size_t w = 0; w < count; ++w) ending[at(ends_[w])].push_back(static_cast<int32_t>(w));
  std::vector<double> forward(count), backward(count);
  before_.assign(count, -1);
  behind_.assign(count, -1);
  // The best of `reached` beside a word, and of those the best of one word of the lattice.
  const auto choose = [&](const auto& beside, int32_t wanted, const auto& value, int32_t& neighbour) {
    double best = forbidden, chosen = forbidden;
    for (const int32_t one : beside) {
      const double score = value(one);
      best = std::max(best, score);
      if ((*this)[one].word != wanted || (neighbour >= 0 && score <= chosen)) continue;
      chosen = score;
      neighbour = one;
    }
    return best;
  };
  for (std::size_t w = 0; w < count; ++w) {  // by begin
    const auto self = static_cast<int32_t>(w);
    const int place = begins_[w];
    double best = 0;
    if (place > 0)
      best =
          choose(ending[at(place)], words.before(place), [&](int32_t one) { return forward[at(one)] + transition(one, self); }, before_[w]);
    forward[w] = best + words_[w].score;
  }
  for (std::size_t w = count; w-- > 0;) {
    const auto self = static_cast<int32_t>(w);
    const int place = ends_[w];
    double best = 0;
    if (place < length_) {
      std::vector<int32_t> beside(at(starts_[at(place) + 1] - starts_[at(place)]));
      std::iota(beside.begin(), beside.end(), starts_[at(place)]);
      best = choose(beside, words.behind(place), [&](int32_t one) { return backward[at(one)] + transition(self, one); }, behind_[w]);
    }
    backward[w] = best + words_[w].score;
  }
}

std::vector<int32_t> TaggedLattice::pipeline_path(const WordLattice& words) const {
  const std::vector<int32_t> path = words.best_path();
  std::vector<int32_t> tagged(path.size());
  std::vector<std::vector<int32_t>> from(path.size());
  std::vector<double> best, next;
  std::vector<int32_t> low(path.size() + 1), high(path.size() + 1);
  for (std::size_t k = 0; k < path.size(); ++k) {
    const auto first =
        std::lower_bound(words_.begin(), words_.end(), path[k], [](const TaggedWord& one, int32_t word) { return one.word < word; });
    low[k] = high[k] = static_cast<int32_t>(first - words_.begin());
    while (at(high[k]) < words_.size() && (*this)[high[k]].word == path[k]) ++high[k];
    next.assign(at(high[k] - low[k]), forbidden);
    from[k].assign(next.size(), -1);
    for (int32_t one = low[k]; one < high[k]; ++one) {
      double& value = next[at(one - low[k])];
      if (k == 0) value = 0;
      for (int32_t last = k == 0 ? 0 : low[k - 1]; k > 0 && last < high[k - 1]; ++last) {
        const double score = best[at(last - low[k - 1])] + transition(last, one);
        if (from[k][at(one - low[k])] >= 0 && score <= value) continue;
        value = score;
        from[k][at(one - low[k])] = last;
      }
      value += (*this)[one].score;
    }
    best.swap(next);
  }
  if (path.empty()) return tagged;
  tagged.back() = low[path.size() - 1] + static_cast<int32_t>(std::max_element(best.begin(), best.end()) - best.begin());
  for (std::size_t k = path.size() - 1; k > 0; --k) tagged[k - 1] = from[k][at(tagged[k] - low[k])];
  return tagged;
}

}  // namespace accord::constituents
