// SPDX-License-Identifier: Apache-2.0
// Feature keys against plain strings: two features have the same key exactly when they are the same string.
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "core/text/characters.hpp"
#include "core/text/checksum.hpp"
#include "core/text/features/features.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

const char* const templates_text = R"(
# a comment
[other]
head.upos
[arc]
with: - ; direction ; direction distance
head.form
dependent.upos dependent-1.upos
head.upos dependent.upos head+1.form
head.suffix2 dependent.prefix1 head.shape
with: direction
between.upos head.upos
between.upos between.form dependent.upos
head.feats dependent.feats
dependent.feats dependent.upos
count(upos=V) head.upos dependent.upos
)";

struct Row {
  std::string form, lemma, upos, xpos, feats;
};

std::vector<Row> random_rows(std::mt19937& random, int words) {
  const auto pick = [&](std::vector<std::string> from) { return from[random() % from.size()]; };
  std::vector<Row> rows;
  for (int i = 0; i < words; ++i)
    rows.push_back({pick({"a", "Bo", "cat", "d1", "été"}), pick({"a", "b", "_"}), pick({"N", "V", "D"}), pick({"n", "v"}),
                    pick({"_", "x=1", "x=1|y=2", "y=3"})});
  return rows;
}

std::vector<Token> tokens_of(const std::vector<Row>& rows) {
  std::vector<Token> tokens;
  for (const Row& row : rows) tokens.push_back({row.form, row.lemma, row.upos, row.xpos, row.feats});
  return tokens;
}

std::string attribute_text(const Row& row, const Attribute& attribute) {
  switch (attribute.kind) {
    case Attribute::Kind::form:
      return row.form;
    case Attribute::Kind::upos:
      return row.upos;
    case Attribute::Kind::suffix:
      return std::string(suffix(row.form, attribute.size));
    case Attribute::Kind::prefix:
      return std::string(prefix(row.form, attribute.size));
    case Attribute::Kind::shape:
      return shape(row.form);
    default:
      return "?";
  }
}

// Every value of a unit at a position, as text; the plain meaning of the template language.
std::vector<std::string> unit_texts(const std::vector<Row>& rows, const TemplateSet& set, const Unit& unit, int position) {
  const int at = position + unit.offset, words = static_cast<int>(rows.size());
  const Attribute& attribute = set.attributes[static_cast<size_t>(unit.attribute)];
  if (attribute.many()) {
    std::vector<std::string> values;
    if (at < 1 || at > words || rows[static_cast<size_t>(at) - 1].feats == "_") return values;
    std::string rest = rows[static_cast<size_t>(at) - 1].feats;
    for (size_t bar; (bar = rest.find('|')) != std::string::npos; rest = rest.substr(bar + 1)) values.push_back(rest.substr(0, bar));
    values.push_back(rest);
    return values;
  }
  if (at < 0) return {"<before>"};
  if (at == 0) return {"<root>"};
  if (at > words) return {"<after>"};
  return {attribute_text(rows[static_cast<size_t>(at) - 1], attribute)};
}

void multiply(std::vector<std::string>& features, const std::vector<std::string>& values) {
  std::vector<std::string> product;
  for (const std::string& feature : features)
    for (const std::string& value : values) product.push_back(feature + "\t" + value);
  features = product;
}

std::vector<std::string> naive_features(const std::vector<Row>& rows, const TemplateSet& set, int head, int dependent) {
  std::vector<std::string> all;
  const int low = std::min(head, dependent), high = std::max(head, dependent);
  for (const Template& t : set.templates) {
    std::vector<std::string> features = {t.text};
    for (const Unit& unit : t.anchors[0]) multiply(features, unit_texts(rows, set, unit, head));
    for (const Unit& unit : t.anchors[1]) multiply(features, unit_texts(rows, set, unit, dependent));
    for (const PairUnit& unit : set.signatures[static_cast<size_t>(t.signature)]) {
      int value = head < dependent;
      if (unit.kind == PairUnit::Kind::distance) value = distance_bucket(high - low);
      if (unit.kind == PairUnit::Kind::count) {
        value = 0;
        for (int b = low + 1; b < high; ++b) value += rows[static_cast<size_t>(b) - 1].upos == "V";
        value = std::min(value, 2);
      }
      multiply(features, {std::to_string(value)});
    }
    if (!t.between.empty()) {
      std::set<std::string> values;
      for (int b = low + 1; b < high; ++b) {
        std::string value;
        for (const Unit& unit : t.between) value += "|" + unit_texts(rows, set, unit, b)[0];
        values.insert(value);
      }
      multiply(features, {values.begin(), values.end()});
    }
    all.insert(all.end(), features.begin(), features.end());
  }
  return all;
}

}  // namespace

