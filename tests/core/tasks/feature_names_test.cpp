// SPDX-License-Identifier: Apache-2.0
// The table of feature names against a plain map, over names of all lengths that share beginnings and ends.
#include "core/tasks/sequence/feature_names.hpp"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/core/check.hpp"

using namespace accord::tasks;

namespace {

// Names with what must be readable before them: other bytes for each, which must not matter.
class Names {
 public:
  explicit Names(const std::vector<std::string>& texts, std::mt19937& random) {
    for (const std::string& text : texts) {
      std::string lead(FeatureNames::lead, ' ');
      for (char& byte : lead) byte = static_cast<char>(random());
      memory_.push_back(lead + text);
    }
  }

  std::vector<FeatureNames::Hashed> hashed(const FeatureNames& table) const {
    std::vector<FeatureNames::Hashed> found;
    for (const std::string& one : memory_) found.push_back(table.hashed(std::string_view(one).substr(FeatureNames::lead)));
    return found;
  }

 private:
  std::vector<std::string> memory_;
};

// Few letters, NUL among them, so that names differ in their length, their first byte or their last one alone.
std::string random_name(std::mt19937& random) {
  const size_t length = random() % 4 == 0 ? random() % 90 : random() % 30;
  std::string name(length, 'a');
  for (size_t changes = random() % 3; changes > 0 && length > 0; --changes) name[random() % length] = "ab\0"[random() % 3];
  return name;
}

std::vector<std::string> random_names(std::mt19937& random, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(random_name(random));
  return names;
}

}  // namespace

TEST("numbers follow the order in which names came first") {
  std::mt19937 random(1);
  FeatureNames table;
  std::map<std::string, int32_t> numbers;
  for (int round = 0; round < 40; ++round) {
    const std::vector<std::string> texts = random_names(random, random() % 300);
    std::vector<int32_t> found(texts.size());
    table.add(Names(texts, random).hashed(table), found.data());
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto known = numbers.emplace(texts[i], static_cast<int32_t>(numbers.size())).first;
      CHECK(found[i] == known->second);
    }
    CHECK(table.size() == numbers.size());
  }
  for (const auto& [name, number] : numbers) CHECK(table.name(static_cast<size_t>(number)) == name);
}

TEST("names that were not added are unknown") {
  std::mt19937 random(2);
  FeatureNames table;
  std::map<std::string, int32_t> numbers;
  const std::vector<std::string> some = random_names(random, 500), others = random_names(random, 2000);
  std::vector<int32_t> found(some.size());
  table.add(Names(some, random).hashed(table), found.data());
  for (size_t i = 0; i < some.size(); ++i) numbers.emplace(some[i], found[i]);
  found.resize(others.size());
  table.find(Names(others, random).hashed(table), found.data());
  size_t unknown = 0;
  for (size_t i = 0; i < others.size(); ++i) {
    const auto known = numbers.find(others[i]);
    CHECK(found[i] == (known == numbers.end() ? FeatureNames::unknown : known->second));
    unknown += found[i] == FeatureNames::unknown;
  }
  CHECK(unknown > 0 && unknown < others.size());
}
