// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/joint/phrase_features.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/text/hash.hpp"

namespace accord::tasks {

namespace {

constexpr const char* section_names[] = {"bottom", "top", "unary", "leaf_bottom", "leaf_top", "binary", "root_binary"};

void check_templates(const text::TemplateSet& set, const std::string& section) {
  for (const text::Template& one : set.templates) {
    if (!one.dense) throw std::invalid_argument("[" + section + "] " + one.text + ": a template of phrases has one value");
    for (const auto& units : one.anchors)
      for (const text::Unit& unit : units)
        if (unit.offset != 0)
          throw std::invalid_argument("[" + section + "] " + one.text + ": words of phrases are anchors, without offsets");
  }
  for (const auto& units : set.signatures)
    for (const text::PairUnit& unit : units)
      if (unit.kind != text::PairUnit::Kind::distance && unit.kind != text::PairUnit::Kind::valency)
        throw std::invalid_argument("[" + section + "]: phrases have a distance and a valency alone");
}

}  // namespace

PhraseTemplates::PhraseTemplates(std::string_view source) {
  const std::vector<std::string> of_span = {"first", "second", "last_but_one", "last", "before", "before2", "after", "after2"};
  const std::vector<std::string> of_pair = {"first", "left_last", "right_first", "last"};
  for (size_t section = 0; section < sections; ++section) {
    const std::string name = section_names[section];
    sets.push_back(text::TemplateSet::compile(source, name, section < binary ? of_span : of_pair, attributes, text::hash_bytes(name)));
    check_templates(sets.back(), name);
    if (section >= binary) continue;
    for (const text::Template& one : sets.back().templates) pairwise |= !one.anchors[1].empty() || !one.anchors[2].empty();
  }
}

Place place_of(int state) {
  const auto number = static_cast<uint64_t>(state);
  return {text::combine(0x7374, number >> Place::slot_bits), number};
}

Place place_of(const constituents::UnaryRule& rule) {
  return {text::combine(0x756e, static_cast<uint64_t>(rule.bottom)), static_cast<uint64_t>(rule.top)};
}

Place place_of(const constituents::BinaryRule& rule) {
  const auto parent = static_cast<uint64_t>(rule.parent);
  const uint64_t children = text::combine(text::combine(0x6269, static_cast<uint64_t>(rule.left)), static_cast<uint64_t>(rule.right));
  return {text::combine(children, parent >> Place::slot_bits), parent};
}

void PhraseFeatures::prepare(const constituents::TaggedLattice& lattice, std::span<const text::Token> tokens,
                             const text::ClusterLexicon& clusters) {
  lattice_ = &lattice;
  atoms_ = text::AtomTable(tokens, templates_.attributes, clusters);
  for (size_t section = 0; section < features_.size(); ++section) features_[section].prepare(templates_.sets[section], atoms_);
}

void PhraseFeatures::set_span(const constituents::SpanEdges& edges) {
  const int behind = features_[0].nowhere();
  const auto earlier = [](int32_t word) { return word + 1; };
  const auto later = [&](int32_t word) { return word < 0 ? behind : word + 1; };
  const int32_t before = lattice_->before(edges.first), after = lattice_->behind(edges.last);
  span_ = {earlier(edges.first),
           later(edges.second),
           earlier(edges.last_but_one),
           earlier(edges.last),
           earlier(before),
           earlier(lattice_->before(before)),
           later(after),
           later(lattice_->behind(after))};
  span_relation_ = {0, edges.words, 0};
  std::fill(ready_.begin(), ready_.begin() + PhraseTemplates::binary, false);
}

void PhraseFeatures::set_pair(const constituents::SpanEdges& left, const constituents::SpanEdges& right) {
  pair_ = {left.first + 1, left.last + 1, right.first + 1, right.last + 1};
  pair_relation_ = {0, left.words, right.words};
  std::fill(ready_.begin() + PhraseTemplates::binary, ready_.end(), false);
}

std::span<const uint64_t> PhraseFeatures::keys(PhraseTemplates::Section section) {
  if (!ready_[section]) {
    const bool of_span = section < PhraseTemplates::binary;
    kept_[section] = of_span ? features_[section].keys(span_, span_relation_) : features_[section].keys(pair_, pair_relation_);
    ready_[section] = true;
  }
  return kept_[section];
}

}  // namespace accord::tasks
