// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/matrix_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/trees/space.hpp"
#include "core/vectorise.hpp"

namespace accord::trees {

namespace {

// Best score of each word's column (0-based), the diagonal apart.
void column_maxima(ArcScores scores, std::vector<double>& maxima) {
  maxima.assign(scores.row(0) + 1, scores.row(0) + 1 + scores.words);
  double* __restrict best = maxima.data();
  for (int head = 0; head < scores.words; ++head) {
    const double* __restrict row = scores.row(head + 1) + 1;
    for (int m = 0; m < head; ++m) best[m] = row[m] > best[m] ? row[m] : best[m];
    for (int m = head + 1; m < scores.words; ++m) best[m] = row[m] > best[m] ? row[m] : best[m];
  }
}

// The diagonal may hold anything here; its weight is replaced before it is used.
ACCORD_VECTORISE void exponentials(const double* __restrict scores, const double* __restrict shift, double* __restrict out, int count) {
  for (int m = 0; m < count; ++m) out[m] = exp_nonpositive(scores[m] - shift[m]);
}

void exponentials(const double* scores, const double* shift, WideReal* out, int count) {
  for (int m = 0; m < count; ++m) out[m] = WideReal::exp(scores[m] - shift[m]);
}

template <class Number>
void scale_columns(Number* __restrict row, const double* __restrict scale, int count) {
  for (int m = 0; m < count; ++m) row[m] = row[m] * Number(scale[m]);
}

// Marks what can be reached from start along arcs (forwards) or against them.
void mark_reachable(ArcScores scores, int start, bool forwards, std::vector<uint8_t>& reached) {
  std::vector<int> agenda{start};
  reached[index(start)] = 1;
  while (!agenda.empty()) {
    const int word = agenda.back();
    agenda.pop_back();
    for (int other = 1; other <= scores.words; ++other) {
      if (reached[index(other)]) continue;
      if ((forwards ? scores(word, other) : scores(other, word)) == kForbidden) continue;
      reached[index(other)] = 1;
      agenda.push_back(other);
    }
  }
}

// The scores among some words (in order) and a root whose scores are given.
std::vector<double> restrict_to(ArcScores scores, const std::vector<int>& words, const std::vector<double>& root) {
  const std::size_t width = words.size() + 1;
  std::vector<double> part(width * width, kForbidden);
  for (std::size_t dependent = 1; dependent < width; ++dependent) {
    part[dependent] = root[dependent - 1];
    for (std::size_t head = 1; head < width; ++head) {
      part[head * width + dependent] = scores(words[head - 1], words[dependent - 1]);
    }
  }
  return part;
}

double log_sum(const std::vector<double>& logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  if (largest == kForbidden) return kForbidden;
  double sum = 0.0;
  for (const double value : logs) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

}  // namespace

template <class Number>
void NormalisedWeights<Number>::fill(ArcScores scores) {
  const int words = scores.words;
  column_maxima(scores, shift);
  total_shift = std::accumulate(shift.begin(), shift.end(), 0.0);
  if (total_shift == kForbidden) return;
  arcs.resize(index(words) * index(words));
  root.resize(index(words));
  scale.resize(index(words));
  double* __restrict sums = scale.data();
  exponentials(scores.row(0) + 1, shift.data(), root.data(), words);
  for (int m = 0; m < words; ++m) sums[m] = to_double(root[index(m)]);
  for (int head = 0; head < words; ++head) {
    Number* __restrict row = arcs.data() + index(head) * index(words);
    exponentials(scores.row(head + 1) + 1, shift.data(), row, words);
    row[head] = Number(0.0);
    for (int m = 0; m < words; ++m) sums[m] += to_double(row[m]);
  }
  total_shift = 0.0;
  for (int m = 0; m < words; ++m) {
    shift[index(m)] += std::log(sums[m]);
    total_shift += shift[index(m)];
    sums[m] = 1.0 / sums[m];
  }
  scale_columns(root.data(), sums, words);
  for (int head = 0; head < words; ++head) scale_columns(arcs.data() + index(head) * index(words), sums, words);
}

template struct NormalisedWeights<double>;
template struct NormalisedWeights<WideReal>;

std::vector<uint8_t> source_component(ArcScores scores) {
  // The last word from which a new search had to start reaches all words, if any word does.
  std::vector<uint8_t> reached(scores.width(), 0);
  int candidate = 1;
  for (int word = 1; word <= scores.words; ++word) {
    if (reached[index(word)]) continue;
    candidate = word;
    mark_reachable(scores, word, true, reached);
  }
  std::fill(reached.begin(), reached.end(), uint8_t{0});
  mark_reachable(scores, candidate, true, reached);
  if (std::find(reached.begin() + 1, reached.end(), uint8_t{0}) != reached.end()) return {};
  std::fill(reached.begin(), reached.end(), uint8_t{0});
  mark_reachable(scores, candidate, false, reached);
  return reached;
}

template <class Number>
double MatrixTree::log_partition_in(Workspace<Number>& space, ArcScores scores, bool single_root) {
  return space.table.log_partition(space.weights.arcs.data(), space.weights.root.data(), scores.words, single_root);
}

template <class Number>
double MatrixTree::marginals_in(Workspace<Number>& space, ArcScores scores, bool single_root, std::span<double> out) {
  const int words = scores.words;
  space.arcs = space.weights.arcs;
  space.root = space.weights.root;
  space.escape.resize(space.arcs.size());
  const double log_tree = space.table.solve(space.arcs.data(), space.root.data(), words, single_root, space.escape.data());
  if (!std::isfinite(log_tree)) return log_tree;
  space.total = space.weights.root;
  Number* total = space.total.data();
  Number* escape = space.escape.data();
  for (int head = 0; head < words; ++head) {
    const Number* row = space.weights.arcs.data() + index(head) * index(words);
    Number* product = escape + index(head) * index(words);
    for (int m = 0; m < words; ++m) product[m] = product[m] * row[m];
    for (int m = 0; m < words; ++m) total[m] += product[m];
  }
  for (int m = 0; m < words; ++m) {
    if (is_zero(total[m]) || !std::isfinite(log_of(total[m]))) return std::numeric_limits<double>::quiet_NaN();
    total[m] = Number(1.0) / total[m];
    out[index(m) + 1] = std::min(1.0, to_double(space.weights.root[index(m)] * total[m]));
  }
  for (int head = 0; head < words; ++head) {
    const Number* product = escape + index(head) * index(words);
    double* target = out.data() + index(head + 1) * scores.width() + 1;
    for (int m = 0; m < words; ++m) target[m] = std::min(1.0, to_double(product[m] * total[m]));
  }
  return log_tree;
}

// One graph, by a plain inverse if its weights are moderate, else in doubles if they can be trusted. Marginals are written where out is
// given.
double MatrixTree::whole(ArcScores scores, bool single_root, std::span<double>* out) {
  narrow_.weights.fill(scores);
  if (narrow_.weights.total_shift == kForbidden) return kForbidden;
  if (double plain; out && plain_.marginals(narrow_.weights.arcs, narrow_.weights.root, scores.words, single_root, plain, *out)) {
    return plain + narrow_.weights.total_shift;
  }
  double log_tree = out ? marginals_in(narrow_, scores, single_root, *out) : log_partition_in(narrow_, scores, single_root);
  // Single-root sums may also overflow: root weights grow where nothing but the root is likely to govern a word.
  if (std::isfinite(log_tree) && log_tree > kTrusted) return log_tree + narrow_.weights.total_shift;
  wide_.weights.fill(scores);
  log_tree = out ? marginals_in(wide_, scores, single_root, *out) : log_partition_in(wide_, scores, single_root);
  if (!std::isfinite(log_tree)) return kForbidden;
  return log_tree + wide_.weights.total_shift;
}

// Single root, when some words cannot reach all others: the root's child lies among the source words, so a tree is a
// single-root tree over them and, independently, a forest in which every other word hangs from a source word.
double MatrixTree::split_at_source(ArcScores scores, const std::vector<uint8_t>& in_source, std::span<double>* out) {
  Part source;
  Part rest;
  for (int word = 1; word <= scores.words; ++word) (in_source[index(word)] ? source : rest).words.push_back(word);
  for (const int word : source.words) source.root.push_back(scores(0, word));
  std::vector<double> from_source(source.words.size());
  for (const int word : rest.words) {
    for (std::size_t i = 0; i < from_source.size(); ++i) from_source[i] = scores(source.words[i], word);
    rest.root.push_back(log_sum(from_source));
  }
  const double log_source = solve_part(scores, source, true, out);
  const double log_rest = log_source == kForbidden ? kForbidden : solve_part(scores, rest, false, out);
  if (log_rest == kForbidden || !out) return log_rest == kForbidden ? kForbidden : log_source + log_rest;
  for (std::size_t m = 0; m < source.words.size(); ++m) (*out)[index(source.words[m])] = source.root_marginals[m];
  for (std::size_t m = 0; m < rest.words.size(); ++m) {
    if (rest.root[m] == kForbidden) continue;
    for (const int head : source.words) {
      const double share = std::exp(scores(head, rest.words[m]) - rest.root[m]);
      (*out)[index(head) * scores.width() + index(rest.words[m])] = rest.root_marginals[m] * share;
    }
  }
  return log_source + log_rest;
}

// The sums of one part under its own root scores; marginals between its words go to their places in out.
double MatrixTree::solve_part(ArcScores scores, Part& part, bool single_root, std::span<double>* out) {
  const std::size_t width = part.words.size() + 1;
  const std::vector<double> restricted = restrict_to(scores, part.words, part.root);
  std::vector<double> marginals(out ? restricted.size() : 0);
  std::span<double> view(marginals);
  const ArcScores part_scores{restricted.data(), static_cast<int>(part.words.size())};
  const double log_partition = whole(part_scores, single_root, out ? &view : nullptr);
  if (log_partition == kForbidden || !out) return log_partition;
  part.root_marginals.assign(marginals.begin() + 1, marginals.begin() + static_cast<std::ptrdiff_t>(width));
  for (std::size_t h = 1; h < width; ++h) {
    for (std::size_t m = 1; m < width; ++m) {
      (*out)[index(part.words[h - 1]) * scores.width() + index(part.words[m - 1])] = marginals[h * width + m];
    }
  }
  return log_partition;
}

double MatrixTree::solve(ArcScores scores, bool single_root, std::span<double>* out) {
  if (scores.words == 0) return 0.0;
  if (single_root && any_forbidden_between_words(scores)) {
    const std::vector<uint8_t> source = source_component(scores);
    if (source.empty()) return kForbidden;
    if (std::find(source.begin() + 1, source.end(), uint8_t{0}) != source.end()) {
      return split_at_source(scores, source, out);
    }
  }
  return whole(scores, single_root, out);
}

double MatrixTree::log_partition(ArcScores scores, bool single_root) { return solve(scores, single_root, nullptr); }

double MatrixTree::marginals(ArcScores scores, bool single_root, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const double log_partition = solve(scores, single_root, &out);
  if (log_partition == kForbidden) std::fill(out.begin(), out.end(), 0.0);
  return log_partition;
}

}  // namespace accord::trees
