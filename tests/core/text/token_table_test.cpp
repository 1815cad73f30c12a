// SPDX-License-Identifier: Apache-2.0
// Documents of tokens: the same as those that are read from their bytes.
#include "core/text/documents/token_table.hpp"

#include <array>
#include <stdexcept>

#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

const std::string text = " \xC3\x84pfel  don't\xE3\x80\x80go.\n\nNew\tYork";
const std::vector<int64_t> begins = {1, 8, 14, 16, 19}, ends = {6, 13, 16, 17, 27};
const std::array<uint8_t, 5> last = {0, 0, 0, 1, 1}, paragraph = {1, 0, 0, 0, 1};

}  // namespace

TEST("blanks are white space and control characters, and escaped as MISC needs it") {
  for (const uint32_t blank : {0u, 9u, 0x1Fu, 0x20u, 0x7Fu, 0x85u, 0xA0u, 0x1680u, 0x2028u, 0x205Fu, 0x3000u}) CHECK(is_blank(blank));
  for (const uint32_t other : {0x21u, 0x7Eu, 0xA1u, 0x180Eu, 0x200Bu, 0x3001u, 0x10FFFFu}) CHECK(!is_blank(other));
  CHECK(escape_blanks(" \t\r\n|\\a\xC2\xA0") == "\\s\\t\\r\\n\\p\\\\a\\u00A0");
  CHECK(one_blank("a \t\n b\xE3\x80\x80") == "a b ");
}

TEST("a document of tokens is the one that is read from its bytes") {
  const TokenTable table(text, begins, ends, true);
  CHECK(table.forms() == (std::vector<std::string>{"\xC3\x84pfel", "don't", "go", ".", "New York"}));
  const std::vector<std::vector<std::string>> words = {{}, {"do", "n't"}, {}, {}, {}};
  for (const bool offsets : {false, true}) {
    const Document made = table.document(words, last, paragraph, {"a.txt", 0, 100, false}, offsets);
    const Document again = Document::parse(made.write());
    CHECK(made.sentences() == 2 && made.total_words() == 6 && again.write() == made.write());
    for (size_t s = 0; s < 2; ++s) {
      CHECK(again.rows(s) == made.rows(s) && again.comments(s) == made.comments(s) && again.line(s) == made.line(s));
      CHECK(again.line(s, 1) == made.line(s, 1));
    }
    CHECK(made.rows(0)[0][9] ==
          (offsets ? "SpacesBefore=\\s|SpacesAfter=\\s\\s|TokenRange=101:106" : "SpacesBefore=\\s|SpacesAfter=\\s\\s"));
  }
  const Document made = table.document(words, last, paragraph, {std::nullopt, 7, 0, true}, false);
  CHECK(made.comments(0) == (std::vector<std::string>{"# sent_id = 8", "# text = \xC3\x84pfel don't go."}));
  CHECK(made.comments(1) == (std::vector<std::string>{"# newpar", "# sent_id = 9", "# text = New York"}));
  CHECK(made.rows(0)[1][0] == "2-3" && made.rows(0)[1][9] == "SpacesAfter=\\u3000" &&
        made.rows(1)[0][9] == "SpaceAfter=No|SpacesInToken=New\\tYork");
}

TEST("tokens outside their text are refused") {
  const std::vector<int64_t> far = {99}, none = {3}, back = {3, 1}, behind = {4, 2};
  const auto refused = [](const std::vector<int64_t>& begin, const std::vector<int64_t>& end) {
    try {
      TokenTable(text, begin, end, false);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refused(none, far) && refused(none, none) && refused(back, behind) && !refused(begins, ends));
}
