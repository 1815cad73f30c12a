// SPDX-License-Identifier: Apache-2.0
// Documents: what is read, what is refused, and that nothing is lost on the way back. Run under the sanitizers, the
// noise below is the proof that no file can lead the reader astray.
#include "core/text/documents/document.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>

#include "core/text/documents/document_trees.hpp"
#include "core/text/utf8.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

const std::string sample =
    "# sent_id = 1\n"
    "1-2\tV\xC3\xA1monos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tVamos\tir\tVERB\tV\tMood=Imp\t0\troot\t_\tA=1|B=2\n"
    "2\tnos\tnosotros\tPRON\tP\t_\t1\tobj\t_\t_\n"
    "\n"
    "0.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tyou\tyou\tPRON\tPRP\t_\t_\troot\t_\tSpaceAfter=No\n"
    "1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n";

constexpr std::array all_layouts = {layouts::conllu, layouts::conllx, layouts::conll2008, layouts::conll2009};

// Everything that can be asked of a document, so that a wrong offset has a place to show.
size_t touch_all(const Document& document) {
  size_t touched = document.to_conllu().size() + document.to_conllx().size();
  std::vector<Token> tokens;
  for (size_t s = 0; s < document.sentences(); ++s) {
    document.tokens(s, tokens);
    for (const Token& token : tokens) touched += token.form.size() + token.feats.size();
    for (const std::string& comment : document.comments(s)) touched += comment.size();
    for (const auto& fields : document.rows(s)) {
      for (const std::string_view field : fields) touched += field.size() + static_cast<unsigned char>(field.back());
    }
    for (size_t word = 1; word <= document.words(s); ++word) touched += document.line(s, word);
    touched += document.write(s).size();
  }
  return touched + check_trees(document).size();
}

// The same heads and labels put back: the document must not change.
std::string rewritten(const Document& document) {
  Edits edits;
  const auto deprels = document.column(Column::deprel);
  const auto forms = document.column(Column::form);
  edits.heads = document.heads();
  edits.columns[static_cast<size_t>(Column::deprel)] = deprels;
  edits.columns[static_cast<size_t>(Column::form)] = forms;
  return document.edited(edits).write();
}

