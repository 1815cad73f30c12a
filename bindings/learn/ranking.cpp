// SPDX-License-Identifier: Apache-2.0
// Forwards the rankers of candidates of core/learn/ranking to Python: accord._core.learn. No logic here.
#include "bindings/interruptible.hpp"
#include "bindings/module.hpp"
#include "core/learn/ranking/boosting.hpp"
#include "core/learn/ranking/candidate_lists.hpp"

namespace ranking_binding {

using namespace accord::learn;

RankLoss parse_rank_loss(const std::string& name) {
  if (name == "exp") return RankLoss::exponential;
  if (name == "log") return RankLoss::logarithmic;
  throw std::invalid_argument("loss: expected 'exp' or 'log'");
}

ListLoss parse_list_loss(const std::string& name) {
  if (name == "likelihood") return ListLoss::likelihood;
  if (name == "margin") return ListLoss::margin;
  if (name == "risk") return ListLoss::risk;
  throw std::invalid_argument("loss: expected 'likelihood', 'margin' or 'risk'");
}

template <typename T, typename Field>
Numpy<T> log_column(const Boosting& boosting, Field field) {
  std::vector<T> values;
  for (const BoostRound& round : boosting.log()) values.push_back(round.*field);
  return numpy_vector(std::move(values));
}

}  // namespace ranking_binding

void bind_ranking(nb::module_& module) {
  using namespace ranking_binding;
  nb::class_<Boosting>(module, "Boosting")
      .def(
          "__init__",
          [](Boosting* self, size_t features, const Indices& starts, const Integers& entries, const Indices& lists, const Doubles& weights,
             const Doubles& margins, const std::string& loss, double smoothing, bool sparse) {
            PairExamples examples{features, copied(starts), copied(entries), copied(lists), copied(weights), copied(margins)};
            new (self) Boosting(std::move(examples), parse_rank_loss(loss), smoothing, sparse);
          },
          nb::kw_only(), nb::arg("features"), nb::arg("starts"), nb::arg("entries"), nb::arg("lists"), nb::arg("weights"),
          nb::arg("margins"), nb::arg("loss"), nb::arg("smoothing"), nb::arg("sparse"))
      .def("run", &Boosting::run, nb::arg("rounds"), nb::call_guard<Unlocked>())
      .def_prop_ro("loss", &Boosting::loss)
      .def_prop_ro("errors", &Boosting::errors)
      .def_prop_ro("total", &Boosting::total)
      .def_prop_ro("entries", &Boosting::entries)
      .def("sum", &Boosting::sum, nb::arg("feature"), nb::arg("positive"))
      .def("margins", [](const Boosting& self) { return numpy_vector(std::vector(self.margins().begin(), self.margins().end())); })
      .def("features", [](const Boosting& self) { return log_column<int32_t>(self, &BoostRound::feature); })
      .def("steps", [](const Boosting& self) { return log_column<double>(self, &BoostRound::step); })
      .def("losses", [](const Boosting& self) { return log_column<double>(self, &BoostRound::loss); })
      .def("work", [](const Boosting& self) { return log_column<int64_t>(self, &BoostRound::work); });
  nb::class_<CandidateLists>(module, "CandidateLists")
      .def(
          "__init__",
          [](CandidateLists* self, size_t width, const Indices& lists, const Indices& starts, const Integers& features,
             const Floats& values, const Doubles& costs) {
            new (self) CandidateLists{width, copied(lists), copied(starts), copied(features), copied(values), copied(costs)};
            self->check();
          },
          nb::kw_only(), nb::arg("width"), nb::arg("lists"), nb::arg("starts"), nb::arg("features"), nb::arg("values"), nb::arg("costs"))
      .def(
          "scores",
          [](const CandidateLists& self, const Doubles& weights) {
            if (weights.size() != self.width) throw std::invalid_argument("lists: a weight for each feature");
            std::vector<double> scores(self.candidates());
            for (size_t c = 0; c < scores.size(); ++c) scores[c] = self.score(c, view(weights));
            return numpy_vector(std::move(scores));
          },
          nb::arg("weights"))
      .def(
          "objective",
          [](const CandidateLists& self, const Doubles& weights, const std::string& loss, double l2, int threads) {
            if (weights.size() != self.width) throw std::invalid_argument("lists: a weight for each feature");
            std::vector<double> gradient(self.width);
            const double value = list_objective(self, view(weights), parse_list_loss(loss), l2, gradient, threads);
            return std::pair(value, numpy_vector(std::move(gradient)));
          },
          nb::arg("weights"), nb::arg("loss"), nb::arg("l2"), nb::arg("threads") = 1)
      .def(
          "fit",
          [](const CandidateLists& self, const std::string& loss, double l2, int iterations, int threads) {
            std::vector<double> weights = interruptible(
                [&](const accord::graph::Stop& stop) { return fit_lists(self, parse_list_loss(loss), l2, iterations, threads, stop); });
            return numpy_vector(std::move(weights));
          },
          nb::arg("loss"), nb::arg("l2"), nb::arg("iterations"), nb::arg("threads"));
  nb::class_<ListMira>(module, "ListMira")
      .def(nb::init<CandidateLists, double>(), nb::arg("lists"), nb::arg("longest"))
      .def(
          "run", [](ListMira& self, const Order& order) { return self.pass(view(order)); }, nb::arg("order"), nb::call_guard<Unlocked>())
      .def("mean", [](const ListMira& self) { return numpy_vector(self.mean()); });
}
