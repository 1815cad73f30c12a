// SPDX-License-Identifier: Apache-2.0
// Patterns of words and arcs: what lines are refused, and what they match, against all choices of words one by one.
#include "core/text/patterns/patterns.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "core/tasks/scores/pattern_matches.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using parses::PartLayout;
using text::Pattern;

namespace {

// What the compiler says of a text; empty when it takes it.
std::string complaint(const std::string& text) {
  std::vector<text::Attribute> attributes;
  try {
    text::compile_patterns(text, attributes);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool complains(const std::string& text, const std::string& reason) { return complaint(text).find(reason) != std::string::npos; }

// A pattern as numbers: what is asked of words 0, 1, ..., of which word 0 may be the root.
struct Recipe {
  struct Arc {
    size_t head, dependent;
  };
  struct Test {
    size_t word;
    int attribute;  // 0 form, 1 lemma, 2 upos, 3 xpos, 4 a key of FEATS
    bool equal;
    std::vector<std::string> values;
    size_t other = 0;  // with no values: the word to agree with
  };
  struct Order {
    size_t first, second;
    int reach;  // 0: any
  };
  bool root = false;
  std::vector<Arc> arcs;
  std::vector<Test> tests;
  std::vector<Order> orders;

  size_t words() const { return arcs.size() + 1; }
  std::string name(size_t word) const { return root && word == 0 ? "ROOT" : std::string("w").append(std::to_string(word)); }
};

const char* const attribute_names[] = {"form", "lemma", "upos", "xpos", "Number"};

Recipe random_recipe(std::mt19937& random) {
  Recipe recipe;
  recipe.root = random() % 4 == 0;
  const size_t arcs = 2 + random() % 3;
  for (size_t word = 1; word <= arcs; ++word) recipe.arcs.push_back({random() % word, word});
  std::shuffle(recipe.arcs.begin(), recipe.arcs.end(), random);
  const auto any_word = [&] { return random() % (arcs + !recipe.root) + recipe.root; };
  for (size_t i = random() % 4; i > 0; --i) {
    Recipe::Test test{any_word(), static_cast<int>(random() % 5), random() % 3 != 0, {}};
    test.other = any_word();
    if (test.attribute == 4 || test.other == test.word || random() % 3 != 0) {
      test.values.push_back(std::string(1, "xyz"[random() % 3]));
      if (random() % 3 == 0) test.values.push_back(test.values[0] == "x" ? "y" : "x");
    }
    recipe.tests.push_back(test);
  }
  for (size_t i = random() % 3; i > 0; --i) {
    const size_t first = random() % (arcs + 1), second = random() % (arcs + 1);
    if (first != second) recipe.orders.push_back({first, second, static_cast<int>(random() % 3)});
  }
  return recipe;
}

std::string written(const Recipe& recipe, size_t number, std::mt19937& random) {
  std::string line = std::string("p").append(std::to_string(number)).append(":");
  const auto add = [&](const std::string& statement) { line.append(" ").append(statement).append(random() % 2 == 0 ? "," : " ;"); };
  for (const auto& [head, dependent] : recipe.arcs) add(recipe.name(head) + "->" + recipe.name(dependent));
  for (const Recipe::Test& test : recipe.tests) {
    std::string values = test.values.empty() ? recipe.name(test.other) + "." + attribute_names[test.attribute] : "";
    for (const std::string& value : test.values) {
      const char* const quote = random() % 2 == 0 ? "" : "'";
      values.append(values.empty() ? "" : "|").append(quote).append(value).append(quote);
    }
    add(recipe.name(test.word) + "." + attribute_names[test.attribute] + (test.equal ? " = " : " != ") + values);
  }
  for (const auto& [first, second, reach] : recipe.orders)
    add(recipe.name(first) + " <" + (reach > 0 ? std::to_string(reach) : "") + " " + recipe.name(second));
  return line + "  # 'no word' of it\n";
}

std::string value_of(const text::Token& token, int attribute) {
  const std::string_view values[] = {token.form, token.lemma, token.upos, token.xpos, token.feats.substr(token.feats.find('=') + 1)};
  const std::string value(values[attribute]);
  return attribute == 0 && value[0] < 'a' ? std::string(1, static_cast<char>(value[0] + 'a' - 'A')) : value;
}

bool matches(const Recipe& recipe, const std::vector<text::Token>& tokens, const std::vector<int>& places) {
  for (size_t i = 0; i < places.size(); ++i) {
    if ((places[i] == 0) != (recipe.root && i == 0)) return false;
    for (size_t j = 0; j < i; ++j)
      if (places[i] == places[j]) return false;
  }
  const auto value = [&](size_t word, int attribute) { return value_of(tokens[static_cast<size_t>(places[word]) - 1], attribute); };
  for (const Recipe::Test& test : recipe.tests) {
    const std::string found = value(test.word, test.attribute);
    const bool equal = test.values.empty() ? found == value(test.other, test.attribute)
                                           : std::find(test.values.begin(), test.values.end(), found) != test.values.end();
    if (equal != test.equal) return false;
  }
  return std::all_of(recipe.orders.begin(), recipe.orders.end(), [&](const Recipe::Order& order) {
    const int way = places[order.second] - places[order.first];
    return way > 0 && (order.reach == 0 || way <= order.reach);
  });
}

using Found = std::vector<std::vector<int32_t>>;  // the number of a pattern and its arcs

void enumerate(const Recipe& recipe, int32_t number, const std::vector<text::Token>& tokens, const PartLayout& layout, Found& found) {
  std::vector<int> places(recipe.words(), 0);
  while (true) {
    if (matches(recipe, tokens, places)) {
      std::vector<int32_t> match{number};
      for (const auto& [head, dependent] : recipe.arcs) match.push_back(layout.find(places[head], places[dependent]));
      if (std::find(match.begin(), match.end(), -1) == match.end()) found.push_back(match);
    }
    size_t word = 0;
    while (word < places.size() && ++places[word] > layout.words()) places[word++] = 0;
    if (word == places.size()) return;
  }
}

TEST("matches are all choices of words that meet the conditions and have candidate arcs") {
  std::mt19937 random(3);
  static const char* const forms[] = {"x", "Y", "z", "X"};
  static const char* const tags[] = {"x", "y", "z"};
  static const char* const feats[] = {"Number=x", "Number=y", "_"};
  size_t matched = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<Recipe> recipes(1 + random() % 3);
    std::string text = "\n  # patterns\n";
    for (size_t i = 0; i < recipes.size(); ++i) text += written(recipes[i] = random_recipe(random), i, random);
    std::vector<text::Attribute> attributes{{text::Attribute::Kind::shape}};
    const std::vector<Pattern> patterns = text::compile_patterns(text, attributes);
    const int words = 1 + static_cast<int>(random() % 6);
    std::vector<text::Token> tokens;
    for (int i = 0; i < words; ++i)
      tokens.push_back({forms[random() % 4], tags[random() % 3], tags[random() % 3], tags[random() % 3], feats[random() % 3]});
    PartLayout layout;
    layout.build(words, part_trees::random_arcs(words, random() % 2 == 0, random), {});
    const size_t before = layout.size();
    tasks::add_patterns(patterns, text::AtomTable(tokens, attributes, {}), layout);
    Found found, expected;
    for (size_t i = 0; i < layout.pattern_count(); ++i) {
      found.push_back({layout.pattern_number(layout.pattern_slot(i))});
      found.back().insert(found.back().end(), layout.pattern_arcs(i).begin(), layout.pattern_arcs(i).end());
      CHECK(layout.pattern_slot(i) == before + i);
    }
    for (size_t i = 0; i < recipes.size(); ++i) enumerate(recipes[i], static_cast<int32_t>(i), tokens, layout, expected);
    CHECK(layout.size() == before + found.size() && layout.families().pattern == !found.empty());
    matched += found.size();
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    if (expected.size() < tasks::most_matches) CHECK(found == expected);
    else CHECK(found.size() == tasks::most_matches);
  }
  CHECK(matched > 4000);
}

TEST("a search begins with the word of the fewest forms") {
  std::vector<text::Attribute> attributes;
  const std::string text = "p: a -> b -> c -> d; a.upos = X, b.form = one|two, c.upos = Y, d.lemma = three";
  const Pattern pattern = text::compile_patterns(text, attributes).front();
  CHECK(pattern.words[static_cast<size_t>(pattern.start)].name == "d");
  CHECK(pattern.steps.size() == 3 && pattern.steps[0].up && pattern.steps[0].arc == 2);
  CHECK(attributes.size() == 3);
}

TEST("patterns without bounds end all the same") {
  std::vector<text::Attribute> attributes;
  const std::string all = "all: a -> b, a -> c, a -> d, a -> e, a -> f, a -> g, a -> h, a -> i";
  const std::vector<Pattern> wild = text::compile_patterns(all, attributes);
  const std::vector<Pattern> vain = text::compile_patterns(all + "; b.upos != i.upos", attributes);
  const std::vector<text::Token> tokens(60, text::Token{"w", "w", "X", "X", "_"});
  std::vector<parses::CandidateArc> arcs;
  for (int32_t m = 1; m <= 60; ++m)
    for (int32_t h = 0; h <= 60; ++h)
      if (h != m) arcs.push_back({h, m});
  PartLayout layout;
  layout.build(60, arcs, {});
  tasks::add_patterns(wild, text::AtomTable(tokens, attributes, {}), layout);
  CHECK(layout.pattern_count() == tasks::most_matches);
  layout.build(60, arcs, {});
  CHECK(layout.pattern_count() == 0);
  tasks::add_patterns(vain, text::AtomTable(tokens, attributes, {}), layout);
  CHECK(layout.pattern_count() == 0);
}

TEST("values in quotes may be signs") {
  std::vector<text::Attribute> attributes;
  const auto patterns = text::compile_patterns("p: a -> b -> c; a.form = \",\"|';', b.xpos = '#', c.form = '\"' # the end", attributes);
  const std::vector<text::Token> tokens{{";", "_", "_", "_", "_"}, {"x", "_", "_", "#", "_"}, {"\"", "_", "_", "_", "_"}};
  PartLayout layout;
  layout.build(3, std::vector<parses::CandidateArc>{{0, 1}, {1, 2}, {2, 3}}, {});
  tasks::add_patterns(patterns, text::AtomTable(tokens, attributes, {}), layout);
  CHECK(layout.pattern_count() == 1);
}

TEST("a bad line is refused with its number and the reason") {
  CHECK(complaint("# nothing\n\n").empty());
  CHECK(complaint("p: a -> b -> c;").empty());
  CHECK(complaint("\n# one\np: a -> b\n") == "line 3: a pattern has 2 to 8 arcs, not 1");
  CHECK(complains("p: a->b->c->d->e->f->g->h->i->j", "2 to 8 arcs, not 9"));
  CHECK(complains("p a -> b", "expected ':'"));
  CHECK(complains(": a -> b", "expected a word before ': a -> b'"));
  CHECK(complains("p: a -> ", "something is missing at the end"));
  CHECK(complains("p: a b", "expected '->', '<' or '.' after 'a'"));
  CHECK(complains("p: a -> b -> c d", "expected ','"));
  CHECK(complains("p: a -> b, c -> b", "'b' has two heads"));
  CHECK(complains("p: a -> b -> c -> a", "the arcs go round in a circle"));
  CHECK(complains("p: a -> b, c -> d", "the arcs do not join all words"));
  CHECK(complains("p: a -> b -> ROOT", "ROOT has no head"));
  CHECK(complains("p: ROOT -> b -> c; ROOT.upos = X", "ROOT is no word"));
  CHECK(complains("p: a -> b -> c; d.upos = X", "'d' has no arc"));
  CHECK(complains("p: a -> b -> c; a < d", "'d' has no arc"));
  CHECK(complains("p: a -> b -> c; a <0 b", "must be 1 or more"));
  CHECK(complains("p: a -> b -> c; a <99999999999 b", "must be 1 or more"));
  CHECK(complains("p: a -> b -> c; a.colour = red", "unknown attribute 'colour'"));
  CHECK(complains("p: a -> b -> c; a.form red", "expected '=' or '!=' after 'a.form'"));
  CHECK(complains("p: a -> b -> c; a.form = ", "something is missing"));
  CHECK(complains("p: a -> b -> c; a.form = \"red", "a quote is not closed"));
  CHECK(complains("p: a -> b -> c; a.upos = b.xpos", "compared by one attribute"));
  CHECK(complains("p: a -> b -> c; a.Case = b.Case", "compared with values"));
  CHECK(complains("p: a -> b -> c\np: a -> b -> c", "line 2: there is a pattern 'p' already"));
  std::string many;
  for (size_t i = 0; i <= text::most_patterns; ++i) many.append("p").append(std::to_string(i)).append(": a -> b -> c\n");
  CHECK(complains(many, "line 257: there are more than 256 patterns"));
}

}  // namespace
