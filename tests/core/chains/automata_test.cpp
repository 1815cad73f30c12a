// SPDX-License-Identifier: Apache-2.0
// Label schemes: the sequences an automaton accepts are exactly the encodings of all segmentations.
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/chains/automata.hpp"
#include "core/chains/chain.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {

using Words = std::vector<std::string>;

struct Segment {
  int length;
  std::string type;  // empty: outside (length 1)
};

// The labels of a segment, given the type of the one just before it.
using Encode = std::function<Words(const Segment&, const std::string& before)>;

Words tail(const std::string& type, const Words& letters) {
  Words labels;
  for (const std::string& letter : letters) labels.push_back(type == "-" ? letter : letter + "-" + type);
  return labels;
}

Words begin_inside_end(const Segment& s, const char* inside, const char* end, const char* single) {
  if (s.type.empty()) return {"O"};
  if (s.length == 1) return tail(s.type, {single});
  Words letters{"B"};
  for (int i = 1; i < s.length - 1; ++i) letters.push_back(inside);
  letters.push_back(end);
  return tail(s.type, letters);
}

Words six(const Segment& s) {
  if (s.length == 1) return tail(s.type, {"S"});
  const char* order[] = {"B", "C", "D", "M"};
  Words letters;
  for (int i = 0; i < s.length - 1; ++i) letters.push_back(order[i < 3 ? i : 3]);
  letters.push_back("E");
  return tail(s.type, letters);
}

std::set<Words> encodings(int length, const Words& types, bool outside, const Encode& encode) {
  std::set<Words> all;
  std::function<void(int, Words, std::string)> go = [&](int left, const Words& done, const std::string& before) {
    if (left == 0) {
      all.insert(done);
      return;
    }
    const auto add = [&](const Segment& segment) {
      Words more = done;
      for (const std::string& label : encode(segment, before)) more.push_back(label);
      go(left - segment.length, more, segment.type);
    };
    if (outside) add({1, ""});
    for (int size = 1; size <= left; ++size)
      for (const std::string& type : types) add({size, type});
  };
  go(length, {}, "");
  return all;
}

void check_scheme(const std::string& scheme, const Words& labels, const Words& types, bool outside, const Encode& encode) {
  const LabelAutomaton automaton = label_automaton(scheme, labels);
  for (int length = 1; length <= 5; ++length) {
    std::set<Words> accepted;
    std::vector<int> y(static_cast<size_t>(length), 0);
    for (;;) {
      if (automaton.accepts(y)) {
        Words words;
        for (const int label : y) words.push_back(labels[static_cast<size_t>(label)]);
        accepted.insert(words);
      }
      size_t i = 0;
      while (i < y.size() && ++y[i] == automaton.labels) y[i++] = 0;
      if (i == y.size()) break;
    }
    CHECK(accepted == encodings(length, types, outside, encode));
  }
}

}  // namespace

TEST("every scheme accepts the encodings of segmentations and nothing else") {
  const Words two{"X", "Y"}, plain{"-"};
  const Words bio{"B-X", "I-X", "B-Y", "I-Y", "O"};
  const Encode iob2 = [](const Segment& s, const std::string&) { return begin_inside_end(s, "I", "I", "B"); };
  check_scheme("BIO", bio, two, true, iob2);
  check_scheme("IOB2", {"O", "I-Y", "B-Y", "I-X", "B-X"}, two, true, iob2);
  check_scheme("IOB1", bio, two, true, [](const Segment& s, const std::string& before) {
    if (s.type.empty()) return Words{"O"};
    Words letters{before == s.type ? "B" : "I"};
    for (int i = 1; i < s.length; ++i) letters.push_back("I");
    return tail(s.type, letters);
  });
  check_scheme("BIOES", {"B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y", "O"}, two, true,
               [](const Segment& s, const std::string&) { return begin_inside_end(s, "I", "E", "S"); });
  check_scheme("BIOES", {"B-X", "M-X", "E-X", "S-X", "O"}, {"X"}, true,
               [](const Segment& s, const std::string&) { return begin_inside_end(s, "M", "E", "S"); });
  check_scheme("BMES", {"B", "M", "E", "S"}, plain, false,
               [](const Segment& s, const std::string&) { return begin_inside_end(s, "M", "E", "S"); });
  check_scheme("BMEWO", {"B-X", "M-X", "E-X", "W-X", "O"}, {"X"}, true,
               [](const Segment& s, const std::string&) { return begin_inside_end(s, "M", "E", "W"); });
  check_scheme("BI", {"B", "I"}, plain, false, [](const Segment& s, const std::string&) { return begin_inside_end(s, "I", "I", "B"); });
  check_scheme("BIO-single", {"B", "I", "O"}, plain, false,
               [](const Segment& s, const std::string&) { return begin_inside_end(s, "I", "I", "O"); });
  check_scheme("BCDMES", {"B", "C", "D", "M", "E", "S"}, plain, false, [](const Segment& s, const std::string&) { return six(s); });
  check_scheme("BCDMES", {"B-X", "C-X", "D-X", "M-X", "E-X", "S-X"}, {"X"}, false,
               [](const Segment& s, const std::string&) { return six(s); });
}

TEST("wrong schemes and labels are refused") {
  CHECK(check::throws([] { label_automaton("BOI", Words{"B"}); }));
  CHECK(check::throws([] { label_automaton("BIO", Words{"B-X", "E-X"}); }));
  CHECK(check::throws([] { label_automaton("BIO", Words{"O-X"}); }));
  CHECK(check::throws([] { label_automaton("BIO", Words{"B-"}); }));
  CHECK(check::throws([] { label_automaton("BIO", Words{"BX"}); }));
  CHECK(check::throws([] { label_automaton("BIO", Words{""}); }));
  CHECK(check::throws([] { label_automaton("BIO", Words{"O", "O"}); }));
  CHECK(scheme_names().size() == 9);
}

TEST("masks forbid pairs, ends, all but known labels and all but allowed ones") {
  const LabelAutomaton automaton = label_automaton("BMES", Words{"B", "M", "E", "S"});
  std::vector<double> pairs(16, 1.0), unary(12, 1.0);
  automaton.mask_pairs(pairs);
  automaton.mask_ends(unary);
  for (int label = 0; label < 4; ++label)
    for (int next = 0; next < 4; ++next) CHECK((pairs[static_cast<size_t>(label * 4 + next)] == 1.0) == automaton.may_follow(label, next));
  CHECK((unary == std::vector<double>{1, forbidden, forbidden, 1, 1, 1, 1, 1, forbidden, forbidden, 1, 1}));
  std::vector<double> ragged(5, 0.0);
  const std::vector<int> sizes{2, 3};
  force_labels(std::vector<int>{-1, 1}, sizes, ragged);
  CHECK((ragged == std::vector<double>{0, 0, forbidden, 0, forbidden}));
  allow_labels(std::vector<char>{1, 0, 1, 1, 1}, ragged);
  CHECK((ragged == std::vector<double>{0, forbidden, forbidden, 0, forbidden}));
  CHECK(check::throws([&] { force_labels(std::vector<int>{2, -1}, sizes, ragged); }));
}
