// SPDX-License-Identifier: Apache-2.0
// Forwards core/constituents/spines to Python: accord._core.constituents. Arrays are checked here, once.
#include <cmath>
#include <stdexcept>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/constituents/spines/spine_space.hpp"

namespace spines_binding {

using namespace accord::constituents;

NumberRows number_rows(const std::vector<std::vector<int32_t>>& given) {
  NumberRows rows;
  for (const std::vector<int32_t>& row : given) {
    rows.values.insert(rows.values.end(), row.begin(), row.end());
    rows.end_row();
  }
  return rows;
}

// The derivations of one sentence: a graph with all it is made of.
class SpineDerivations {
 public:
  SpineDerivations(const SpineGrammar& grammar, const std::vector<int32_t>& tags, const std::vector<std::vector<int32_t>>& spines,
                   const std::vector<std::tuple<int, int, std::vector<int32_t>>>& arcs, int order, bool nearest, bool boundaries)
      : grammar_(grammar) {
    candidates_.clear();
    if (tags.empty() || spines.size() != tags.size() || (order != 1 && order != 2))
      throw std::invalid_argument("words have tags and spines, and the order is 1 or 2");
    for (size_t w = 0; w < tags.size(); ++w) {
      if (tags[w] < -1 || tags[w] >= grammar.tags() || spines[w].empty()) throw std::invalid_argument("a word has no tag or no spine");
      candidates_.tags.push_back(tags[w] < 0 ? grammar.tags() : tags[w]);
      for (const int32_t spine : spines[w])
        if (spine < 0 || static_cast<size_t>(spine) >= grammar.spines()) throw std::invalid_argument("there is no such spine");
      candidates_.spines.values.insert(candidates_.spines.values.end(), spines[w].begin(), spines[w].end());
      candidates_.spines.end_row();
    }
    const int n = candidates_.words();
    for (const auto& [head, dependent, relations] : arcs) {
      if (head < 0 || head > n || dependent < 1 || dependent > n || head == dependent) throw std::invalid_argument("there is no such arc");
      for (const int32_t relation : relations)
        if (relation < 0 || static_cast<size_t>(relation) >= grammar.relations().size())
          throw std::invalid_argument("there is no such relation");
      candidates_.arcs.push_back(
          {head, dependent, static_cast<int32_t>(candidates_.relations.size()), static_cast<int32_t>(relations.size())});
      candidates_.relations.insert(candidates_.relations.end(), relations.begin(), relations.end());
    }
    graph_.build(grammar_, candidates_, {order, nearest, boundaries});
  }

  std::span<const double> checked(const Doubles& scores) const {
    if (scores.size() != graph_.parts().count() || scores.data()[0] != 0)
      throw std::invalid_argument("one score for each part, and none for part 0");
    for (const double score : view(scores))
      if (std::isnan(score) || score == std::numeric_limits<double>::infinity()) throw std::invalid_argument("a score is NaN or +infinity");
    return view(scores);
  }

  // (kind, head or word, dependent, other word, side, relation or spine or run of labels) of each part but part 0.
  auto parts() const {
    std::vector<std::tuple<std::string, int, int, int, bool, int>> list;
    static constexpr const char* names[] = {"spine", "adjunction", "sibling", "grandchild", "boundary"};
    std::vector<const SpineParts*> ordered;
    for (const SpineParts& group : graph_.parts().groups()) ordered.push_back(&group);
    for (const SpineParts* group : ordered)
      for (int k = 0; k < group->count; ++k) {
        const std::string kind = names[static_cast<size_t>(group->kind)];
        if (group->kind == SpineParts::Kind::spine)
          list.emplace_back(kind, group->word, 0, 0, false, candidates_.spines[static_cast<size_t>(group->word)][static_cast<size_t>(k)]);
        else if (group->kind == SpineParts::Kind::boundary)
          list.emplace_back(kind, group->word, 0, group->other, group->right, graph_.parts().segments(group->word)[static_cast<size_t>(k)]);
        else {
          const AdjunctionArc& arc = candidates_.arcs[static_cast<size_t>(group->arc)];
          list.emplace_back(kind, arc.head, arc.dependent, group->other, group->right,
                            candidates_.relations_of(arc)[static_cast<size_t>(k)]);
        }
      }
    return list;
  }

  using Told = std::tuple<std::vector<int32_t>, std::vector<int32_t>, std::vector<int32_t>, std::vector<uint8_t>,
                          std::vector<std::tuple<int, int, int>>>;
  // Spines, heads, nodes and kinds of adjunction by word, and the phrases.
  Told told(const SpineDerivation& found) const {
    std::vector<std::tuple<int, int, int>> spans;
    for (const LabelledSpan& span : phrases(grammar_, found)) spans.emplace_back(span.begin, span.end, span.label);
    const auto words = [](const auto& list) { return std::decay_t<decltype(list)>(list.begin() + 1, list.end()); };
    return {words(found.spine), words(found.head), words(found.node), words(found.regular), std::move(spans)};
  }

