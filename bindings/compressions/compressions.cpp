// SPDX-License-Identifier: Apache-2.0
// Forwards core/compressions to Python: accord._core.compressions.
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/compressions/distribution.hpp"
#include "core/compressions/ruled_search.hpp"
#include "core/compressions/statuses/status_bigram_programme.hpp"

namespace compressions_binding {

using namespace accord::compressions;

void check(const Doubles& scores, size_t size, const char* what) {
  if (scores.size() != size) throw std::invalid_argument(std::string(what) + ": another number of entries is needed");
  for (size_t k = 0; k < size; ++k)
    if (!(scores.data()[k] < std::numeric_limits<double>::infinity()))
      throw std::invalid_argument(std::string(what) + ": NaN or +infinity");
}

double largest(const Doubles& scores, double so_far) {
  for (size_t k = 0; k < scores.size(); ++k)
    if (const double size = std::fabs(scores.data()[k]); std::isfinite(size) && size > so_far) so_far = size;
  return so_far;
}

// A programme with the costs and rules of one sentence. Programmes keep buffers, so that threads take turns.
struct Compressor {
  std::unique_ptr<Programme> programme;
  PathProgramme* path = nullptr;
  SpanProgramme* span = nullptr;
  StatusProgramme* status = nullptr;
  std::vector<int> costs;
  std::vector<Rule> rules;
  double magnitude = 0;
  std::mutex busy;

