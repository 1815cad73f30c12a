// SPDX-License-Identifier: Apache-2.0
// The lemmatizer and what it is made of, against plain counting over random small treebanks.
#include "core/tasks/lemmas/model.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "core/tasks/lemmas/inventory.hpp"
#include "core/tasks/lemmas/trainer.hpp"
#include "core/text/characters.hpp"
#include "core/text/lexicons/bloom.hpp"
#include "core/text/lexicons/dictionary.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

struct Row {
  std::string form, upos, xpos, lemma;
};

text::Document document_of(const std::vector<Row>& rows) {
  std::string bytes;
  int id = 0;
  for (const Row& row : rows)
    bytes += std::to_string(++id) + "\t" + row.form + "\t" + row.lemma + "\t" + row.upos + "\t" + row.xpos + "\t_\t_\t_\t_\t_\n";
  return text::Document::parse(bytes + "\n");
}

// Words of few letters, so that many share endings, rules and forms.
std::vector<Row> random_rows(std::mt19937& random, int count) {
  static const std::vector<std::string> stems = {"a",
                                                 "b",
                                                 "ab",
                                                 "ba",
                                                 "aba",
                                                 "Ab",
                                                 "B",
                                                 "\xC3\xA9"
                                                 "a"},
                                        forms = {"", "s", "ed", "es", "x"}, lemmas = {"", "", "e", "y"}, tags = {"N", "V"},
                                        fine = {"_", "1", "2"};
  const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    const std::string stem = pick(stems);
    rows.push_back({stem + pick(forms), pick(tags), pick(fine), random() % 9 == 0 ? "_" : text::lower_case(stem) + pick(lemmas)});
  }
  return rows;
}

struct Model {
  TrainedLemmatizer trained;
  std::vector<int16_t> weights;
  Lemmatizer lemmatizer;  // reads the two

  explicit Model(const text::Document& document, LemmatizerSettings settings = {3, 12, 0.2, 1})
      : trained(train_lemmatizer(document, settings)),
        lemmatizer(trained.rules, tables()) {}

  LemmatizerTables tables() {
    weights.resize(trained.weights.values.size() / 2);
    for (size_t i = 0; i < weights.size(); ++i)
      weights[i] = static_cast<int16_t>(static_cast<uint16_t>(trained.weights.values[2 * i] | trained.weights.values[2 * i + 1] << 8));
    return {trained.lexicon.view(),
            trained.endings.view(),
            trained.candidates,
            trained.known,
            {text::TableKind::hash, trained.weights.bits, 1, 1.0f, weights, {}}};
  }
};

// The rules of most types first; of equally many in the order of their numbers.
std::vector<std::string> ranked(const std::map<std::string, int>& counts, const std::vector<std::string>& numbering, size_t most) {
  std::vector<std::string> order;
  for (const std::string& rule : numbering)
    if (counts.contains(rule)) order.push_back(rule);
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) { return counts.at(a) > counts.at(b); });
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace

TEST("a dictionary holds what was put in and nothing else") {
  std::mt19937_64 random(1);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{13}, size_t{1000}}) {
    std::map<uint64_t, uint16_t> expected;
    while (expected.size() < count) expected[random()] = static_cast<uint16_t>(random());
    const std::vector<std::pair<uint64_t, uint16_t>> entries(expected.begin(), expected.end());
    const text::Dictionary<uint16_t> made = text::make_dictionary<uint16_t>(entries);
    made.view().check();
    for (const auto& [key, value] : expected) CHECK(made.values[static_cast<size_t>(made.view().row(key))] == value);
    for (int i = 0; i < 1000; ++i)
      if (const uint64_t key = random(); !expected.contains(key)) CHECK(made.view().row(key) == -1);
  }
}

TEST("a Bloom filter finds what was put in and little else") {
  std::mt19937_64 random(2);
  std::vector<uint64_t> keys(5000);
  for (uint64_t& key : keys) key = random();
  const std::vector<uint64_t> words = text::BloomFilter::make(keys);
  const text::BloomFilter filter(words);
  CHECK(std::all_of(keys.begin(), keys.end(), [&](uint64_t key) { return filter.holds(key); }));
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) wrong += filter.holds(random());
  CHECK(wrong < 300);
  CHECK(!text::BloomFilter(text::BloomFilter::make({})).holds(1) && check::throws([] { text::BloomFilter(std::span<const uint64_t>()); }));
}

