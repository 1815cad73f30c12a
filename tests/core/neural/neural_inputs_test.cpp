// SPDX-License-Identifier: Apache-2.0
// What a network reads of words: rows of dictionaries and hashes, characters, counts; against plain searches.
#include "core/neural/inputs.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/core/check.hpp"
#include "tests/core/neural/small_networks.hpp"

using namespace accord;
using namespace accord::neural;
using Bad = std::invalid_argument;

namespace {

using Numbers = std::vector<int32_t>;

Numbers at(const Bags& bags, size_t position) {
  return {bags.numbers.begin() + static_cast<std::ptrdiff_t>(bags.offsets[position]),
          bags.numbers.begin() + static_cast<std::ptrdiff_t>(bags.offsets[position + 1])};
}

WordInputs read(const InputReader& reader, const text::Document& document, std::vector<size_t> sentences) {
  WordInputs out;
  reader.read(document, sentences, out);
  return out;
}

std::string repeated(const std::string& piece, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += piece;
  return out;
}

const text::Document known = networks::document("The:DET cat:NOUN saw:VERB | cat:NOUN dog:NOUN | Zürich:NOUN");
const std::vector<text::Attribute> attributes = {networks::attribute("lower"), networks::attribute("suffix2"), networks::attribute("upos"),
                                                 networks::attribute("feats")};

}  // namespace

TEST("a value's row is its place among the keys, 0 where it is none of them; roots read nothing") {
  std::vector<InputField> fields;
  const auto counted = count_values(known, attributes, {});
  for (size_t f = 0; f < attributes.size(); ++f) {
    fields.push_back({attributes[f], counted[f].values, 1});
    fields.back().keys.erase(fields.back().keys.begin());  // something is unknown
  }
  const InputReader reader(fields, {}, {});
  const text::Document other = networks::document("dog:NOUN the:X saw:VERB cat:DET | unheard:NOUN | x:Y");
  size_t unknown = 0, found = 0;
  for (const text::Document* document : {&known, &other}) {
    const std::vector<size_t> order = {2, 0, 1, 0};
    const WordInputs inputs = read(reader, *document, order);
    size_t position = 0;
    for (size_t s = 0; s < order.size(); ++s) {
      std::vector<text::Token> tokens;
      document->tokens(order[s], tokens);
      CHECK(inputs.lengths[s] == static_cast<int>(tokens.size()) + 1);
      const text::AtomTable atoms(tokens, attributes, {});
      for (size_t f = 0; f < fields.size(); ++f) {
        CHECK(at(inputs.fields[f], position).empty());
        for (int word = 1; word <= atoms.words(); ++word) {
          std::vector<uint64_t> values = {};
          if (f == 3) values.assign(atoms.many(3, word).begin(), atoms.many(3, word).end());
          else values.push_back(atoms.at(static_cast<int>(f), word));
          Numbers rows;
          for (const uint64_t value : values) {
            const auto place = std::find(fields[f].keys.begin(), fields[f].keys.end(), value);
            rows.push_back(place == fields[f].keys.end() ? 0 : static_cast<int32_t>(place - fields[f].keys.begin()) + 1);
            ++(rows.back() == 0 ? unknown : found);
          }
          CHECK(at(inputs.fields[f], position + static_cast<size_t>(word)) == rows);
        }
      }
      CHECK(at(inputs.characters, position).empty());
      position += tokens.size() + 1;
    }
    CHECK(inputs.positions() == position && inputs.fields[0].offsets.size() == position + 1);
  }
  CHECK(unknown > 10 && found > 10);
  for (size_t f = 0; f < fields.size(); ++f) CHECK(reader.rows(f) == static_cast<int>(fields[f].keys.size()) + 1);
}

TEST("without keys values are hashed into all rows but the first, the same value into the same row") {
  std::string words;
  for (int i = 0; i < 300; ++i) words.append("w").append(std::to_string(i % 150)).append(" ");
  const text::Document document = networks::document(words);
  const InputReader reader({{attributes[0], {}, 20}, {attributes[0], {}, 1}}, {}, {});
  CHECK(reader.rows(0) == 20 && reader.rows(1) == 1);
  const WordInputs inputs = read(reader, document, {0});
  std::vector<int> used(20, 0);
  for (size_t word = 1; word <= 300; ++word) {
    const int32_t row = at(inputs.fields[0], word)[0];
    CHECK(row >= 1 && row < 20);
    ++used[static_cast<size_t>(row)];
    CHECK(at(inputs.fields[1], word) == Numbers{0});
    if (word > 150) CHECK(at(inputs.fields[0], word) == at(inputs.fields[0], word - 150));
  }
  CHECK(std::count(used.begin(), used.end(), 0) == 1);
}

