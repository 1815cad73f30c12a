// SPDX-License-Identifier: Apache-2.0
// How much the features of each template say about arcs: the usual way to choose templates without training (a filter).
//
//   gain of a template = sum over its features f and a in {arc of the gold tree, not} of P(f, a) log2 (P(f, a) / (P(f) P(a)))
//
// Probabilities are counts over all pairs of words of the sentences. Complexity: linear in pairs times templates; memory: one entry
// for each distinct feature.
#pragma once
#include <span>
#include <vector>

#include "core/tasks/scores/instance.hpp"
#include "core/tasks/scores/parser_templates.hpp"

namespace accord::tasks {

// By template of section [arc]. Words whose head is not known are left out.
std::vector<double> information_gain(const ParserTemplates& templates, std::span<const Instance> instances);

}  // namespace accord::tasks
