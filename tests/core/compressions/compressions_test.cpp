// SPDX-License-Identifier: Apache-2.0
// The programmes of compression against enumeration of all subsets and trees, and searches over lengths and rules on top of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

#include "core/compressions/distribution.hpp"
#include "core/compressions/ruled_search.hpp"
#include "core/compressions/statuses/status_bigram_programme.hpp"
#include "tests/core/check.hpp"

using namespace accord::compressions;

namespace {

using Random = std::mt19937_64;

struct Case {
  int words;
  std::vector<double> word_scores, arcs, bigrams, statuses, additions;
  std::vector<int32_t> heads;
  std::vector<int> costs;
  std::vector<Fate> fates;
  double empty;

  size_t width() const { return static_cast<size_t>(words) + 1; }
  Terms terms() const { return {additions, fates}; }
};

std::vector<double> random_numbers(size_t count, Random& random) {
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random() % 12 == 0 ? forbidden : normal(random);
  return numbers;
}

Case random_case(uint64_t seed) {
  Random random(seed);
  std::normal_distribution<double> normal;
  Case made;
  made.words = static_cast<int>(random() % 6);
  made.word_scores = random_numbers(made.width(), random);
  made.arcs = random_numbers(made.width() * made.width(), random);
  made.bigrams = random_numbers(made.width() * made.width(), random);
  made.statuses = random_numbers(4 * made.width(), random);
  made.empty = seed % 3 == 0 ? forbidden : normal(random);
  made.heads.assign(1, -1);
  made.costs.assign(1, 0);
  made.additions.assign(1, 0.0);
  made.fates.assign(1, Fate::open);
  for (int word = 1; word <= made.words; ++word) {
    made.heads.push_back(static_cast<int32_t>(random() % static_cast<uint64_t>(word)));  // arcs may cross
    made.costs.push_back(seed % 2 == 0 ? 1 : static_cast<int>(random() % 4));
    made.additions.push_back(normal(random));
    made.fates.push_back(random() % 8 == 0 ? Fate::keep : random() % 8 == 0 ? Fate::drop : Fate::open);
  }
  return made;
}

bool crosses(const std::vector<int32_t>& heads) {
  for (size_t a = 1; a < heads.size(); ++a)
    for (size_t b = 1; b < heads.size(); ++b) {
      if (heads[a] < 0 || heads[b] < 0) continue;
      const auto [low, high] = std::minmax({heads[a], static_cast<int32_t>(a)});
      const auto [from, to] = std::minmax({heads[b], static_cast<int32_t>(b)});
      if (low < from && from < high && high < to) return true;
    }
  return false;
}

bool is_tree(const std::vector<int32_t>& heads) {
  int roots = 0;
  for (size_t word = 1; word < heads.size(); ++word) {
    roots += heads[word] == 0;
    size_t steps = 0;
    for (int32_t up = heads[word]; up > 0; up = heads[static_cast<size_t>(up)])
      if (heads[static_cast<size_t>(up)] < 0 || ++steps > heads.size()) return false;
  }
  return roots == 1;
}

// All trees over the kept words, by counting through all heads.
template <class Visit>
void each_tree(const std::vector<uint8_t>& kept, Visit&& visit) {
  std::vector<int32_t> heads(kept.size(), -1);
  const auto go = [&](auto&& self, size_t word) -> void {
    if (word == kept.size()) {
      if (is_tree(heads) && !crosses(heads)) visit(heads);
      return;
    }
    if (!kept[word]) return self(self, word + 1);
    for (size_t head = 0; head < kept.size(); ++head) {
      if (head == word || (head > 0 && !kept[head])) continue;
      heads[word] = static_cast<int32_t>(head);
      self(self, word + 1);
      heads[word] = -1;
    }
  };
  go(go, 1);
}

enum class Model { bigrams, subtrees, joint, statuses, status_bigrams };

// The best value for each total of costs, and how many compressions there are of it.
struct Listed {
  std::vector<double> best;
  double log_sum = forbidden;
};

void note(Listed& listed, int cost, double value) {
  if (value == forbidden) return;
  double& best = listed.best[static_cast<size_t>(cost)];
  best = std::max(best, value);
  const double top = std::max(listed.log_sum, value);
  listed.log_sum = top + std::log(std::exp(listed.log_sum - top) + std::exp(value - top));
}

double neighbours(const Case& given, const std::vector<uint8_t>& kept) {
  double total = 0;
  size_t last = 0;
  for (size_t word = 1; word < kept.size(); ++word)
    if (kept[word]) total += given.bigrams[last * given.width() + word], last = word;
  return total + given.bigrams[last * given.width()];
}

double statuses(const Case& given, const std::vector<uint8_t>& kept) {
  double total = 0;
  for (size_t word = 1; word < kept.size(); ++word) {
    const auto head = static_cast<size_t>(given.heads[word]);
    total += given.statuses[4 * word + 2 * size_t{kept[word]} + (head == 0 ? 1 : size_t{kept[head]})];
  }
  return total;
}

Listed enumerate(const Case& given, Model model, const std::vector<Rule>& rules = {}) {
  const int total = std::accumulate(given.costs.begin(), given.costs.end(), 0);
  Listed listed{std::vector<double>(static_cast<size_t>(total) + 1, forbidden)};
  for (uint64_t bits = 0; bits < (uint64_t{1} << given.words); ++bits) {
    std::vector<uint8_t> kept(given.width(), 0);
    bool allowed = true;
    double value = 0;
    int cost = 0;
    for (size_t word = 1; word < kept.size(); ++word) {
      kept[word] = static_cast<uint8_t>(bits >> (word - 1) & 1);
      allowed &= given.fates[word] != (kept[word] ? Fate::drop : Fate::keep);
      if (kept[word]) value += given.word_scores[word] + given.additions[word], cost += given.costs[word];
    }
    for (size_t word = 1; word < kept.size(); ++word)
      if (model == Model::subtrees && kept[word] && given.heads[word] > 0) allowed &= kept[static_cast<size_t>(given.heads[word])] != 0;
    for (const Rule& rule : rules) allowed &= kept[static_cast<size_t>(rule.word)] <= kept[static_cast<size_t>(rule.needs)];
    if (!allowed) continue;
    const bool with_statuses = model == Model::statuses || model == Model::status_bigrams;
    if (with_statuses) value += statuses(given, kept);
    if (bits == 0) note(listed, 0, given.empty + value);
    else if (model == Model::statuses) note(listed, cost, value);
    else if (model == Model::status_bigrams) note(listed, cost, value + neighbours(given, kept));
    else if (model == Model::subtrees) note(listed, cost, value);
    else if (model == Model::bigrams) note(listed, cost, value + neighbours(given, kept));
    else
      each_tree(kept, [&](const std::vector<int32_t>& heads) {
        double arcs = 0;
        for (size_t word = 1; word < kept.size(); ++word)
          if (kept[word]) arcs += given.arcs[static_cast<size_t>(heads[word]) * given.width() + word];
        note(listed, cost, value + arcs + neighbours(given, kept));
      });
  }
  return listed;
}

std::unique_ptr<Programme> make(const Case& given, Model model) {
  const std::vector<uint8_t> tied(given.width(), 0);
  if (model == Model::statuses)
    return std::make_unique<StatusProgramme>(StatusScores(given.word_scores, given.statuses, given.heads, given.empty));
  if (model == Model::status_bigrams)
    return std::make_unique<StatusBigramProgramme>(StatusScores(given.word_scores, given.statuses, given.heads, given.empty),
                                                   given.bigrams);
  if (model == Model::joint) return std::make_unique<SpanProgramme>(SpanScores(given.word_scores, given.arcs, given.bigrams, given.empty));
  return std::make_unique<PathProgramme>(model == Model::bigrams
                                             ? PathProgramme::bigrams(given.word_scores, given.bigrams, given.empty)
                                             : PathProgramme::subtrees(given.word_scores, given.heads, tied, given.empty));
}

double largest(const std::vector<double>& numbers) { return *std::max_element(numbers.begin(), numbers.end()); }

constexpr std::array<Model, 5> models = {Model::bigrams, Model::subtrees, Model::joint, Model::statuses, Model::status_bigrams};

}  // namespace

