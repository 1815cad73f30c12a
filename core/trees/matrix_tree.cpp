#include "core/trees/matrix_tree.hpp"

#include <algorithm>
#include <cmath>

namespace accord::trees {

namespace {

std::size_t index(int value) { return static_cast<std::size_t>(value); }

bool any_forbidden_between_words(ArcScores scores) {
  for (int head = 1; head <= scores.words; ++head) {
    for (int dependent = 1; dependent <= scores.words; ++dependent) {
      if (scores(head, dependent) == kForbidden && head != dependent) return true;
    }
  }
  return false;
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
  arcs.resize(index(words) * index(words));
  root.resize(index(words));
  shift.assign(scores.row(0) + 1, scores.row(0) + 1 + words);
  for (int head = 1; head <= words; ++head) {
    const double* row = scores.row(head) + 1;
    for (int m = 0; m < head - 1; ++m) shift[index(m)] = std::max(shift[index(m)], row[m]);
    for (int m = head; m < words; ++m) shift[index(m)] = std::max(shift[index(m)], row[m]);
  }
  total_shift = 0.0;
  for (const double value : shift) total_shift += value;
  if (total_shift == kForbidden) return;
  std::vector<double> sums(index(words));
  for (int m = 0; m < words; ++m) sums[index(m)] = exp_nonpositive(scores(0, m + 1) - shift[index(m)]);
  for (int head = 1; head <= words; ++head) {
    const double* row = scores.row(head) + 1;
    Number* target = arcs.data() + index(head - 1) * index(words);
    // The diagonal may hold anything; a weight larger than one there is replaced below before it is used.
    for (int m = 0; m < words; ++m) target[m] = exp_as<Number>(row[m] - shift[index(m)]);
    target[head - 1] = Number(0.0);
    for (int m = 0; m < words; ++m) sums[index(m)] += to_double(target[m]);
  }
  for (int m = 0; m < words; ++m) {
    root[index(m)] = exp_as<Number>(scores(0, m + 1) - shift[index(m)]) * Number(1.0 / sums[index(m)]);
    shift[index(m)] += std::log(sums[index(m)]);
    sums[index(m)] = 1.0 / sums[index(m)];
  }
  for (int head = 0; head < words; ++head) {
    Number* target = arcs.data() + index(head) * index(words);
    for (int m = 0; m < words; ++m) target[m] = target[m] * Number(sums[index(m)]);
  }
  total_shift = 0.0;
  for (const double value : shift) total_shift += value;
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
  space.weights.fill(scores);
  if (space.weights.total_shift == kForbidden) return kForbidden;
  return space.table.log_partition(space.weights.arcs.data(), space.weights.root.data(), scores.words, single_root);
}

template <class Number>
double MatrixTree::marginals_in(Workspace<Number>& space, ArcScores scores, bool single_root, std::span<double> out) {
  const int words = scores.words;
  space.weights.fill(scores);
  if (space.weights.total_shift == kForbidden) return kForbidden;
  space.arcs = space.weights.arcs;
  space.root = space.weights.root;
  space.escape.resize(space.arcs.size());
  const double log_tree =
      space.table.solve(space.arcs.data(), space.root.data(), words, single_root, space.escape.data());
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

// One graph, in doubles if they can be trusted. Marginals are written where out is given.
double MatrixTree::whole(ArcScores scores, bool single_root, std::span<double>* out) {
  double log_tree = out ? marginals_in(narrow_, scores, single_root, *out) : log_partition_in(narrow_, scores, single_root);
  // Single-root sums may also overflow: root weights grow where nothing but the root is likely to govern a word.
  if (std::isfinite(log_tree) && log_tree > kTrusted) return log_tree + narrow_.weights.total_shift;
  if (narrow_.weights.total_shift == kForbidden) return kForbidden;
  log_tree = out ? marginals_in(wide_, scores, single_root, *out) : log_partition_in(wide_, scores, single_root);
  if (!std::isfinite(log_tree)) return kForbidden;
  return log_tree + wide_.weights.total_shift;
}

// Single root, when some words cannot reach all others: the root's child lies among the source words, so a tree is a
// single-root tree over them and, independently, a forest in which every other word hangs from a source word.
double MatrixTree::split_at_source(ArcScores scores, const std::vector<uint8_t>& in_source, std::span<double>* out) {
  std::vector<int> source;
  std::vector<int> rest;
  for (int word = 1; word <= scores.words; ++word) (in_source[index(word)] ? source : rest).push_back(word);
  std::vector<double> source_root;
  for (const int word : source) source_root.push_back(scores(0, word));
  std::vector<double> rest_root;
  std::vector<double> from_source(source.size());
  for (const int word : rest) {
    for (std::size_t i = 0; i < source.size(); ++i) from_source[i] = scores(source[i], word);
    rest_root.push_back(log_sum(from_source));
  }
  const std::vector<double> source_scores = restrict_to(scores, source, source_root);
  const std::vector<double> rest_scores = restrict_to(scores, rest, rest_root);
  std::vector<double> source_part(out ? source_scores.size() : 0);
  std::vector<double> rest_part(out ? rest_scores.size() : 0);
  std::span<double> source_out(source_part);
  std::span<double> rest_out(rest_part);
  const double log_source =
      whole({source_scores.data(), static_cast<int>(source.size())}, true, out ? &source_out : nullptr);
  if (log_source == kForbidden) return kForbidden;
  const double log_rest = whole({rest_scores.data(), static_cast<int>(rest.size())}, false, out ? &rest_out : nullptr);
  if (log_rest == kForbidden || !out) return log_source + log_rest;
  const std::size_t width = scores.width();
  const auto write = [&](const std::vector<int>& words, const std::vector<double>& part) {
    for (std::size_t h = 0; h < words.size(); ++h) {
      for (std::size_t m = 0; m < words.size(); ++m) {
        (*out)[index(words[h]) * width + index(words[m])] = part[(h + 1) * (words.size() + 1) + m + 1];
      }
    }
  };
  write(source, source_part);
  write(rest, rest_part);
  for (std::size_t m = 0; m < source.size(); ++m) (*out)[index(source[m])] = source_part[m + 1];
  for (std::size_t m = 0; m < rest.size(); ++m) {
    for (const int head : source) {
      (*out)[index(head) * width + index(rest[m])] =
          rest_part[m + 1] == 0.0 ? 0.0 : rest_part[m + 1] * std::exp(scores(head, rest[m]) - rest_root[m]);
    }
  }
  return log_source + log_rest;
}

double MatrixTree::log_partition(ArcScores scores, bool single_root) {
  if (scores.words == 0) return 0.0;
  if (single_root && any_forbidden_between_words(scores)) {
    const std::vector<uint8_t> source = source_component(scores);
    if (source.empty()) return kForbidden;
    if (std::find(source.begin() + 1, source.end(), uint8_t{0}) != source.end()) {
      return split_at_source(scores, source, nullptr);
    }
  }
  return whole(scores, single_root, nullptr);
}

double MatrixTree::marginals(ArcScores scores, bool single_root, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (scores.words == 0) return 0.0;
  std::vector<uint8_t> source;
  if (single_root && any_forbidden_between_words(scores)) {
    source = source_component(scores);
    if (source.empty()) return kForbidden;
  }
  const bool split = !source.empty() && std::find(source.begin() + 1, source.end(), uint8_t{0}) != source.end();
  const double log_partition = split ? split_at_source(scores, source, &out) : whole(scores, single_root, &out);
  if (log_partition == kForbidden) std::fill(out.begin(), out.end(), 0.0);
  return log_partition;
}

}  // namespace accord::trees
