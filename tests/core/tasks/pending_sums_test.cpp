// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/scores/pending_sums.hpp"

#include <random>

#include "tests/core/check.hpp"

namespace {

using namespace accord;
using namespace accord::tasks;

// Sums of random keys, some of them none, each begun by several spans: the same as one by one.
template <typename Table>
void compare(const Table& table, std::mt19937_64& random) {
  for (const size_t count : {0, 1, 7, 8, 9, 40}) {
    PendingSums<Table> pending(table);
    std::vector<std::vector<uint64_t>> keys(count);
    std::vector<double> found(count, -1.0);
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < i % 5; ++k) keys[i].push_back(random());
      const size_t cut = keys[i].size() / 2;
      pending.append(std::span(keys[i]).first(cut));
      pending.append(std::span(keys[i]).subspan(cut));
      pending.end(0.5, found[i]);
    }
    pending.finish();
    for (size_t i = 0; i < count; ++i) CHECK(found[i] == 0.5 * arc_sum(table, keys[i]));
    double again = 0;
    pending.add(std::vector<uint64_t>{1, 2}, 1.0, again);
    pending.finish();
    CHECK(again == arc_sum(table, std::vector<uint64_t>{1, 2}));
  }
}

}  // namespace

TEST("sums that wait for memory are the sums one by one") {
  std::mt19937_64 random(5);
  std::vector<int8_t> bytes(1 << 10);
  std::vector<int16_t> words(1 << 10);
  for (int8_t& value : bytes) value = static_cast<int8_t>(random());
  for (int16_t& value : words) value = static_cast<int16_t>(random());
  const text::WeightTable<int8_t> narrow{text::TableKind::hash, 10, 1, 0.3f, bytes, {}};
  const text::WeightTable<int16_t> wide{text::TableKind::hash, 10, 1, 0.3f, words, {}};
  compare(narrow, random);
  compare(wide, random);
  compare(ColumnTable(narrow), random);
  compare(ColumnTable(wide), random);
  CHECK(arc_sum(ColumnTable(narrow), std::vector<uint64_t>{1, 2}) == arc_sum(narrow, std::vector<uint64_t>{1, 2}));
  for (const text::TableKind kind : {text::TableKind::hash, text::TableKind::dictionary}) {
    learn::ParameterTable learned(kind, 6, 1);
    for (int i = 0; i < 40; ++i) learned.add_gradient(random(), 0, static_cast<float>(i) - 20.5f);
    learned.step({}, 0);
    compare(learned, random);
  }
}