// The bytes that the bit patterns of UTF-8 give to a number, be it a character or not.
std::string encoded(uint32_t code) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](uint32_t shift) { return byte(0x80 | (code >> shift & 63)); };
  if (code < 0x80) return std::string{byte(code)};
  if (code < 0x800) return std::string{byte(0xC0 | code >> 6), tail(0)};
  if (code < 0x10000) return std::string{byte(0xE0 | code >> 12), tail(6), tail(0)};
  return std::string{byte(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

}  // namespace

TEST("words, fields, tokens and heads are read; ranges and empty nodes are no words") {
  const Document document = Document::parse(sample);
  CHECK(document.sentences() == 2);
  CHECK(document.total_words() == 3);
  CHECK(document.words(0) == 2 && document.words(1) == 1);
  CHECK(document.head(0, 1) == 0 && document.head(0, 2) == 1 && document.head(1, 1) == -1);
  CHECK(document.field(0, 2, Column::lemma) == "nosotros");
  CHECK(document.field(1, 1, Column::misc) == "SpaceAfter=No");
  CHECK(document.rows(1).size() == 3 && document.rows(1)[2][1] == "x");
  CHECK(document.comments(0) == std::vector<std::string>{"# sent_id = 1"});
  CHECK(document.line(0, 2) == 4 && document.line(1) == 6 && document.line(1, 1) == 7);
  std::vector<Token> tokens;
  document.tokens(0, tokens);
  CHECK(tokens.size() == 2 && tokens[0].form == "Vamos" && tokens[0].xpos == "V" && tokens[0].feats == "Mood=Imp");
  CHECK(document.write() == sample);
}

TEST("a copy or a moved document reads its own bytes") {
  Document original = Document::parse("1\tx\t_\t_\t_\t_\t0\t_\t_\t_");
  const Document copy = original;
  original = Document::parse("");
  CHECK(copy.field(0, 1, Column::form) == "x");
  const Document moved = std::move(original);
  CHECK(moved.sentences() == 0);
}

TEST("edits change their columns and nothing else") {
  const Document document = Document::parse(sample);
  Edits edits;
  const std::array<int32_t, 3> heads = {2, 0, -1};
  const std::array<std::string_view, 3> labels = {"a", "longer than before", "c"};
  const std::array<std::string_view, 3> entries = {"A=9|C=3", "D=4", ""};
  edits.heads = heads;
  edits.columns[static_cast<size_t>(Column::deprel)] = labels;
  edits.misc_entries = entries;
  const std::string expected =
      "# sent_id = 1\n"
      "1-2\tV\xC3\xA1monos\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "1\tVamos\tir\tVERB\tV\tMood=Imp\t2\ta\t_\tB=2|A=9|C=3\n"
      "2\tnos\tnosotros\tPRON\tP\t_\t0\tlonger than before\t_\tD=4\n"
      "\n"
      "0.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "1\tyou\tyou\tPRON\tPRP\t_\t_\tc\t_\tSpaceAfter=No\n"
      "1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "\n";
  CHECK(document.edited(edits).write() == expected);
  CHECK(rewritten(document) == sample);
}

TEST("an edited document reads as the one that is parsed from its bytes, and the first one stays as it was") {
  const Document document = Document::parse(sample);
  Edits edits;
  const std::array<int32_t, 3> heads = {2, 0, 0};
  const std::array<std::string_view, 3> tags = {"A", "LONG", "C"};
  edits.heads = heads;
  edits.columns[static_cast<size_t>(Column::upos)] = tags;
  const Document once = document.edited(edits);
  Edits more;
  const std::array<std::string_view, 3> entries = {"A=9", "", "Z=1"};
  more.misc_entries = entries;
  const Document twice = once.edited(more).with_comments("note", {"first", "second"}).with_comments("note", {std::nullopt, "third"});
  const std::string written = twice.write();
  const Document again = Document::parse(written);
  CHECK(touch_all(again) != touch_all(document));
  for (size_t s = 0; s < again.sentences(); ++s) {
    CHECK(again.rows(s) == twice.rows(s) && again.comments(s) == twice.comments(s) && again.write(s) == twice.write(s));
    CHECK(std::ranges::equal(again.heads(s), twice.heads(s)));
  }
  CHECK(again.to_conllu() == twice.to_conllu() && again.to_conllx() == twice.to_conllx());
  CHECK(twice.comments(0) == (std::vector<std::string>{"# sent_id = 1", "# note = first"}));
  CHECK(twice.comments(1) == std::vector<std::string>{"# note = third"});
  CHECK(document.write() == sample && once.field(0, 1, Column::misc) == document.field(0, 1, Column::misc));
}

TEST("a comment takes the place of one with its key, and lines end as the first one does") {
  const Document document = Document::parse("\xEF\xBB\xBF#key=old\r\n# other\r\n1\tx\t_\t_\t_\t_\t0\t_\t_\t_\r\n");
  const std::string row = "1\tx\t_\t_\t_\t_\t0\t_\t_\t_\r\n";
  CHECK(document.with_comments("key", {"new"}).write() == "\xEF\xBB\xBF# key = new\r\n# other\r\n" + row);
  CHECK(document.with_comments("more", {"1"}).write() == "\xEF\xBB\xBF#key=old\r\n# other\r\n# more = 1\r\n" + row);
  CHECK(document.with_comments("more", {std::nullopt}).write() == document.write());
  CHECK(check::throws([&] { document.with_comments("key", {}); }));
}

TEST("edits that would break the file are refused") {
  const Document document = Document::parse("1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n");
  const auto with_label = [&](std::string_view label, Column column = Column::deprel) {
    Edits edits;
    edits.columns[static_cast<size_t>(column)] = {&label, 1};
    return document.edited(edits).write();
  };
  CHECK(!check::throws([&] { with_label("ok"); }));
  for (const std::string_view bad : {std::string_view(""), std::string_view("a\tb"), std::string_view("a\n"), std::string_view("\r"),
                                     std::string_view("\0", 1), std::string_view("\xFF")}) {
    CHECK(check::throws([&] { with_label(bad); }));
  }
  CHECK(check::throws([&] { with_label("1", Column::id); }));
  CHECK(check::throws([&] { with_label("1", Column::head); }));
  for (const int32_t head : {-2, 2, 1000000}) {
    Edits edits;
    edits.heads = {&head, 1};
    CHECK(check::throws([&] { document.edited(edits); }));
  }
  const std::array<int32_t, 2> too_many = {0, 0};
  Edits edits;
  edits.heads = too_many;
  CHECK(check::throws([&] { document.edited(edits); }));
  const Document no_misc = Document::parse("1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n", layouts::conllx);
  const std::string_view entry = "A=1";
  Edits misc;
  misc.misc_entries = {&entry, 1};
  CHECK(check::throws([&] { no_misc.edited(misc); }));
}

TEST("a broken sentence is thrown with its line, or kept without words") {
  const std::string text = sample + "1\tx\n\n" + sample;
  try {
    Document::parse(text, layouts::conllu, 101);
    CHECK(false);
  } catch (const FormatProblem& problem) {
    CHECK(problem.line == 110);
  }
  const Document kept = Document::parse(text, layouts::conllu, 101, true);
  CHECK(kept.sentences() == 5 && kept.broken(2) && kept.words(2) == 0 && kept.write(2) == "1\tx\n");
  CHECK(kept.problems().size() == 1 && kept.problems()[0].line == 110);
  CHECK(kept.first_word(3) == 3 && kept.field(3, 1, Column::form) == "Vamos");
  CHECK(kept.write() == text && rewritten(kept) == text);
}

TEST("UTF-8 is what the standard says: every code point, and every string of three bytes") {
  bool all_codes_right = true;
  for (uint32_t code = 0; code < 0x120000; ++code) {
    const bool scalar = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
    all_codes_right &= is_utf8(encoded(code)) == scalar;
  }
  CHECK(all_codes_right);
  // Of all strings of three bytes, as many are valid as code points say: 128 of one byte, 1920 of two, 61440 of three.
  size_t valid = 0;
  for (uint32_t bytes = 0; bytes < 1u << 24; ++bytes) {
    const std::array<char, 3> three = {static_cast<char>(bytes >> 16), static_cast<char>(bytes >> 8), static_cast<char>(bytes)};
    valid += is_utf8({three.data(), 3});
  }
  CHECK(valid == 128u * 128 * 128 + 2 * 128 * 1920 + 61440);
  CHECK(utf8_valid_prefix("0123456789\xC3") == 10);
}

TEST("tree problems agree with following every word to the root") {
  // All heads of up to five words, unknown ones included.
  for (size_t length = 1; length <= 5; ++length) {
    std::vector<int32_t> heads(length, -1);
    bool more = true;
    while (more) {
      size_t roots = 0, unknown = 0, lost = 0;
      for (const int32_t head : heads) roots += head == 0, unknown += head < 0;
      for (size_t word = 1; word <= length; ++word) {
        auto at = static_cast<int32_t>(word);
        for (size_t step = 0; step <= length && at > 0; ++step) at = heads[static_cast<size_t>(at) - 1];
        lost += at > 0;
      }
      CHECK(tree_problem(heads).has_value() == (unknown > 0 || lost > 0 || roots > 1));
      CHECK(tree_problem(heads, {false, true}).has_value() == (unknown > 0 || lost > 0));
      CHECK(tree_problem(heads, {true, false}).has_value() == (lost > 0 || roots > 1));
      size_t place = 0;
      while (place < length && heads[place] == static_cast<int32_t>(length)) heads[place++] = -1;
      more = place < length;
      if (more) ++heads[place];
    }
  }
  const std::array<int32_t, 1> outside = {2};
  CHECK(check::throws([&] { tree_problem(outside); }));
}

TEST("noise is read exactly or refused, in every layout") {
  std::mt19937 random(20240501);
  constexpr std::string_view tempting("\t\n\r#_-.0129 \0\x80\xC3\xFFx", 18);
  const auto pick = [&](size_t bound) { return static_cast<size_t>(random() % bound); };
  size_t read = 0, touched = 0;
  for (size_t trial = 0; trial < 20000; ++trial) {
    std::string text = trial % 4 == 0 ? std::string(pick(60), '\n') : sample;
    if (trial % 4 == 0) {
      for (char& byte : text) byte = tempting[pick(tempting.size())];
    }
    for (size_t change = pick(5); change > 0 && !text.empty(); --change) {
      const size_t at = pick(text.size());
      if (pick(3) == 0) text.erase(at, 1 + pick(20));
      else if (pick(2) == 0) text.insert(at, 1, tempting[pick(tempting.size())]);
      else text[at] = tempting[pick(tempting.size())];
    }
    const Layout& layout = trial % 3 == 0 ? all_layouts[pick(all_layouts.size())] : layouts::conllu;
    const Document kept = Document::parse(text, layout, 1, true);
    touched += touch_all(kept);
    CHECK(kept.write() == text && rewritten(kept) == text);
    bool whole = true;
    try {
      Document::parse(text, layout);
    } catch (const FormatProblem& problem) {
      whole = false;
      CHECK(!kept.problems().empty() && kept.problems()[0].line == problem.line);
    }
    CHECK(whole == kept.problems().empty());
    read += whole;
  }
  CHECK(read > 1000 && read < 19000 && touched > 0);
}