TEST("the best compression, and the best of every length, are those of enumeration") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Case given = random_case(seed);
    for (const Model model : models) {
      const Listed listed = enumerate(given, model);
      const auto programme = make(given, model);
      Compression found;
      const double best = programme->best(given.terms(), found);
      CHECK_NEAR(best, largest(listed.best), 1e-9);
      if (best != forbidden) {
        double value = found.score;
        for (size_t word = 1; word < found.kept.size(); ++word) value += found.kept[word] ? given.additions[word] : 0.0;
        CHECK_NEAR(value, best, 1e-9);
      }
      const int total = static_cast<int>(listed.best.size()) - 1;
      const auto by_cost = programme->best_by_cost(given.terms(), given.costs, 0, total);
      for (size_t cost = 0; cost < listed.best.size(); ++cost) CHECK_NEAR(by_cost[cost], listed.best[cost], 1e-9);
    }
  }
}

TEST("sums over compressions are those of enumeration") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Case given = random_case(seed);
    for (const Model model : models) {
      const double log_sum = enumerate(given, model).log_sum;
      const auto programme = make(given, model);
      if (auto* const span = dynamic_cast<SpanProgramme*>(programme.get())) {
        CHECK_NEAR(SpanDistribution<SpanItems>(span->scores(), given.terms()).log_partition(), log_sum, 1e-9);
        const Window all{0, std::accumulate(given.costs.begin(), given.costs.end(), 0)};
        CHECK_NEAR(SpanDistribution<LengthItems>(span->scores(), given.terms(), given.costs, all).log_partition(), log_sum, 1e-9);
      } else if (auto* const status = dynamic_cast<StatusProgramme*>(programme.get())) {
        const Window all{0, std::accumulate(given.costs.begin(), given.costs.end(), 0)};
        CHECK_NEAR(StatusDistribution(*status, given.terms(), given.costs, std::nullopt).log_partition(), log_sum, 1e-9);
        CHECK_NEAR(StatusDistribution(*status, given.terms(), given.costs, all).log_partition(), log_sum, 1e-9);
      } else if (model != Model::status_bigrams) {
        auto& path = dynamic_cast<PathProgramme&>(*programme);
        CHECK_NEAR(PathDistribution(path, given.terms(), given.costs, std::nullopt).log_partition(), log_sum, 1e-9);
        const int total = std::accumulate(given.costs.begin(), given.costs.end(), 0);
        CHECK_NEAR(PathDistribution(path, given.terms(), given.costs, Window{0, total}).log_partition(), log_sum, 1e-9);
      }
    }
  }
}

