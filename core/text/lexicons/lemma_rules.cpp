// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/lemma_rules.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "core/text/characters.hpp"

namespace accord::text {

namespace {

constexpr std::array<std::string_view, 5> casing_names = {"lower", "keep", "lower_first", "upper_first", "word"};

// Byte offsets of the characters, and of the end.
std::vector<size_t> character_starts(std::string_view text) {
  std::vector<size_t> starts;
  for (size_t at = 0; at < text.size();) {
    starts.push_back(at);
    next_code_point(text, at);
  }
  starts.push_back(text.size());
  return starts;
}

struct Shared {
  size_t length = 0, in_form = 0, in_lemma = 0;  // characters
};

// The longest common substring; of several the first in the form, then the first in the lemma.
Shared longest_shared(std::string_view form, std::string_view lemma, const std::vector<size_t>& a, const std::vector<size_t>& b) {
  const size_t m = a.size() - 1, n = b.size() - 1;
  std::vector<size_t> row(n + 1), above(n + 1);  // length of the common stretch that ends at (i, j)
  Shared best;
  for (size_t i = 1; i <= m; ++i) {
    const std::string_view character = form.substr(a[i - 1], a[i] - a[i - 1]);
    for (size_t j = 1; j <= n; ++j) {
      row[j] = character == lemma.substr(b[j - 1], b[j] - b[j - 1]) ? above[j - 1] + 1 : 0;
      if (row[j] > best.length) best = {row[j], i - row[j], j - row[j]};
    }
    std::swap(row, above);
  }
  return best;
}

void append_escaped(std::string& text, std::string_view part) {
  for (const char c : part) {
    if (c == '/' || c == '\\') text += '\\';
    if (c == '\n') text += "\\n";
    else text += c;
  }
}

[[noreturn]] void refuse(std::string_view text) { throw std::invalid_argument("not a lemma rule: '" + std::string(text) + "'"); }

std::vector<std::string> fields(std::string_view text) {
  std::vector<std::string> found(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      found.emplace_back();
    } else if (text[i] == '\\') {
      if (++i == text.size()) refuse(text);
      found.back() += text[i] == 'n' ? '\n' : text[i];
    } else {
      found.back() += text[i];
    }
  }
  return found;
}

int parse_cut(const std::string& field, std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value < 0) refuse(text);
  return value;
}

}  // namespace

std::string with_casing(std::string_view text, Casing casing) {
  if (casing == Casing::lower) return lower_case(text);
  if (casing == Casing::keep || casing == Casing::word || text.empty()) return std::string(text);
  size_t at = 0;
  const uint32_t first = next_code_point(text, at);
  std::string cased;
  append_code_point(cased, casing == Casing::lower_first ? lower_case(first) : upper_case(first));
  return cased + (casing == Casing::lower_first ? std::string(text.substr(at)) : lower_case(text.substr(at)));
}

LemmaRule LemmaRule::derive(std::string_view form, std::string_view lemma) {
  const std::vector<size_t> in_lemma = character_starts(lemma);
  LemmaRule best{Casing::word, 0, 0, std::string(lemma), ""};
  size_t shortest = SIZE_MAX;
  // Where two casings serve equally, words in lower case and others share a rule if the lemma is in lower case.
  const bool low = lower_case(lemma) == lemma;
  for (const Casing casing : {low ? Casing::lower : Casing::keep, low ? Casing::keep : Casing::upper_first,
                              low ? Casing::upper_first : Casing::lower, Casing::lower_first}) {
    const std::string cased = with_casing(form, casing);
    const std::vector<size_t> in_form = character_starts(cased);
    const Shared shared = longest_shared(cased, lemma, in_form, in_lemma);
    const size_t form_length = in_form.size() - 1, lemma_length = in_lemma.size() - 1;
    const size_t edit = form_length + lemma_length - 2 * shared.length;
    if (edit >= shortest || (shared.length == 0 && form_length + lemma_length > 0)) continue;
    shortest = edit;
    const size_t form_end = shared.in_form + shared.length, lemma_end = in_lemma[shared.in_lemma + shared.length];
    best = {casing, static_cast<int>(shared.in_form), static_cast<int>(form_length - form_end),
            std::string(lemma.substr(0, in_lemma[shared.in_lemma])), std::string(lemma.substr(lemma_end))};
  }
  return best;
}

std::string LemmaRule::text() const {
  std::string text(casing_names[static_cast<size_t>(casing)]);
  text += '/';
  if (casing != Casing::word) text += std::to_string(front_cut) + '/';
  append_escaped(text, front_put);
  if (casing == Casing::word) return text;
  text += '/' + std::to_string(end_cut) + '/';
  append_escaped(text, end_put);
  return text;
}

LemmaRule LemmaRule::parse(std::string_view text) {
  const std::vector<std::string> parts = fields(text);
  for (size_t i = 0; i < casing_names.size(); ++i) {
    if (parts[0] != casing_names[i]) continue;
    const auto casing = static_cast<Casing>(i);
    if (casing == Casing::word && parts.size() == 2) return {casing, 0, 0, parts[1], ""};
    if (casing != Casing::word && parts.size() == 5)
      return {casing, parse_cut(parts[1], text), parse_cut(parts[3], text), parts[2], parts[4]};
  }
  refuse(text);
}

std::optional<std::string> LemmaRule::apply(std::string_view form) const {
  return casing == Casing::word ? std::optional(front_put) : apply_to_cased(with_casing(form, casing));
}

std::optional<std::string> LemmaRule::apply_to_cased(std::string_view cased) const {
  if (casing == Casing::word) return front_put;
  const std::string_view front = front_cut == 0 ? std::string_view() : prefix(cased, front_cut);
  const std::string_view end = end_cut == 0 ? std::string_view() : suffix(cased, end_cut);
  const std::string_view middle =
      front.size() + end.size() < cased.size() ? cased.substr(front.size(), cased.size() - front.size() - end.size()) : std::string_view();
  const bool whole = front_cut == 0 && end_cut == 0;
  if (middle.empty() && !(whole && cased.empty())) return std::nullopt;
  std::string lemma;
  lemma.reserve(front_put.size() + middle.size() + end_put.size());
  return lemma.append(front_put).append(middle).append(end_put);
}

std::string derive_lemma_rule(std::string_view form, std::string_view lemma) { return LemmaRule::derive(form, lemma).text(); }

std::optional<std::string> apply_lemma_rule(std::string_view rule, std::string_view form) { return LemmaRule::parse(rule).apply(form); }

}  // namespace accord::text
