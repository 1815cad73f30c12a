// SPDX-License-Identifier: Apache-2.0
#include "core/chains/automata.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/chains/chain.hpp"

namespace accord::chains {

namespace {

// A scheme by its letters: what may follow inside the same segment, what a new segment may begin with, what may end one.
// Letters in `alone` take no type: they stand outside every segment.
struct Scheme {
  std::string_view name, letters, begins, ends, alone;
  std::array<std::string_view, 6> goes_on;  // by letter, as in letters
};

constexpr std::array schemes{
    Scheme{"BIO", "BIO", "BO", "BIO", "O", {"I", "I", ""}},
    Scheme{"IOB2", "BIO", "BO", "BIO", "O", {"I", "I", ""}},
    Scheme{"IOB1", "BIO", "IO", "BIO", "O", {"I", "I", ""}},
    Scheme{"BIOES", "BIOES", "BOS", "OES", "O", {"IE", "IE", "", "", ""}},
    Scheme{"BMES", "BMES", "BS", "ES", "", {"ME", "ME", "", ""}},
    Scheme{"BMEWO", "BMEWO", "BWO", "EWO", "O", {"ME", "ME", "", "", ""}},
    Scheme{"BI", "BI", "B", "BI", "", {"I", "I"}},
    Scheme{"BIO-single", "BIO", "BO", "IO", "", {"I", "I", ""}},
    Scheme{"BCDMES", "BCDMES", "BS", "ES", "", {"CE", "DE", "ME", "ME", "", ""}},
};

struct Parsed {
  char letter;
  std::string_view type;
};

bool contains(std::string_view letters, char letter) { return letters.find(letter) != std::string_view::npos; }

// Where M and I mean the same, a label may be written with either.
char canonical(const Scheme& scheme, char letter) {
  if (contains(scheme.letters, letter)) return letter;
  const char twin = letter == 'M' ? 'I' : letter == 'I' ? 'M' : letter;
  return (scheme.name == "BIOES" || scheme.name == "BCDMES") && contains(scheme.letters, twin) ? twin : '\0';
}

Parsed parse(const Scheme& scheme, const std::string& label) {
  const char letter = label.empty() ? '\0' : canonical(scheme, label[0]);
  const bool typed = label.size() > 1;
  const bool outside = contains(scheme.alone, letter);
  if (letter == '\0' || (typed && (outside || label[1] != '-' || label.size() == 2)))
    throw std::invalid_argument("label '" + label + "' is not of the scheme " + std::string(scheme.name));
  return {letter, typed ? std::string_view(label).substr(2) : std::string_view()};
}

bool goes_on(const Scheme& scheme, const Parsed& label, const Parsed& next) {
  return label.type == next.type && contains(scheme.goes_on[scheme.letters.find(label.letter)], next.letter);
}

bool begins_after(const Scheme& scheme, const Parsed& label, const Parsed& next) {
  if (!contains(scheme.ends, label.letter)) return false;
  // IOB1: B exactly where a segment of the same type ended; an I of another type begins a segment.
  if (scheme.name == "IOB1" && label.letter != 'O' && next.letter != 'O') return next.letter == (label.type == next.type ? 'B' : 'I');
  return contains(scheme.begins, next.letter);
}

}  // namespace

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes) names.emplace_back(scheme.name);
  return names;
}

LabelAutomaton label_automaton(std::string_view name, std::span<const std::string> labels) {
  const auto scheme = std::find_if(schemes.begin(), schemes.end(), [&](const Scheme& candidate) { return candidate.name == name; });
  if (scheme == schemes.end()) {
    std::string known;
    for (const std::string& each : scheme_names()) known += known.empty() ? each : ", " + each;
    throw std::invalid_argument("there is no label scheme '" + std::string(name) + "'; there are " + known);
  }
  std::vector<Parsed> parsed;
  for (const std::string& label : labels) {
    if (std::count(labels.begin(), labels.end(), label) > 1) throw std::invalid_argument("label '" + label + "' stands twice");
    parsed.push_back(parse(*scheme, label));
  }
  LabelAutomaton made;
  made.labels = static_cast<int>(labels.size());
  for (const Parsed& label : parsed) {
    made.starts.push_back(contains(scheme->begins, label.letter));
    made.ends.push_back(contains(scheme->ends, label.letter));
    for (const Parsed& next : parsed) made.follows.push_back(goes_on(*scheme, label, next) || begins_after(*scheme, label, next));
  }
  return made;
}

bool LabelAutomaton::accepts(std::span<const int> sequence) const {
  if (sequence.empty()) return true;
  if (!starts[static_cast<size_t>(sequence.front())] || !ends[static_cast<size_t>(sequence.back())]) return false;
  for (size_t i = 1; i < sequence.size(); ++i)
    if (!may_follow(sequence[i - 1], sequence[i])) return false;
  return true;
}

void LabelAutomaton::mask_pairs(std::span<double> pairs) const {
  for (size_t k = 0; k < follows.size(); ++k)
    if (!follows[k]) pairs[k] = forbidden;
}

void LabelAutomaton::mask_ends(std::span<double> unary) const {
  if (unary.empty()) return;
  double* last = unary.data() + unary.size() - static_cast<size_t>(labels);
  for (size_t label = 0; label < starts.size(); ++label) {
    if (!starts[label]) unary[label] = forbidden;
    if (!ends[label]) last[label] = forbidden;
  }
}

void force_labels(std::span<const int> known, std::span<const int> sizes, std::span<double> unary) {
  size_t begin = 0;
  for (size_t i = 0; i < known.size(); ++i) {
    const auto size = static_cast<size_t>(sizes[i]);
    if (known[i] >= sizes[i]) throw std::invalid_argument("position " + std::to_string(i) + " has no label " + std::to_string(known[i]));
    for (size_t label = 0; known[i] >= 0 && label < size; ++label)
      if (label != static_cast<size_t>(known[i])) unary[begin + label] = forbidden;
    begin += size;
  }
}

void allow_labels(std::span<const char> allowed, std::span<double> unary) {
  for (size_t k = 0; k < allowed.size(); ++k)
    if (!allowed[k]) unary[k] = forbidden;
}

}  // namespace accord::chains
