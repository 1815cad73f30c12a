// SPDX-License-Identifier: Apache-2.0
// Groups of a parser's features: which templates there are, and the tables that proximal steps shrink.
#include <stdexcept>

#include "core/tasks/parser/information_gain.hpp"
#include "core/tasks/parser/trainer.hpp"

namespace accord::tasks {

std::vector<text::TemplateName> ParserTrainer::cells() const {
  std::vector<text::TemplateName> names;
  templates_.arcs.append_names("arc", names);
  templates_.labels.append_names("label", names);
  for (const parses::PartFamily& family : parses::part_families)  // by number of the part, as in ParserTemplates::parts
    templates_.of(family.part).append_names(std::string(family.name), names);
  return names;
}

void ParserTrainer::sparsify(const learn::SparsitySettings& settings) {
  if (settings_.dual()) throw std::invalid_argument("rule '" + settings_.rule + "' sets weights that no proximal step may change");
  size_t parts = 0;
  for (const text::TemplateSet& set : templates_.parts) parts += set.templates.size();
  std::vector<learn::GroupedTable*> tables = {
      &arcs_.group(static_cast<int>(templates_.arcs.templates.size()), settings.shrinking),
      &labels_.group(static_cast<int>(templates_.labels.templates.size()), settings.shrinking),
      &parts_.group(static_cast<int>(parts), settings.shrinking),
  };
  sparsity_ = std::make_unique<learn::Sparsity>(std::move(tables), std::vector<uint8_t>{1, 1, 1}, settings);
}

std::vector<double> ParserTrainer::information_gain() const { return tasks::information_gain(templates_, instances_); }

learn::Sparsity& ParserTrainer::sparsity() {
  if (!sparsity_) throw std::invalid_argument("the weights of this trainer are not grouped");
  return *sparsity_;
}

void ParserTrainer::support(size_t table, std::span<const uint64_t> keys, std::span<const int32_t> columns) {
  learn::ParameterTable* const tables[] = {&arcs_, &labels_, &parts_};
  if (table >= 3 || keys.size() != columns.size()) throw std::invalid_argument("one column for each feature of a table");
  for (size_t i = 0; i < keys.size(); ++i) tables[table]->support(keys[i], columns[i]);
}

}  // namespace accord::tasks
