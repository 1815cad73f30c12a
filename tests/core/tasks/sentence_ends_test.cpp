// SPDX-License-Identifier: Apache-2.0
// Ends of sentences by a network: the best label of each word within windows, ends of paragraphs, and sentences that are not too long.
#include "core/tasks/tokenizer/sentence_ends.hpp"

#include <algorithm>

#include "core/tasks/labeller/network_scores.hpp"
#include "core/text/documents/document_builder.hpp"
#include "core/text/sequences.hpp"
#include "tests/core/check.hpp"
#include "tests/core/tasks/network_cases.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

neural::NetworkShape shape_of_ends(int labels) {
  neural::NetworkShape shape = cases::shape(false);
  shape.labels = 0;
  shape.tasks = {{"label", labels}};
  return shape;
}

// A chain whose features and pairs weigh nothing, so that each word has its best label.
LabellerModel plain_chain(int labels) {
  static const std::vector<int16_t> nothing(size_t{16} << 4, 0);
  const auto table = [&](int width) {
    const std::span<const int16_t> values = std::span(nothing).first(static_cast<size_t>(width) << 4);
    return LabelTable(text::WeightTable<int16_t>{text::TableKind::hash, 4, width, 1.0f, values, {}});
  };
  LabellerSettings settings{"[state]\nhere.length\n[pair]\nbias\n", labels, 0, 1, 1.0, {}, {}, {}, {}};
  return LabellerModel(settings, {table(labels), table(labels * labels)}, {});
}

struct Text {
  std::string text;
  TokenSpans spans;
  std::vector<double> odds;
};

// So many tokens, some of which begin paragraphs.
Text made(size_t tokens, size_t paragraph) {
  const std::vector<std::string> forms = {"The", "cat", "saw", "dog", "ran", "fast", "new"};
  Text made;
  for (size_t token = 0; token < tokens; ++token) {
    const std::string& form = forms[token * token % 7];
    made.spans.begin.push_back(static_cast<int64_t>(made.text.size()));
    made.text += form;
    made.spans.end.push_back(static_cast<int64_t>(made.text.size()));
    made.text += ' ';
    made.spans.last.push_back(0);
    made.spans.paragraph.push_back(token % paragraph == 0);
    made.odds.push_back(static_cast<double>(token % 5) - 2);
  }
  return made;
}

// The definition: windows of 512 tokens that share 96, in each of which a word ends a sentence where its score says so.
std::vector<uint8_t> defined(const Text& text, std::shared_ptr<const neural::Network> network, double weight) {
  const size_t size = text.spans.begin.size();
  std::vector<uint8_t> last(size);
  for (size_t start = 0; start < size;) {
    size_t stop = start + 1;
    while (stop < size && !text.spans.paragraph[stop]) ++stop;
    const size_t step = stop - start <= 512 ? stop - start : 416;
    for (size_t first = start; first < stop; first += step) {
      const size_t behind = std::min(first + step, stop), begin = first < start + 48 ? start : first - 48,
                   end = std::min(stop, behind + 48);
      text::DocumentBuilder builder;
      builder.begin_sentence();
      for (size_t token = begin; token < end; ++token) {
        const auto from = static_cast<size_t>(text.spans.begin[token]), to = static_cast<size_t>(text.spans.end[token]);
        builder.add_word(std::string_view(text.text).substr(from, to - from), "_");
      }
      builder.end_sentence();
      const text::Document document = builder.finish();
      text::DocumentSequences sequences(document);
      score_labels(network, 0, document, sequences, 1);
      for (size_t token = first; token < behind; ++token) {
        const size_t word = token - begin;
        const std::vector<float>& scores = sequences.label_scores();
        last[token] = scores[word * 2 + 1] + weight * text.odds[token] > scores[word * 2];
      }
    }
    last[stop - 1] = 1;
    start = stop;
  }
  return last;
}

}  // namespace

TEST("words end sentences where the network and the characters say so, in windows") {
  const networks::SmallNetwork net(shape_of_ends(2), cases::known, 3);
  const auto network = cases::shared(net);
  const LabellerModel chain = plain_chain(2);
  for (const auto& [tokens, paragraph] : {std::pair<size_t, size_t>{1, 1}, {40, 7}, {700, 600}, {1500, 1500}}) {
    for (const double weight : {0.0, 0.4}) {
      Text text = made(tokens, paragraph);
      const text::TokenTable table(text.text, text.spans.begin, text.spans.end, false);
      const std::vector<std::vector<std::string>> words(table.forms().size());
      const SentenceEnds ends(chain, network, weight);
      const std::vector<uint8_t> expected = defined(text, network, weight);
      for (const int threads : {1, 3}) {
        ends.mark(table, words, text.odds, text.spans, 100'000, threads);
        CHECK(text.spans.last == expected);
      }
      ends.mark(table, words, text.odds, text.spans, 20, 1);  // no sentence is longer, and all ends stay that were near enough
      size_t length = 0, longest = 0;
      for (const uint8_t last : text.spans.last) {
        longest = std::max(longest, ++length);
        if (last) length = 0;
      }
      CHECK(longest <= 20 && length == 0);
    }
  }
}

TEST("networks and chains of other labels are refused") {
  const networks::SmallNetwork three(shape_of_ends(3), cases::known, 3), two(shape_of_ends(2), cases::known, 3);
  const LabellerModel chain = plain_chain(2), other = plain_chain(3);
  CHECK(check::throws([&] { SentenceEnds(chain, cases::shared(three), 0.0); }));
  CHECK(check::throws([&] { SentenceEnds(other, cases::shared(two), 0.0); }));
}