  SpineDerivation given(const std::vector<int32_t>& spines, const std::vector<int32_t>& heads, const std::vector<int32_t>& nodes,
                        const std::vector<uint8_t>& regular) const {
    SpineDerivation one;
    one.resize(candidates_.words());
    const size_t n = tags();
    if (spines.size() != n || heads.size() != n || nodes.size() != n || regular.size() != n)
      throw std::invalid_argument("one of each for each word");
    std::copy(spines.begin(), spines.end(), one.spine.begin() + 1);
    std::copy(heads.begin(), heads.end(), one.head.begin() + 1);
    std::copy(nodes.begin(), nodes.end(), one.node.begin() + 1);
    std::copy(regular.begin(), regular.end(), one.regular.begin() + 1);
    return one;
  }

  size_t tags() const { return static_cast<size_t>(candidates_.words()); }
  const SpineGraph& graph() const { return graph_; }
  const SpineGrammar& grammar() const { return grammar_; }

 private:
  SpineGrammar grammar_;
  SpineCandidates candidates_;
  SpineGraph graph_;
};

}  // namespace spines_binding

void bind_spines(nb::module_& module) {
  using namespace spines_binding;
  nb::class_<SpineGrammar>(module, "SpineGrammar")
      .def(
          "__init__",
          [](SpineGrammar* self, int labels, int tags, const std::vector<std::vector<int32_t>>& spines,
             const std::vector<std::vector<int32_t>>& known, const std::vector<std::tuple<int, int, int, bool>>& relations) {
            std::vector<SpineRelation> list;
            for (const auto& [node, below, modifier, regular] : relations) list.push_back({node, below, modifier, regular});
            new (self) SpineGrammar(labels, tags, number_rows(spines), number_rows(known), std::move(list));
          },
          nb::arg("labels"), nb::arg("tags"), nb::arg("spines"), nb::arg("known"), nb::arg("relations"))
      .def_prop_ro("segments", [](const SpineGrammar& grammar) {
        std::vector<std::vector<int32_t>> list;
        for (size_t s = 0; s < grammar.segments().size(); ++s)
          list.emplace_back(grammar.segments()[s].begin(), grammar.segments()[s].end());
        return list;
      });
  nb::class_<SpineDerivations>(module, "SpineDerivations")
      .def(nb::init<const SpineGrammar&, const std::vector<int32_t>&, const std::vector<std::vector<int32_t>>&,
                    const std::vector<std::tuple<int, int, std::vector<int32_t>>>&, int, bool, bool>(),
           nb::arg("grammar"), nb::arg("tags"), nb::arg("spines"), nb::arg("arcs"), nb::kw_only(), nb::arg("order"), nb::arg("nearest"),
           nb::arg("boundaries"))
      .def_prop_ro("parts", &SpineDerivations::parts)
      .def_prop_ro("edges", [](const SpineDerivations& self) { return self.graph().edge_total(); })
      .def(
          "argmax",
          [](const SpineDerivations& self, const Doubles& scores) {
            SpineDerivation best;
            best.resize(static_cast<int>(self.tags()));
            std::vector<size_t> parts;
            const double score = SpineSpace().argmax(self.graph(), self.checked(scores), best, &parts);
            return std::tuple(score, self.graph().possible() ? std::optional(self.told(best)) : std::nullopt, parts);
          },
          nb::arg("scores"))
      .def(
          "log_partition",
          [](const SpineDerivations& self, const Doubles& scores) {
            return SpineSpace().log_partition(self.graph(), self.checked(scores));
          },
          nb::arg("scores"))
      .def(
          "marginals",
          [](const SpineDerivations& self, const Doubles& scores) {
            std::vector<double> out(self.graph().parts().count());
            const double total = SpineSpace().marginals(self.graph(), self.checked(scores), out);
            return std::pair(total, numpy_vector(std::move(out)));
          },
          nb::arg("scores"))
      .def(
          "kbest",
          [](const SpineDerivations& self, const Doubles& scores, int k) {
            std::vector<std::pair<double, SpineDerivations::Told>> list;
            for (const ScoredDerivation& one : SpineSpace().kbest(self.grammar(), self.graph(), self.checked(scores), k))
              list.emplace_back(one.score, self.told(one.derivation));
            return list;
          },
          nb::arg("scores"), nb::arg("k"))
      .def(
          "sample",
          [](const SpineDerivations& self, const Doubles& scores, int count, uint64_t seed) {
            std::vector<SpineDerivations::Told> list;
            for (const SpineDerivation& one : SpineSpace().sample(self.graph(), self.checked(scores), count, seed))
              list.push_back(self.told(one));
            return list;
          },
          nb::arg("scores"), nb::arg("count"), nb::arg("seed"))
      .def(
          "parts_of",
          [](const SpineDerivations& self, const std::vector<int32_t>& spines, const std::vector<int32_t>& heads,
             const std::vector<int32_t>& nodes, const std::vector<uint8_t>& regular) -> std::optional<std::vector<size_t>> {
            std::vector<size_t> parts;
            if (!self.graph().parts().parts_of(self.given(spines, heads, nodes, regular), parts)) return std::nullopt;
            return parts;
          },
          nb::arg("spines"), nb::arg("heads"), nb::arg("nodes"), nb::arg("regular"));
}
