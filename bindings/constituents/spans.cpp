// SPDX-License-Identifier: Apache-2.0
// Forwards core/constituents to Python: accord._core.constituents. Arrays are checked here, once; the interpreter lock is released around
// all work.
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/constituents/span_space.hpp"

namespace constituents_binding {

using namespace accord::constituents;

SpanScores checked(const DoubleRows& scores, int words) {
  if (words < 0 || scores.shape(0) != span_count(words) || scores.shape(1) == 0)
    throw std::invalid_argument("scores of spans: one row for each span of the words, and a label");
  const SpanScores spans{scores.data(), words, static_cast<int>(scores.shape(1))};
  if (find_invalid(spans) >= 0) throw std::invalid_argument("the score of a span is NaN or +infinity");
  return spans;
}

std::vector<std::pair<int, int>> pairs(const ArcPairs& given, int words) {
  std::vector<std::pair<int, int>> found;
  for (size_t k = 0; k < given.shape(0); ++k) {
    const int i = given.data()[2 * k], j = given.data()[2 * k + 1];
    if (i < 0 || j <= i || j > words) throw std::invalid_argument("a span of a rule is out of range");
    found.emplace_back(i, j);
  }
  return found;
}

IntegersOut span_rows(const std::vector<LabelledSpan>& spans) {
  std::vector<int32_t> flat;
  for (const LabelledSpan& span : spans) flat.insert(flat.end(), {span.begin, span.end, span.label});
  return to_numpy(std::move(flat), {spans.size(), 3});
}

template <class Work>
auto in_space(const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed, Work&& work) {
  const SpanScores spans = checked(scores, words);
  const SpanRules rules(words, pairs(required, words), pairs(uncrossed, words));
  const Unlocked unlocked;
  SpanSpace space;
  return work(space, spans, rules);
}

}  // namespace constituents_binding

void bind_constituents(nb::module_& module) {
  using namespace constituents_binding;
  module.def(
      "argmax",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed) {
        std::vector<LabelledSpan> spans;
        const double score = in_space(scores, words, required, uncrossed,
                                      [&](SpanSpace& space, const SpanScores& s, const SpanRules& r) { return space.argmax(s, r, spans); });
        return std::pair(score, span_rows(spans));
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"));
  module.def(
      "log_partition",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed) {
        return in_space(scores, words, required, uncrossed,
                        [](SpanSpace& space, const SpanScores& s, const SpanRules& r) { return space.log_partition(s, r); });
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"));
  module.def(
      "marginals",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed) {
        std::vector<double> out(scores.size());
        const double total = in_space(scores, words, required, uncrossed, [&](SpanSpace& space, const SpanScores& s, const SpanRules& r) {
          return space.marginals(s, r, out);
        });
        return std::pair(total, to_numpy(std::move(out), {scores.shape(0), scores.shape(1)}));
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"));
  module.def(
      "kbest",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed, int k) {
        const auto ranked = in_space(scores, words, required, uncrossed,
                                     [&](SpanSpace& space, const SpanScores& s, const SpanRules& r) { return space.kbest(s, r, k); });
        std::vector<std::pair<double, IntegersOut>> result;
        for (const ScoredSpans& tree : ranked) result.emplace_back(tree.score, span_rows(tree.spans));
        return result;
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"), nb::arg("k"));
  module.def(
      "sample",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed, int count, uint64_t seed) {
        const auto drawn = in_space(scores, words, required, uncrossed, [&](SpanSpace& space, const SpanScores& s, const SpanRules& r) {
          return space.sample(s, r, count, seed);
        });
        std::vector<IntegersOut> result;
        for (const auto& spans : drawn) result.push_back(span_rows(spans));
        return result;
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"), nb::arg("count"), nb::arg("seed"));
  module.def(
      "entropy",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed) {
        return in_space(scores, words, required, uncrossed,
                        [](SpanSpace& space, const SpanScores& s, const SpanRules& r) { return space.entropy(s, r); });
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"));
  module.def(
      "least_risk",
      [](const DoubleRows& scores, int words, const ArcPairs& required, const ArcPairs& uncrossed, double threshold) {
        std::vector<LabelledSpan> spans;
        const double value = in_space(scores, words, required, uncrossed, [&](SpanSpace& space, const SpanScores& s, const SpanRules& r) {
          return space.least_risk(s, r, threshold, spans);
        });
        return std::pair(value, span_rows(spans));
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("required"), nb::arg("uncrossed"), nb::arg("threshold"));
}