  size_t size() const { return static_cast<size_t>(programme->words()) + 1; }
};

using Shared = std::shared_ptr<Compressor>;

Shared finished(Shared made, const Integers& costs, const ArcPairs& rules) {
  if (costs.size() != made->size()) throw std::invalid_argument("costs: one for each word is needed");
  made->costs = copied(costs);
  for (const int cost : made->costs)
    if (cost < 0) throw std::invalid_argument("costs must not be negative");
  for (size_t r = 0; r < rules.shape(0); ++r) {
    const Rule rule{rules(r, 0), rules(r, 1)};
    for (const int word : {rule.word, rule.needs})
      if (word < 1 || word > made->programme->words()) throw std::invalid_argument("a rule names a word that is not in the sentence");
    made->rules.push_back(rule);
  }
  return made;
}

Shared path(PathProgramme programme) {
  auto made = std::make_shared<Compressor>();
  auto owned = std::make_unique<PathProgramme>(std::move(programme));
  made->path = owned.get();
  made->programme = std::move(owned);
  return made;
}

Shared bigrams(const Doubles& words, const Doubles& table, double empty, const Integers& costs, const ArcPairs& rules) {
  check(words, words.size(), "words");
  check(table, table.size() == 0 ? 0 : words.size() * words.size(), "bigrams");
  Shared made = path(PathProgramme::bigrams(view(words), view(table), empty));
  made->magnitude = largest(words, largest(table, std::isfinite(empty) ? std::fabs(empty) : 0.0));
  return finished(std::move(made), costs, rules);
}

Shared subtrees(const Doubles& words, const Integers& heads, const Bits& tied, double empty, const Integers& costs, const ArcPairs& rules) {
  check(words, words.size(), "words");
  if (heads.size() != words.size() || tied.size() != words.size())
    throw std::invalid_argument("heads and tied: one for each word is needed");
  Shared made = path(PathProgramme::subtrees(view(words), view(heads), view(tied), empty));
  made->magnitude = largest(words, std::isfinite(empty) ? std::fabs(empty) : 0.0);
  return finished(std::move(made), costs, rules);
}

Shared joint(const Doubles& words, const Doubles& arcs, const Doubles& table, double empty, const Integers& costs, const ArcPairs& rules) {
  check(words, words.size(), "words");
  check(arcs, words.size() * words.size(), "arcs");
  check(table, table.size() == 0 ? 0 : words.size() * words.size(), "bigrams");
  auto made = std::make_shared<Compressor>();
  auto owned = std::make_unique<SpanProgramme>(SpanScores(view(words), view(arcs), view(table), empty));
  made->span = owned.get();
  made->programme = std::move(owned);
  made->magnitude = largest(words, largest(arcs, largest(table, std::isfinite(empty) ? std::fabs(empty) : 0.0)));
  return finished(std::move(made), costs, rules);
}

// table: scores of neighbours; without any, none are scored.
Shared statuses(const Doubles& words, const Doubles& scores, const Integers& heads, const Doubles& table, double empty,
                const Integers& costs, const ArcPairs& rules) {
  check(words, words.size(), "words");
  check(scores, 4 * words.size(), "statuses");
  check(table, table.size() == 0 ? 0 : words.size() * words.size(), "bigrams");
  if (heads.size() != words.size()) throw std::invalid_argument("heads: one for each word is needed");
  auto made = std::make_shared<Compressor>();
  StatusScores given(view(words), view(scores), view(heads), empty);
  if (table.size() == 0) {
    auto owned = std::make_unique<StatusProgramme>(std::move(given));
    made->status = owned.get();
    made->programme = std::move(owned);
  } else {
    made->programme = std::make_unique<StatusBigramProgramme>(std::move(given), view(table));
  }
  made->magnitude = largest(words, largest(scores, largest(table, std::isfinite(empty) ? std::fabs(empty) : 0.0)));
  return finished(std::move(made), costs, rules);
}

struct Question {
  std::vector<double> additions;
  std::vector<Fate> fates;
  Terms terms() const { return {additions, fates}; }
};

// fates: 0 open, 1 keep, 2 drop.
Question question(const Compressor& compressor, const Doubles& additions, const Bits& fates) {
  check(additions, compressor.size(), "additions");
  if (fates.size() != compressor.size()) throw std::invalid_argument("fates: one for each word is needed");
  Question asked{copied(additions), {}};
  for (size_t word = 0; word < fates.size(); ++word) asked.fates.push_back(static_cast<Fate>(fates.data()[word]));
  return asked;
}

LengthSettings::Steps steps_of(const std::string& name) {
  using Steps = LengthSettings::Steps;
  if (name == "exact") return Steps::exact;
  if (name == "intersection") return Steps::intersection;
  if (name == "bisection") return Steps::bisection;
  if (name == "subgradient") return Steps::subgradient;
  throw std::invalid_argument("steps: " + name);
}

using MaybeHeads = std::optional<HeadsOut>;
using Flags = Numpy<uint8_t>;
using Ranked = std::tuple<double, Flags, MaybeHeads>;  // score, kept, heads

MaybeHeads heads_of(Compression& compression) {
  if (compression.heads.empty()) return std::nullopt;
  return numpy_vector(std::move(compression.heads));
}

// found, within, proved, kept, heads, value, bound, reward, cost, questions, nodes
using Found = std::tuple<bool, bool, bool, Flags, MaybeHeads, double, double, double, int, int, int>;

Found find(Compressor& compressor, const Doubles& additions, const Bits& fates, int low, int high, const std::string& steps, int questions,
           bool close_gaps, int nodes) {
  const Question asked = question(compressor, additions, fates);
  const RuledSettings settings{{steps_of(steps), questions, close_gaps}, nodes, 40};
  Answer answer;
  int visited = 0;
  {
    const Unlocked unlocked;
    const std::lock_guard turn(compressor.busy);
    LengthSearch lengths(*compressor.programme, compressor.costs, compressor.magnitude);
    if (compressor.rules.empty()) {
      answer = lengths.find(asked.terms(), {low, high}, settings.length);
    } else {
      RuledSearch search(lengths, compressor.rules);
      answer = search.find(asked.terms(), {low, high}, settings);
      visited = search.nodes();
    }
  }
  MaybeHeads heads = heads_of(answer.compression);
  return {answer.found,     answer.within,    answer.proved, numpy_vector(std::move(answer.compression.kept)),
          std::move(heads), answer.value,     answer.bound,  answer.reward,
          answer.cost,      answer.questions, visited};
}

// The best score for each total of costs from low to high and, where wanted, kept words and heads, one row each.
std::tuple<DoublesOut, Flags, MaybeHeads> by_cost(Compressor& compressor, const Doubles& additions, const Bits& fates, int low, int high,
                                                  bool traced) {
  const Question asked = question(compressor, additions, fates);
  std::vector<double> scores;
  std::vector<uint8_t> kept;
  std::vector<int32_t> heads;
  {
    const Unlocked unlocked;
    const std::lock_guard turn(compressor.busy);
    const auto all = compressor.programme->best_by_cost(asked.terms(), compressor.costs, low, high);
    scores.assign(all.begin() + low, all.end());
    Compression found;
    for (int cost = low; traced && cost <= high; ++cost) {
      found.kept.assign(compressor.size(), 0);
      found.heads.assign(compressor.size(), -1);
      if (scores[static_cast<size_t>(cost - low)] != forbidden) compressor.programme->trace_cost(cost, found);
      kept.insert(kept.end(), found.kept.begin(), found.kept.end());
      heads.insert(heads.end(), found.heads.begin(), found.heads.end());
    }
  }
  const size_t rows = traced ? scores.size() : 0;
  const bool trees = compressor.span != nullptr || (compressor.path != nullptr && compressor.path->has_tree());
  MaybeHeads all_heads;
  if (trees) all_heads = to_numpy(std::move(heads), {rows, compressor.size()});
  return {numpy_vector(std::move(scores)), to_numpy(std::move(kept), {rows, compressor.size()}), std::move(all_heads)};
}

// A distribution with the programme that it reads.
struct Held {
  Shared compressor;
  std::unique_ptr<Distribution> distribution;
  size_t size() const { return compressor->size(); }
};

Held distribution(const Shared& compressor, const Doubles& additions, const Bits& fates, std::optional<std::pair<int, int>> window) {
  const Question asked = question(*compressor, additions, fates);
  const Unlocked unlocked;
  const std::lock_guard turn(compressor->busy);
  const std::optional<Window> lengths = window ? std::optional(Window{window->first, window->second}) : std::nullopt;
  if (compressor->span != nullptr) {
    const SpanScores& scores = compressor->span->scores();
    if (lengths) return {compressor, std::make_unique<SpanDistribution<LengthItems>>(scores, asked.terms(), compressor->costs, *lengths)};
    return {compressor, std::make_unique<SpanDistribution<SpanItems>>(scores, asked.terms())};
  }
  if (compressor->status != nullptr)
    return {compressor, std::make_unique<StatusDistribution>(*compressor->status, asked.terms(), compressor->costs, lengths)};
  if (compressor->path == nullptr) throw std::invalid_argument("statuses with bigrams have no distribution");
  return {compressor, std::make_unique<PathDistribution>(*compressor->path, asked.terms(), compressor->costs, lengths)};
}

// entropy, words, arcs, bigrams, statuses
std::tuple<double, DoublesOut, DoublesOut, DoublesOut, DoublesOut> marginals(const Held& held) {
  const size_t size = held.size(), cells = held.compressor->status != nullptr ? 0 : size * size;
  std::vector<double> words(size), arcs(cells), table(cells), statuses(4 * size);
  double entropy = 0;
  {
    const Unlocked unlocked;
    entropy = held.distribution->marginals({words, arcs, table, statuses});
  }
  const size_t side = cells == 0 ? 0 : size;
  return {entropy, numpy_vector(std::move(words)), to_numpy(std::move(arcs), {side, side}), to_numpy(std::move(table), {side, side}),
          to_numpy(std::move(statuses), {size, 4})};
}

std::vector<Ranked> as_tuples(std::vector<Compression>& compressions) {
  std::vector<Ranked> out;
  for (Compression& each : compressions) {
    MaybeHeads heads = heads_of(each);
    out.emplace_back(each.score, numpy_vector(std::move(each.kept)), std::move(heads));
  }
  return out;
}

std::vector<Ranked> kbest(const Held& held, int k) {
  std::vector<Compression> ranked;
  {
    const Unlocked unlocked;
    ranked = held.distribution->kbest(k);
  }
  return as_tuples(ranked);
}

std::vector<Ranked> sample(const Held& held, int count, uint64_t seed) {
  std::vector<Compression> drawn;
  {
    const Unlocked unlocked;
    for (int number = 0; number < count; ++number) drawn.push_back(held.distribution->sample(seed, static_cast<uint64_t>(number)));
  }
  return as_tuples(drawn);
}

}  // namespace compressions_binding