TEST("a key stands for one feature string and no other") {
  std::vector<Attribute> attributes;
  const TemplateSet all = TemplateSet::compile(templates_text, "arc", {"head", "dependent"}, attributes);
  CHECK(all.templates.size() == 4 * 3 + 5);
  std::set<uint64_t> every_key;
  size_t distinct_strings = 0;
  for (const Template& pattern : all.templates) {
    // One template at a time: then the features of a part are a small set, and the sets must match part by part.
    std::vector<Attribute> own;
    const TemplateSet set = TemplateSet::compile("[arc]\n" + pattern.text, "arc", {"head", "dependent"}, own);
    std::map<std::multiset<std::string>, std::multiset<uint64_t>> keys_of;
    std::set<std::string> strings_seen;
    std::set<uint64_t> keys_seen;
    std::mt19937 random(7);
    PartFeatures features;
    for (int round = 0; round < 40; ++round) {
      const std::vector<Row> rows = random_rows(random, 1 + static_cast<int>(random() % 9));
      const AtomTable atoms(tokens_of(rows), own, {});
      features.prepare(set, atoms);
      const int words = static_cast<int>(rows.size());
      for (int head = 0; head <= words; ++head) {
        for (int dependent = 1; dependent <= words; ++dependent) {
          if (head == dependent) continue;
          const int positions[] = {head, dependent};
          const std::span<const uint64_t> keys = features.keys(positions);
          const std::vector<std::string> strings = naive_features(rows, set, head, dependent);
          strings_seen.insert(strings.begin(), strings.end());
          keys_seen.insert(keys.begin(), keys.end());
          const std::multiset<uint64_t> found(keys.begin(), keys.end());
          const auto [known, fresh] = keys_of.emplace(std::multiset<std::string>(strings.begin(), strings.end()), found);
          CHECK(fresh || known->second == found);
          CHECK(keys.size() == strings.size());
        }
      }
    }
    CHECK(strings_seen.size() == keys_seen.size());
    distinct_strings += strings_seen.size();
    every_key.insert(keys_seen.begin(), keys_seen.end());
  }
  CHECK(every_key.size() == distinct_strings);  // and no template takes another's keys
  CHECK(distinct_strings > 1000);
}

TEST("the number of features of a part is that of its strings, and equal parts have equal keys") {
  std::vector<Attribute> attributes;
  const TemplateSet set = TemplateSet::compile(templates_text, "arc", {"head", "dependent"}, attributes);
  std::mt19937 random(3);
  const std::vector<Row> rows = random_rows(random, 12);
  const AtomTable atoms(tokens_of(rows), attributes, {});
  PartFeatures first, second;
  first.prepare(set, atoms);
  second.prepare(set, atoms);
  const int forward[] = {2, 9};
  const std::vector<uint64_t> keys(first.keys(forward).begin(), first.keys(forward).end());
  CHECK(std::set<uint64_t>(keys.begin(), keys.end()).size() == keys.size());
  const std::span<const uint64_t> again = second.keys(forward);
  CHECK(std::equal(keys.begin(), keys.end(), again.begin(), again.end()));
}

TEST("a broken template names its line") {
  std::vector<Attribute> attributes;
  for (const char* bad : {"[arc]\nhead.colour", "[arc]\nheed.form", "[arc]\nhead+10.form", "[arc]\nform", "[arc]\nbetween.feats",
                          "[arc]\nhead.form head.form", "[arc]\nwith:", "[arc]\ncount(upos)"}) {
    std::string message;
    try {
      TemplateSet::compile(bad, "arc", {"head", "dependent"}, attributes);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    CHECK(message.starts_with("line 2: "));
  }
}

TEST("characters: lower case, shape, prefix and suffix count code points") {
  CHECK(lower_case(std::string_view("ÀÉŁΣЖ-Az")) == "àéłσж-az");
  CHECK(shape("McDonald's 2024") == "XxXxx'x dd");
  CHECK(prefix("été", 2) == "ét" && suffix("été", 2) == "té" && suffix("é", 3) == "é" && prefix("", 2).empty());
  CHECK(lower_case(0x130u) == 'i' && lower_case(0x4E2Du) == 0x4E2Du);
}

TEST("a checksum notices any changed byte") {
  std::vector<uint8_t> bytes(77, 5);
  const uint64_t before = checksum(bytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] ^= 1;
    CHECK(checksum(bytes) != before);
    bytes[i] ^= 1;
  }
  CHECK(checksum(bytes) == before);
  CHECK(checksum(std::span(bytes).first(76)) != before);
}
