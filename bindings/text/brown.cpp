// SPDX-License-Identifier: Apache-2.0
// Forwards word clustering to Python: accord._core.text. No logic here.
#include "core/text/lexicons/brown.hpp"
#include "bindings/module.hpp"

namespace brown_binding {

using namespace accord;

}  // namespace brown_binding

void bind_brown(nb::module_& module) {
  using namespace brown_binding;
  module.def(
      "brown_clusters",
      [](const nb::bytes& tokens, int clusters, int least_count, int most_words, const nb::callable& report) {
        std::vector<text::ClusteredWord> words;
        {
          const std::string_view text(tokens.c_str(), tokens.size());
          nb::gil_scoped_release released;
          words = text::brown_clusters(text, {clusters, least_count, most_words}, [&](size_t done, size_t all) {
            nb::gil_scoped_acquire acquired;
            return nb::cast<bool>(report(done, all));
          });
        }
        std::vector<std::tuple<std::string, nb::bytes, uint64_t>> result;
        for (const text::ClusteredWord& one : words) result.emplace_back(one.path, nb::bytes(one.word.data(), one.word.size()), one.count);
        return result;
      },
      nb::arg("tokens"), nb::arg("clusters"), nb::arg("least_count"), nb::arg("most_words"), nb::arg("report"),
      nb::sig("def brown_clusters(tokens: bytes, clusters: int, least_count: int, most_words: int, "
              "report: collections.abc.Callable[[int, int], bool]) -> list[tuple[str, bytes, int]]"));
}
