// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/scores/pattern_matches.hpp"

#include <array>

namespace accord::tasks {

namespace {

class Matcher {
 public:
  Matcher(const text::AtomTable& atoms, parses::PartLayout& layout) : atoms_(atoms), layout_(layout) {}

  void run(const text::Pattern& pattern, int number) {
    pattern_ = &pattern;
    number_ = number;
    positions_.fill(text::Pattern::unknown);
    for (int position = 0; position <= layout_.words(); ++position) extend(pattern.start, position, 0);
  }

 private:
  std::span<const int> positions() const { return std::span(positions_).first(pattern_->words.size()); }

  // Puts a word at a position, if it may stand there, and goes on with the next step.
  void extend(int word, int position, size_t step) {
    if (matches_ >= most_matches || steps_ >= most_steps) return;
    steps_ += step > 0;
    if (!pattern_->fits(atoms_, word, position, positions())) return;
    positions_[static_cast<size_t>(word)] = position;
    if (step == pattern_->steps.size()) {
      layout_.add_pattern(number_, std::span(arcs_).first(step));
      ++matches_;
    } else {
      follow(step);
    }
    positions_[static_cast<size_t>(word)] = text::Pattern::unknown;
  }

  void follow(size_t step) {
    const text::Pattern::Step& way = pattern_->steps[step];
    const auto [head, dependent] = pattern_->arcs[static_cast<size_t>(way.arc)];
    const int from = positions_[static_cast<size_t>(way.up ? dependent : head)];
    const auto take = [&](int32_t arc) {
      arcs_[static_cast<size_t>(way.arc)] = arc;
      extend(pattern_->next_word(way), way.up ? layout_.head(arc) : layout_.dependent(arc), step + 1);
    };
    if (way.up) {
      for (int i = 0; i < layout_.entering(from); ++i) take(layout_.first_entering(from) + i);
    } else {
      for (int i = 0; i < layout_.modifier_count(from); ++i) take(layout_.modifier(from, i));
    }
  }

  const text::AtomTable& atoms_;
  parses::PartLayout& layout_;
  const text::Pattern* pattern_ = nullptr;
  int number_ = 0;
  std::array<int, text::Pattern::most_arcs + 1> positions_{};
  std::array<int32_t, text::Pattern::most_arcs> arcs_{};
  size_t matches_ = 0, steps_ = 0;
};

}  // namespace

void add_patterns(std::span<const text::Pattern> patterns, const text::AtomTable& atoms, parses::PartLayout& layout) {
  Matcher matcher(atoms, layout);
  for (size_t i = 0; i < patterns.size(); ++i) matcher.run(patterns[i], static_cast<int>(i));
}

}  // namespace accord::tasks
