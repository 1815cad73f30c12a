// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph/coverage to Python: accord._core.graph.Coverage and ShareBound.
#include "core/graph/coverage/coverage.hpp"

#include "bindings/interruptible.hpp"
#include "bindings/module.hpp"
#include "core/graph/coverage/cuts.hpp"
#include "core/graph/coverage/improving.hpp"
#include "core/graph/coverage/share_bound.hpp"

namespace coverage_binding {

using namespace accord::graph;

CoverageArrays arrays_of(const Doubles& weights, const Doubles& caps, const Integers& concept_of, const Doubles& counts,
                         const Integers& need_starts, const Integers& needs, const Doubles& scores, const DoubleRows& costs,
                         const Doubles& limits, const ArcPairs& arcs, const ArcPairs& pairs, const Doubles& penalties) {
  CoverageArrays out{copied(weights),
                     copied(caps),
                     copied(concept_of),
                     copied(counts),
                     copied(need_starts),
                     copied(needs),
                     copied(scores),
                     {},
                     copied(limits),
                     {},
                     {}};
  for (size_t b = 0; b < costs.shape(0); ++b)
    out.costs.emplace_back(costs.data() + b * costs.shape(1), costs.data() + (b + 1) * costs.shape(1));
  for (size_t k = 0; k < arcs.shape(0); ++k) out.arcs.push_back({arcs(k, 0), arcs(k, 1)});
  if (penalties.size() != pairs.shape(0)) throw std::invalid_argument("there must be one penalty a pair");
  for (size_t k = 0; k < pairs.shape(0); ++k) out.pairs.push_back({pairs(k, 0), pairs(k, 1), penalties(k)});
  return out;
}

std::vector<int32_t> all_groups(const Coverage& problem) {
  std::vector<int32_t> groups(problem.groups());
  for (size_t g = 0; g < groups.size(); ++g) groups[g] = static_cast<int32_t>(g);
  return groups;
}

UnitSelection selection(const Coverage& problem, const Bits& chosen) {
  if (chosen.size() != problem.units()) throw std::invalid_argument("there must be one choice a unit");
  return UnitSelection(problem, view(chosen));
}

std::vector<uint8_t> greedy(const Coverage& problem, bool by_price) {
  UnitSelection choice(problem);
  std::vector<int32_t> added;
  Improver(problem, all_groups(problem)).fill(choice, added, by_price);
  return choice.chosen();
}

std::vector<uint8_t> improved(const Coverage& problem, UnitSelection choice, std::vector<int32_t> groups, int rounds, const Stop& stop) {
  Improver improver(problem, std::move(groups));
  std::vector<int32_t> added;
  improver.repair(choice);
  improver.fill(choice, added);
  improver.exchange(choice, rounds, stop);
  return choice.chosen();
}

std::vector<int32_t> checked(const Coverage& problem, const Integers& groups) {
  std::vector<int32_t> out = copied(groups);
  for (int32_t group : out)
    if (group < 0 || static_cast<size_t>(group) >= problem.groups()) throw std::invalid_argument("there is no such group");
  return out;
}

}  // namespace coverage_binding

