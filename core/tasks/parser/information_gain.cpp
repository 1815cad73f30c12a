// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/information_gain.hpp"

#include <cmath>
#include <unordered_map>

#include "core/text/features/features.hpp"

namespace accord::tasks {

namespace {

struct FeatureCount {
  uint32_t pattern = 0;           // the template
  uint32_t present = 0, all = 0;  // arcs of gold trees that have the feature; all pairs that do
};

double share(double both, double feature, double side, double total) {
  return both > 0 ? both / total * std::log2(both * total / (feature * side)) : 0.0;
}

}  // namespace

std::vector<double> information_gain(const ParserTemplates& templates, std::span<const Instance> instances) {
  std::unordered_map<uint64_t, FeatureCount> counts;
  text::PartFeatures features;
  double present = 0, total = 0;
  for (const Instance& instance : instances) {
    features.prepare(templates.arcs, instance.atoms);
    const int size = static_cast<int>(instance.heads.size());
    for (int dependent = 1; dependent < size; ++dependent) {
      const int gold = instance.heads[static_cast<size_t>(dependent)];
      if (gold < 0) continue;
      for (int head = 0; head < size; ++head) {
        if (head == dependent) continue;
        const int positions[] = {head, dependent};
        const std::span<const uint64_t> keys = features.keys(positions);
        for (size_t place = 0; place < keys.size(); ++place) {
          FeatureCount& count = counts[keys[place]];
          count.pattern = static_cast<uint32_t>(features.template_of(place));
          count.present += head == gold;
          ++count.all;
        }
        present += head == gold;
        total += 1;
      }
    }
  }
  std::vector<double> gains(templates.arcs.templates.size());
  for (const auto& [key, count] : counts) {
    const double all = count.all, there = count.present;
    gains[count.pattern] += share(there, all, present, total) + share(all - there, all, total - present, total);
  }
  return gains;
}

}  // namespace accord::tasks