TEST("a word of the training text has the lemma it has there most often, with its tags") {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    const std::vector<Row> rows = random_rows(random, 40);
    const text::Document document = document_of(rows);
    const std::vector<std::string> lemmas = Model(document).lemmatizer.lemmatize(document, 1);
    for (size_t i = 0; i < rows.size(); ++i) {
      std::map<std::string, int> counts;
      for (const Row& row : rows)
        if (row.form == rows[i].form && row.upos == rows[i].upos && row.xpos == rows[i].xpos) ++counts[row.lemma];
      const int most = std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; })->second;
      CHECK(counts.contains(lemmas[i]) && counts.at(lemmas[i]) == most);
    }
  }
}

TEST("candidates are the rules of the word's endings, as counted by hand") {
  std::mt19937 random(4);
  for (int round = 0; round < 30; ++round) {
    const text::Document document = document_of(random_rows(random, 60));
    const LemmaInventory inventory(document);
    const auto [endings, candidates] = inventory.endings();
    const LemmaRules rules(inventory.rules(), endings.view(), candidates);
    std::map<std::string, int> types_of_rule;
    for (const LemmaType& type : inventory.types()) ++types_of_rule[inventory.rules()[type.rule]];
    const std::vector<Row> queries = random_rows(random, 20);
    for (const Row& query : queries) {
      const std::string upos = random() % 8 == 0 ? "Z" : query.upos;
      LemmaFeatures features;
      features.prepare({query.form, "_", upos, query.xpos, "_"});
      std::vector<LemmaCandidate> found;
      rules.find(features, found);

      std::vector<std::pair<std::string, std::string>> expected;  // rule, lemma
      std::set<std::string> taken;
      const auto add = [&](const std::map<std::string, int>& counts) {
        for (const std::string& rule : ranked(counts, inventory.rules(), 12)) {
          const std::optional<std::string> lemma = text::apply_lemma_rule(rule, query.form);
          if (lemma && !lemma->empty() && expected.size() < most_candidates && taken.insert(rule).second)
            expected.emplace_back(rule, *lemma);
        }
      };
      const std::string lowered = text::lower_case(query.form);
      std::string_view last = "none";
      for (int length = 6; length >= 0; --length) {
        const std::string_view ending = text::suffix(lowered, length);
        if (ending == last) continue;
        last = ending;
        std::map<std::string, int> counts;
        int total = 0;
        for (const LemmaType& type : inventory.types())
          if (type.upos == upos && type.lowered.ends_with(ending) && types_of_rule[inventory.rules()[type.rule]] > 1)
            ++counts[inventory.rules()[type.rule]], ++total;
        if (length == 0 || total > 1) add(counts);
      }
      if (expected.empty()) add(types_of_rule);
      CHECK(found.size() == expected.size());
      for (size_t c = 0; c < std::min(found.size(), expected.size()); ++c)
        CHECK(inventory.rules()[found[c].rule] == expected[c].first && found[c].lemma == expected[c].second);
    }
  }
}

TEST("a lemma is known to others when another form has it") {
  std::mt19937 random(5);
  const std::vector<Row> rows = random_rows(random, 60);
  const text::Document document = document_of(rows);
  const LemmaInventory inventory(document);
  const std::vector<uint64_t> words = inventory.known();
  const text::BloomFilter known(words);
  for (const LemmaType& type : inventory.types()) {
    CHECK(known.holds(known_lemma_key(type.lemma, type.upos)));
    std::set<std::string> forms;
    for (const LemmaType& other : inventory.types())
      if (other.lemma == type.lemma && other.upos == type.upos) forms.insert(other.lowered);
    CHECK(inventory.known_by_others(type, type.lemma) == (forms.size() > 1));
    CHECK(!inventory.known_by_others(type, "never"));
  }
}