TEST("clusters are read where they are given") {
  const text::ClusterLexicon clusters = text::ClusterLexicon::read("0101\tcat\n0110\tdog\n");
  const std::vector<text::Attribute> cluster = {networks::attribute("cluster"), networks::attribute("cluster2")};
  const auto counted = count_values(known, cluster, clusters);
  CHECK(counted[0].values.size() == 3 && counted[1].values.size() == 2);  // no path is a value too
  const InputReader reader({{cluster[0], counted[0].values, 1}, {cluster[1], counted[1].values, 1}}, {}, clusters);
  const WordInputs inputs = read(reader, known, {1});
  CHECK(at(inputs.fields[0], 1) != at(inputs.fields[0], 2) && at(inputs.fields[1], 1) == at(inputs.fields[1], 2));
}

TEST("characters stand between marks, unknown ones as such; of long words the first and the last are read") {
  const std::vector<uint32_t> alphabet = {'a', 'b', 'c', 0xfc, 0x732b};  // ü, 猫
  const InputReader reader({{attributes[0], {}, 1}}, alphabet, {});
  CHECK(reader.character_rows() == 8);
  const auto spelled = [&](const std::string& form) { return at(read(reader, networks::document(form), {0}).characters, 1); };
  CHECK((spelled("abc") == Numbers{1, 3, 4, 5, 2}));
  CHECK((spelled("aüz猫") == Numbers{1, 3, 6, 0, 7, 2}));
  for (const size_t length : {31, 32, 33, 40, 200, 5000}) {
    const size_t half = length / 2;
    const std::string first = repeated("a", half), last = repeated("ü", length - half);
    const Numbers found = spelled(first + last);
    Numbers expected = {1};
    const size_t kept = std::min<size_t>(length, 32);
    for (size_t i = 0; i < kept; ++i) {
      const size_t place = i < 16 || length <= 32 ? i : length - 32 + i;
      expected.push_back(place < half ? 3 : 6);
    }
    expected.push_back(2);
    CHECK(found == expected);
  }
}

TEST("what was read before does not matter") {
  const InputReader reader({{attributes[0], {}, 9}, {attributes[3], {}, 5}}, {'a', 'o'}, {});
  WordInputs reused;
  for (const std::vector<size_t>& sentences : std::vector<std::vector<size_t>>{{0, 1, 2}, {1}, {}, {2, 2}}) {
    reader.read(known, sentences, reused);
    const WordInputs fresh = read(reader, known, sentences);
    CHECK(reused.lengths == fresh.lengths && reused.characters.numbers == fresh.characters.numbers);
    CHECK(reused.characters.offsets == fresh.characters.offsets);
    for (size_t f = 0; f < 2; ++f)
      CHECK(reused.fields[f].numbers == fresh.fields[f].numbers && reused.fields[f].offsets == fresh.fields[f].offsets);
  }
}

TEST("values and characters are counted") {
  const auto counted = count_values(known, attributes, {});
  std::map<uint64_t, uint32_t> lower, feats;
  for (size_t s = 0; s < known.sentences(); ++s) {
    std::vector<text::Token> tokens;
    known.tokens(s, tokens);
    const text::AtomTable atoms(tokens, attributes, {});
    for (int word = 1; word <= atoms.words(); ++word) {
      ++lower[atoms.at(0, word)];
      for (const uint64_t value : atoms.many(3, word)) ++feats[value];
    }
  }
  for (const auto& [plain, made] : {std::pair(lower, counted[0]), std::pair(feats, counted[3])}) {
    CHECK(made.values.size() == plain.size() && made.counts.size() == plain.size());
    CHECK(std::is_sorted(made.values.begin(), made.values.end()));
    for (size_t i = 0; i < made.values.size(); ++i) CHECK(plain.at(made.values[i]) == made.counts[i]);
  }
  CHECK(lower.size() == 5 && feats.size() == 2 && feats.begin()->second == 4);
  const ValueCounts characters = count_characters(networks::document("aba | büa"));
  CHECK((characters.values == std::vector<uint64_t>{'a', 'b', 0xfc} && characters.counts == std::vector<uint32_t>{3, 2, 1}));
}

TEST("readers refuse keys and characters that are not in order, and fields without rows") {
  CHECK(check::throws<Bad>([] { InputReader({{attributes[0], {3, 2}, 1}}, {}, {}); }));
  CHECK(check::throws<Bad>([] { InputReader({{attributes[0], {}, 0}}, {}, {}); }));
  CHECK(check::throws<Bad>([] { InputReader({{attributes[0], {}, 1}}, {'b', 'a'}, {}); }));
  CHECK(!check::throws<Bad>([] { InputReader({{attributes[0], {2, 3}, 1}}, {'a', 'b'}, {}); }));
}