void bind_coverage(nb::module_& module) {
  using namespace coverage_binding;
  using namespace nb::literals;
  nb::class_<Coverage>(module, "Coverage")
      .def(
          "__init__",
          [](Coverage* self, const Doubles& weights, const Doubles& caps, const Integers& concept_of, const Doubles& counts,
             const Integers& need_starts, const Integers& needs, const Doubles& scores, const DoubleRows& costs, const Doubles& limits,
             const ArcPairs& arcs, const ArcPairs& pairs, const Doubles& penalties) {
            new (self)
                Coverage(arrays_of(weights, caps, concept_of, counts, need_starts, needs, scores, costs, limits, arcs, pairs, penalties));
          },
          "weights"_a, "caps"_a, "concept_of"_a, "counts"_a, "need_starts"_a, "needs"_a, "scores"_a, "costs"_a, "limits"_a, "arcs"_a,
          "pairs"_a, "penalties"_a)
      .def("groups", [](const Coverage& self) { return numpy_vector(all_groups(self)); })
      .def("needs",
           [](const Coverage& self) {
             std::vector<int32_t> starts{0}, needs;
             for (size_t k = 0; k < self.occurrences(); ++k) {
               needs.insert(needs.end(), self.needs(k).begin(), self.needs(k).end());
               starts.push_back(static_cast<int32_t>(needs.size()));
             }
             return std::pair(numpy_vector(std::move(starts)), numpy_vector(std::move(needs)));
           })
      .def(
          "units_of",
          [](const Coverage& self, size_t group) {
            if (group >= self.groups()) throw std::invalid_argument("there is no such group");
            return numpy_vector(std::vector<int32_t>(self.units_of(group).begin(), self.units_of(group).end()));
          },
          "group"_a)
      .def("barred",
           [](const Coverage& self) {
             std::vector<uint8_t> barred(self.units());
             for (size_t u = 0; u < barred.size(); ++u) barred[u] = self.is_barred(u);
             return numpy_vector(std::move(barred));
           })
      .def(
          "greedy",
          [](const Coverage& self, bool by_price) {
            std::vector<uint8_t> chosen = interruptible([&](const Stop&) { return greedy(self, by_price); });
            return numpy_vector(std::move(chosen));
          },
          "by_price"_a)
      .def(
          "improved",
          [](const Coverage& self, const Bits& chosen, const Integers& groups, int rounds) {
            UnitSelection start = selection(self, chosen);
            std::vector<uint8_t> found =
                interruptible([&](const Stop& stop) { return improved(self, std::move(start), checked(self, groups), rounds, stop); });
            return numpy_vector(std::move(found));
          },
          "chosen"_a, "groups"_a, "rounds"_a)
      .def(
          "without_idle",
          [](const Coverage& self, const Bits& chosen) {
            UnitSelection choice = selection(self, chosen);
            Improver::drop_idle(choice);
            return numpy_vector(std::vector<uint8_t>(choice.chosen()));
          },
          "chosen"_a)
      .def(
          "closed_choices",
          [](const Coverage& self, const Doubles& fractions) {
            if (fractions.size() != self.units()) throw std::invalid_argument("there must be one fraction a unit");
            const std::vector<double> worths = shared_worths(self, view(fractions));
            auto sets = closed_choices(self, all_groups(self), worths);
            return std::pair(numpy_vector(std::vector<double>(worths)), numpy_vectors(std::move(sets)));
          },
          "fractions"_a)
      .def(
          "cut",
          [](const Coverage& self, const Doubles& start, const Integers& groups, int rounds, bool repair) {
            if (start.size() != self.units()) throw std::invalid_argument("there must be one fraction a unit");
            CutFound found =
                interruptible([&](const Stop& stop) { return cut(self, checked(self, groups), view(start), {rounds, repair, stop}); });
            return std::pair(numpy_vector(std::move(found.chosen)), found.rounds);
          },
          "start"_a, "groups"_a, "rounds"_a, "repair"_a);
  nb::class_<ShareBound>(module, "ShareBound")
      .def(nb::init<const Coverage&>(), "problem"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("bound", &ShareBound::bound)
      .def("average", [](const ShareBound& self) { return numpy_vector(std::vector<double>(self.average())); })
      .def("groups", [](const ShareBound& self) { return numpy_vector(std::vector<int32_t>(self.groups())); })
      .def(
          "improve",
          [](ShareBound& self, double target, int steps) {
            interruptible([&](const Stop& stop) { return self.improve(target, steps, stop), true; });
          },
          "target"_a, "steps"_a)
      .def(
          "look_at", [](ShareBound& self, const Doubles& amounts) { self.look_at(view(amounts)); }, "amounts"_a)
      .def("prune", &ShareBound::prune, "target"_a);
}