TEST("a word that the lexicon does not hold takes the first of its best candidates") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    Model model(document_of(random_rows(random, 60)));
    const LemmatizerTables tables = model.tables();
    const LemmaRules rules(model.trained.rules, tables.endings, tables.candidates);
    const text::BloomFilter known(tables.known);
    for (Row row : random_rows(random, 20)) {
      row.form = "zz" + row.form;  // in no text
      const text::Document asked = document_of({row});
      std::vector<text::Token> words;
      asked.tokens(0, words);
      LemmaFeatures features;
      features.prepare(words[0]);
      std::vector<LemmaCandidate> candidates;
      rules.find(features, candidates);
      std::string best = row.form;
      long highest = 0;
      for (size_t c = 0; c < candidates.size(); ++c) {
        long score = 0;
        const bool seen = known.holds(known_lemma_key(candidates[c].lemma, row.upos));
        for (const uint64_t key : features.keys(rules.key(candidates[c].rule), candidates[c].lemma, seen))
          score += model.weights[key >> 52];
        if (c == 0 || score > highest) highest = score, best = candidates[c].lemma;
      }
      CHECK(model.lemmatizer.lemmatize(asked, 1)[0] == best);
    }
  }
}

TEST("new words are inflected like those of the training text") {
  std::vector<Row> rows;
  for (const char* stem : {"cat", "dog", "bird", "car", "tree", "hand", "book"}) {
    rows.push_back({std::string(stem) + "s", "NOUN", "_", stem});
    rows.push_back({stem, "NOUN", "_", stem});
  }
  for (const char* stem : {"fl", "tr", "cr", "spr", "sk"})
    rows.push_back({std::string(stem) + "ies", "NOUN", "_", std::string(stem) + "y"});
  for (const char* verb : {"walk", "talk", "jump", "kick"}) rows.push_back({std::string(verb) + "ed", "VERB", "_", verb});
  rows.push_back({"went", "VERB", "_", "go"});
  Model model(document_of(rows));
  const text::Document asked = document_of({{"lamps", "NOUN", "_", "_"},
                                            {"Lamps", "NOUN", "_", "_"},
                                            {"berries", "NOUN", "_", "_"},
                                            {"barked", "VERB", "_", "_"},
                                            {"Went", "VERB", "_", "_"},
                                            {"roads", "X", "_", "_"}});
  const std::vector<std::string> lemmas = model.lemmatizer.lemmatize(asked, 2);
  CHECK(lemmas[0] == "lamp" && lemmas[1] == "lamp" && lemmas[2] == "berry" && lemmas[3] == "bark" && lemmas[4] == "go");
  CHECK(!lemmas[5].empty());
}

TEST("a treebank without lemmas stays without") {
  Model model(document_of({{"a", "N", "_", "_"}, {"b", "V", "1", "_"}, {"c", "N", "_", "_"}}));
  for (const std::string& lemma : model.lemmatizer.lemmatize(document_of({{"a", "N", "_", "x"}, {"new", "X", "2", "x"}}), 1))
    CHECK(lemma == "_");
}

TEST("the same text and seed give the same model, and threads change nothing") {
  std::mt19937 random(6);
  const text::Document document = document_of(random_rows(random, 80)), asked = document_of(random_rows(random, 80));
  Model one(document), two(document), other(document, {3, 12, 0.2, 2});
  CHECK(one.trained.weights.values == two.trained.weights.values && one.trained.rules == two.trained.rules);
  CHECK(one.trained.weights.values != other.trained.weights.values);
  CHECK(one.lemmatizer.lemmatize(asked, 1) == two.lemmatizer.lemmatize(asked, 3));
}

TEST("tables that do not fit together are refused") {
  Model model(document_of({{"as", "N", "_", "a"}, {"bs", "N", "_", "b"}, {"went", "V", "_", "go"}}));
  const std::vector<std::string> fewer(model.trained.rules.begin(), model.trained.rules.begin() + 1), broken{"lower/0//"};
  const std::vector<uint16_t> foreign(model.trained.candidates.size(), 999);
  LemmatizerTables tables = model.tables();
  CHECK(check::throws([&] { Lemmatizer(fewer, tables); }) && check::throws([&] { Lemmatizer(broken, tables); }) &&
        check::throws([&] { Lemmatizer({}, tables); }));
  tables.candidates = foreign;
  CHECK(check::throws([&] { Lemmatizer(model.trained.rules, tables); }));
  tables.candidates = {};
  CHECK(check::throws([&] { Lemmatizer(model.trained.rules, tables); }));
  tables = model.tables();
  tables.weights.bits = 5;
  CHECK(check::throws([&] { Lemmatizer(model.trained.rules, tables); }));
  CHECK(check::throws([] { train_lemmatizer(text::Document::parse(""), {1, 12, 0.2, 1}); }));
  CHECK(check::throws([&] { train_lemmatizer(document_of({{"a", "N", "_", "a"}}), {1, 99, 0.2, 1}); }));
}