TEST("searches over lengths and rules find the best compression, by every method") {
  using Steps = LengthSettings::Steps;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Case given = random_case(seed);
    Random random(seed);
    std::vector<Rule> rules;
    for (int r = 0; given.words > 1 && r < 3; ++r)
      rules.push_back({1 + static_cast<int>(random() % static_cast<uint64_t>(given.words)),
                       1 + static_cast<int>(random() % static_cast<uint64_t>(given.words))});
    for (const Model model : models) {
      const Listed listed = enumerate(given, model, rules);
      const auto programme = make(given, model);
      LengthSearch lengths(*programme, given.costs, 4.0);
      RuledSearch search(lengths, rules);
      const int target = static_cast<int>(random() % listed.best.size());
      for (const Steps steps : {Steps::exact, Steps::intersection, Steps::bisection, Steps::subgradient}) {
        const Answer answer = search.find(given.terms(), {target, target}, {{steps, 100, true}, 10000, 40});
        const double best = listed.best[static_cast<size_t>(target)];
        CHECK(answer.found == (best != forbidden));
        CHECK_NEAR(answer.value, best, 1e-9);
        CHECK(answer.proved == answer.found);
      }
    }
  }
}

TEST("words are lifted until no arc crosses another, and no further where none does") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Case given = random_case(seed);
    const Lifted made = lift_crossing(given.heads);
    CHECK(!crosses(made.heads));
    CHECK(made.lifted.empty() == !crosses(given.heads));
    for (size_t word = 1; word < made.heads.size(); ++word) {
      int32_t above = given.heads[word];
      while (above != made.heads[word] && above > 0) above = given.heads[static_cast<size_t>(above)];
      CHECK(above == made.heads[word]);
    }
  }
  CHECK(crossing_heads(std::vector<int32_t>{-1, 3, 4, 0, 3}) == (std::vector<int32_t>{4}));
}

TEST("heads that are no forest are refused") {
  for (const std::vector<int32_t>& heads : {std::vector<int32_t>{-1, 2, 1}, {-1, 1, 0}, {-1, 3, 0}, {-1, -1, 0}}) {
    bool refused = false;
    try {
      PathProgramme::subtrees(std::vector<double>(3, 0.0), heads, std::vector<uint8_t>(3, 0), forbidden);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}