void bind_compressions(nb::module_& module) {
  using namespace compressions_binding;
  using namespace nb::literals;
  nb::class_<Held>(module, "Distribution")
      .def("log_partition", [](const Held& held) { return held.distribution->log_partition(); })
      .def("marginals", &compressions_binding::marginals)
      .def("kbest", &compressions_binding::kbest, "k"_a)
      .def("sample", &compressions_binding::sample, "count"_a, "seed"_a);
  nb::class_<Compressor>(module, "Compressor")
      .def("find", &find, "additions"_a, "fates"_a, "low"_a, "high"_a, "steps"_a, "questions"_a, "close_gaps"_a, "nodes"_a)
      .def("by_cost", &by_cost, "additions"_a, "fates"_a, "low"_a, "high"_a, "traced"_a);
  module.def("distribution", &compressions_binding::distribution, "compressor"_a, "additions"_a, "fates"_a, "window"_a.none());
  module.def("bigrams", &compressions_binding::bigrams, "words"_a, "bigrams"_a, "empty"_a, "costs"_a, "rules"_a);
  module.def("subtrees", &compressions_binding::subtrees, "words"_a, "heads"_a, "tied"_a, "empty"_a, "costs"_a, "rules"_a);
  module.def("statuses", &compressions_binding::statuses, "words"_a, "statuses"_a, "heads"_a, "bigrams"_a, "empty"_a, "costs"_a, "rules"_a);
  module.def("crossing_heads", [](const Integers& heads) { return crossing_heads(view(heads)).size(); }, "heads"_a);
  module.attr("most_crossing_heads") = most_crossing_heads;
  module.def("joint", &compressions_binding::joint, "words"_a, "arcs"_a, "bigrams"_a, "empty"_a, "costs"_a, "rules"_a);
}
