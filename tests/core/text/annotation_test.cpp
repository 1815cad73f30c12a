// SPDX-License-Identifier: Apache-2.0
// Trees, tags and lemmas by number become columns of a document.
#include "core/text/documents/annotation.hpp"

#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

const std::string rows =
    "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t2:nsubj\tA=1\n2\tsleep\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"
    "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t2:nsubj\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n";
const std::vector<std::string> labels = {"nsubj", "root", "dep"};

}  // namespace

TEST("a sentence with another tree loses its DEPS, one with the same keeps them") {
  const Document document = Document::parse(rows);
  const std::vector<int32_t> heads = {2, 0, 0, 1}, numbers = {0, 1, 1, -1};
  const Document parsed = with_trees(document, {heads, numbers, labels, {}, {}});
  CHECK(parsed.column(Column::deps) == (std::vector<std::string_view>{"2:nsubj", "0:root", "_", "_"}));
  CHECK(parsed.column(Column::deprel) == (std::vector<std::string_view>{"nsubj", "root", "root", "root"}));
  const std::vector<int32_t> same = {2, 0, 2, 0}, relabelled = {0, 1, 2, 1};
  CHECK(with_trees(document, {same, relabelled, labels, {}, {}}).field(3, Column::deps) == "_");
  const std::vector<int32_t> kept = {-1, -1, -1, -1};
  CHECK(with_trees(document, {same, kept, labels, {}, {}}).write() == rows);
}

TEST("probabilities become entries of MISC") {
  const Document document = Document::parse(rows);
  const std::vector<int32_t> heads = {2, 0, 2, 0}, numbers = {0, 1, 0, 1};
  const std::vector<double> arcs = {0.25, 1.0, 0.99996, 0.5}, labelled = {0.125, 0.5, 0.3, 0.00005};
  const Document parsed = with_trees(document, {heads, numbers, labels, arcs, labelled});
  CHECK(parsed.field(0, Column::misc) == "A=1|ArcConf=0.2500|LabelConf=0.1250");
  CHECK(parsed.field(2, Column::misc) == "ArcConf=1.0000|LabelConf=0.3000");
  CHECK(with_trees(document, {heads, numbers, labels, arcs, {}}).field(1, Column::misc) == "ArcConf=1.0000");
}

TEST("tags and lemmas fill in what is missing, or replace all") {
  const Document document = Document::parse(rows);
  const std::vector<std::string> tags = {"NOUN", "VERB"}, rules = {"lower/0//1/", "lower/9//9/"};
  const std::vector<int32_t> numbers = {1, 1, 1, 1}, rule_numbers = {0, 1, 0, 1};
  CHECK(with_names(document, Column::upos, numbers, tags, true).column(Column::upos) ==
        (std::vector<std::string_view>{"NOUN", "VERB", "NOUN", "VERB"}));
  CHECK(with_names(document, Column::upos, numbers, tags, false).field(0, Column::upos) == "VERB");
  CHECK(with_lemmas(document, rule_numbers, rules, false).column(Column::lemma) ==
        (std::vector<std::string_view>{"cat", "sleep", "dog", "bark"}));
  CHECK(has_gaps(document, Column::upos) && !has_gaps(document, Column::form));
  CHECK(!has_gaps(with_names(document, Column::upos, numbers, tags, true), Column::upos));
}
