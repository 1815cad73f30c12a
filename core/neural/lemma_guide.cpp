// SPDX-License-Identifier: Apache-2.0
#include "core/neural/lemma_guide.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"

namespace accord::neural {

LemmaGuide::LemmaGuide(std::vector<uint64_t> keys, std::vector<uint32_t> starts, std::vector<uint16_t> rules, std::vector<uint8_t> often,
                       size_t tags)
    : keys_(std::move(keys)),
      starts_(std::move(starts)),
      rules_(std::move(rules)),
      often_(std::move(often)),
      tags_(tags) {
  if (tags_ == 0 || often_.empty() || often_.size() % tags_ != 0)
    throw std::invalid_argument("a guide to lemmas must say of each part of speech which rules are frequent");
  if (starts_.size() != keys_.size() + 1 || starts_.front() != 0 || starts_.back() != rules_.size() ||
      !std::is_sorted(starts_.begin(), starts_.end()) || !std::is_sorted(keys_.begin(), keys_.end()))
    throw std::invalid_argument("the forms of a guide to lemmas are not in order or not all there");
  const size_t count = LemmaGuide::rules();
  if (std::any_of(rules_.begin(), rules_.end(), [&](uint16_t rule) { return rule >= count; }))
    throw std::invalid_argument("a guide to lemmas has a rule that the network has not");
}

uint64_t LemmaGuide::key(std::string_view form, int32_t tag) {
  return text::combine(text::hash_bytes(form), static_cast<uint64_t>(static_cast<uint32_t>(tag)));
}

int32_t LemmaGuide::of_form(std::string_view form, int32_t tag, std::span<const float> scores) const {
  const uint64_t wanted = key(form, tag);
  const auto found = std::lower_bound(keys_.begin(), keys_.end(), wanted);
  if (found == keys_.end() || *found != wanted) return -1;
  const auto place = static_cast<size_t>(found - keys_.begin());
  int32_t best = -1;
  for (size_t at = starts_[place]; at < starts_[place + 1]; ++at)
    if (best < 0 || scores[rules_[at]] > scores[static_cast<size_t>(best)]) best = rules_[at];
  return best;
}

int32_t LemmaGuide::choose(std::string_view form, int32_t tag, std::span<const float> scores) const {
  int32_t best = of_form(form, tag, scores);
  if (best < 0)
    if (const std::string lowered = text::lower_case(form); lowered != form) best = of_form(lowered, tag, scores);
  if (best >= 0) return best;
  const std::span<const uint8_t> often = std::span(often_).subspan(static_cast<size_t>(tag) * rules(), rules());
  for (size_t rule = 0; rule < often.size(); ++rule)
    if (often[rule] != 0 && (best < 0 || scores[rule] > scores[static_cast<size_t>(best)])) best = static_cast<int32_t>(rule);
  if (best >= 0) return best;
  return static_cast<int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace accord::neural
