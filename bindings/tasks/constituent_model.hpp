// SPDX-License-Identifier: Apache-2.0
// What the bindings of models of phrases share.
#pragma once
#include <variant>

#include "bindings/tasks/stored_table.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/constituents/decoder.hpp"

using HashTable = std::variant<accord::text::WeightTable<int8_t>, accord::text::WeightTable<int16_t>>;

inline HashTable hash_table(nb::handle item) { return StoredTable(item).either(accord::text::TableKind::hash); }

inline IntegersOut span_rows(const std::vector<accord::constituents::LabelledSpan>& spans) {
  std::vector<int32_t> flat;
  for (const accord::constituents::LabelledSpan& span : spans) flat.insert(flat.end(), {span.begin, span.end, span.label});
  return to_numpy(std::move(flat), {spans.size(), 3});
}

// parse and kbest of a model, over what it reads sentences from.
template <typename Input, typename Model>
void bind_constituent_answers(nb::class_<Model>& bound, const char* input) {
  bound
      .def(
          "parse",
          [](const Model& model, const Input& given, bool least_risk, double threshold, bool probabilities, int threads) {
            accord::tasks::ConstituentAnswer answer({});
            {
              Unlocked released;
              answer = model.parse(given, {least_risk, threshold, probabilities, threads});
            }
            return std::tuple(numpy_vector(std::move(answer.starts)), span_rows(answer.spans), numpy_vector(std::move(answer.probability)),
                              numpy_vector(std::move(answer.score)), numpy_vector(std::move(answer.log_probability)));
          },
          nb::arg(input), nb::kw_only(), nb::arg("least_risk"), nb::arg("threshold"), nb::arg("probabilities"), nb::arg("threads"))
      .def(
          "kbest",
          [](const Model& model, const Input& given, size_t sentence, int k) {
            std::vector<std::tuple<double, double, IntegersOut>> result;
            for (const auto& [tree, log_probability] : model.kbest(given, sentence, k))
              result.emplace_back(tree.score, log_probability, span_rows(tree.spans));
            return result;
          },
          nb::arg(input), nb::arg("sentence"), nb::arg("k"));
}
