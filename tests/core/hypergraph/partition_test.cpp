// SPDX-License-Identifier: Apache-2.0
// Rankings by partition against a sorted list: answers are the vectors of small numbers, the oracle searches them all.
#include "core/hypergraph/partition.hpp"

#include <random>
#include <set>
#include <vector>

#include "tests/core/check.hpp"

using namespace accord::hypergraph;

namespace {

using Answer = std::vector<int>;

// All vectors of `places` numbers below `choices`; the score of each drawn once.
struct Table {
  int places, choices;
  std::vector<double> scores;

  size_t size() const { return scores.size(); }
  Answer answer(size_t number) const {
    Answer found;
    for (int p = 0; p < places; ++p, number /= static_cast<size_t>(choices))
      found.push_back(static_cast<int>(number % static_cast<size_t>(choices)));
    return found;
  }
};

struct TableOracle {
  // Vectors that share `answer` before first_free and avoid the excluded numbers there.
  struct Subset {
    Answer answer;
    int first_free = 0;
    std::set<int> excluded;
  };
  const Table& table;
  bool proves = true;
  double slack = 0;  // of the bound of an answer without proof
  size_t solved = 0;

  template <class Add>
  void solve(Subset subset, Add& add) {
    ++solved;
    double best = -std::numeric_limits<double>::infinity();
    Answer found;
    for (size_t number = 0; number < table.size(); ++number) {
      const Answer answer = table.answer(number);
      bool inside = true;
      for (int p = 0; p < subset.first_free; ++p)
        inside = inside && answer[static_cast<size_t>(p)] == subset.answer[static_cast<size_t>(p)];
      if (subset.first_free < table.places) inside = inside && !subset.excluded.contains(answer[static_cast<size_t>(subset.first_free)]);
      if (inside && table.scores[number] > best) best = table.scores[number], found = answer;
    }
    if (found.empty()) return;
    subset.answer = found;
    add({best, std::move(subset), proves, best + slack});
  }
  template <class Add>
  void all(Add&& add) {
    solve({{}, 0, {}}, add);
  }
  template <class Add>
  void split(const Subset& subset, Add&& add) {
    for (int p = subset.first_free; p < table.places; ++p) {
      Subset part{subset.answer, p, p == subset.first_free ? subset.excluded : std::set<int>{}};
      part.excluded.insert(subset.answer[static_cast<size_t>(p)]);
      solve(std::move(part), add);
    }
  }
};

// Proves the best answer, and none of those that come out of a split.
struct HalfProved : TableOracle {
  template <class Add>
  void split(const Subset& subset, Add&& add) {
    proves = false;
    slack = 0.5;
    TableOracle::split(subset, add);
  }
};

Table random_table(std::mt19937_64& random, bool ties) {
  Table table{std::uniform_int_distribution<int>(1, 3)(random), std::uniform_int_distribution<int>(1, 3)(random), {}};
  size_t count = 1;
  for (int p = 0; p < table.places; ++p) count *= static_cast<size_t>(table.choices);
  for (size_t i = 0; i < count; ++i)
    table.scores.push_back(ties ? std::uniform_int_distribution<int>(0, 2)(random) : std::normal_distribution<double>()(random));
  return table;
}

}  // namespace

TEST("the list is sorted, distinct, complete and certified, whatever the ties") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const Table table = random_table(random, round % 2 == 0);
    std::vector<double> best = table.scores;
    std::sort(best.rbegin(), best.rend());
    for (const Equals equals : {Equals::oldest_first, Equals::newest_first})
      for (const size_t k : {size_t{0}, size_t{1}, size_t{4}, table.size() + 3}) {
        TableOracle oracle{table};
        const auto ranked = Partition(oracle, equals).best(static_cast<int>(k));
        CHECK(ranked.size() == std::min(k, table.size()));
        std::set<Answer> seen;
        for (size_t i = 0; i < ranked.size(); ++i) {
          CHECK(ranked[i].score == best[i]);
          CHECK(ranked[i].certified);
          CHECK(seen.insert(ranked[i].subset.answer).second);
        }
        CHECK(k > 1 || oracle.solved == k);
      }
  }
}

TEST("answers without proof are not certified, those before them within the gap of the bounds are") {
  const Table table{2, 2, {4, 3, 2, 1}};
  TableOracle open{table, false, 10.0};
  for (const auto& answer : Partition(open, Equals::oldest_first).best(4)) CHECK(!answer.certified);
  TableOracle proved{table};
  for (const auto& answer : Partition(proved, Equals::oldest_first).best(4)) CHECK(answer.certified);
}

TEST("an unproved bound takes the certificate from what comes after") {
  const Table table{2, 2, {4, 3, 2, 1}};
  HalfProved oracle{{table}};
  const auto ranked = Partition(oracle, Equals::oldest_first).best(4);
  CHECK(ranked[0].certified && !ranked[1].certified && !ranked[3].certified);
  for (size_t i = 1; i < ranked.size(); ++i) CHECK(ranked[i].score <= ranked[i - 1].score);
}
