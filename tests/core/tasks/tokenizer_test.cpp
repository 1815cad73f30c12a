// SPDX-License-Identifier: Apache-2.0
// Texts without unusual blanks, tokens by labels, and words of multiword tokens.
#include <stdexcept>

#include "core/tasks/tokenizer/multiword.hpp"
#include "core/tasks/tokenizer/squeezed_text.hpp"
#include "tests/core/check.hpp"

using namespace accord::tasks;

namespace {

constexpr int32_t i = label_inside, e = label_end, l = label_last, o = label_outside;

}  // namespace

TEST("runs of blanks are one blank, and empty lines end paragraphs") {
  const SqueezedText text(
      " a\t \xC3\xA9\r\nb \n\n c\xE2\x80\xA9"
      "d\n",
      false);
  CHECK(text.text() == "a \xC3\xA9 bcd" && text.length() == 16);
  CHECK(text.places() == (std::vector<int64_t>{1, 2, 4, 5, 7, 12, 14}));
  CHECK(text.starts() == (std::vector<int64_t>{0, 5, 6, 7}));
  CHECK(text.blank() == (std::vector<uint8_t>{0, 1, 0, 1, 0, 0, 0}));
  CHECK(text.ends_paragraph() == (std::vector<uint8_t>{0, 0, 0, 0, 1, 1, 1}));
  CHECK(text.piece(1, 3) == " \xC3\xA9");
  CHECK(SqueezedText("a\r\nb\rc", true).starts() == (std::vector<int64_t>{0, 1, 2, 3}));
}

TEST("a text of blanks has no characters and no paragraphs") {
  for (const char* blanks : {"", " \n\n\t"}) {
    const SqueezedText text(blanks, false);
    CHECK(text.size() == 0 && text.starts() == std::vector<int64_t>{0} && text.spans({}).begin.empty());
  }
  CHECK(check::throws([] { SqueezedText("\xC3", false); }));
}

TEST("tokens end where labels, blanks and paragraphs say") {
  const SqueezedText text("10  000 ab.\n\nc", false);
  const std::vector<int32_t> labels = {i, i, i, i, i, e, o, i, e, l, i};
  const TokenSpans found = text.spans(labels);
  CHECK(found.begin == (std::vector<int64_t>{0, 8, 10, 13}) && found.end == (std::vector<int64_t>{7, 10, 11, 14}));
  CHECK(found.last == (std::vector<uint8_t>{0, 0, 1, 1}) && found.paragraph == (std::vector<uint8_t>{1, 0, 0, 1}));
  CHECK(found.sentences() == (std::vector<std::pair<int64_t, int64_t>>{{0, 11}, {13, 14}}));
  const TokenSpans squeezed = text.spans(labels, true);
  CHECK(squeezed.begin == (std::vector<int64_t>{0, 7, 9, 10}) && squeezed.end == (std::vector<int64_t>{6, 9, 10, 11}));
  CHECK(check::throws([&] { text.spans(std::vector<int32_t>{i}); }));
}

TEST("words of multiword tokens come from forms and endings, in the case of the surface form") {
  const MultiwordRules rules("form\tdo\tde\to\nform\tits\nexact\tNA\tem\tA\nending\tn't\t3\t\tn't\nending\ts\t1\t\ts\n");
  CHECK(rules.split("do") == (Words{"de", "o"}) && rules.split("Do") == (Words{"De", "o"}) && rules.split("DO") == (Words{"DE", "O"}));
  CHECK(rules.split("Don't") == (Words{"Do", "n't"}) && rules.split("COULDN'T") == (Words{"COULD", "N'T"}));
  CHECK(rules.split("NA") == (Words{"em", "A"}) && rules.split("na").empty() && rules.split("its").empty() && rules.split("n't").empty());
  CHECK(rules.split("\xC3\x89s") == (Words{"\xC3\x89", "s"}) && rules.split("s").empty());
  CHECK(MultiwordRules().split("don't").empty());
}

TEST("lines that are no rules are refused") {
  for (const char* line : {"nonsense\n", "form\n", "words\ta\tb\n", "ending\ts\t1\n", "ending\ts\tx\ty\tz\n", "\n"})
    CHECK(check::throws([&] { MultiwordRules{line}; }));
}
