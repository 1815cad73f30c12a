// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/tokenizer/multiword.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/text/characters.hpp"

namespace accord::tasks {

namespace {

constexpr size_t longest_word_ending = 8;

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; });
}

size_t letters_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; at <= line.size();) {
    const size_t tab = std::min(line.find('\t', at), line.size());
    fields.push_back(line.substr(at, tab - at));
    at = tab + 1;
  }
  return fields;
}

std::string upper_of_core(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size();) text::append_code_point(result, text::upper_case(text::next_code_point(text, at)));
  return result;
}

}  // namespace

CaseMapping CaseMapping::of_core() {
  return {[](const std::string& text) { return text::lower_case(std::string_view(text)); }, upper_of_core,
          [](const std::string& text) { return upper_of_core(text) == text && text::lower_case(std::string_view(text)) != text; }};
}

MultiwordRules::MultiwordRules(std::string text, CaseMapping letters) : text_(std::move(text)), letters_(std::move(letters)) {
  for (size_t at = 0; at < text_.size();) {
    const size_t end = text_.find('\n', at);
    if (end == std::string::npos) break;  // what stands behind the last line end is no line
    add_rule(std::string_view(text_).substr(at, end - at));
    at = end + 1;
  }
}

void MultiwordRules::add_rule(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  const bool is_ending = fields[0] == "ending";
  const size_t head = is_ending ? 4 : 2;  // fields before the words
  size_t cut = 0;
  bool right = fields.size() >= head && (is_ending || fields[0] == "form" || fields[0] == "exact");
  if (right && is_ending) {
    const char* const stop = fields[2].data() + fields[2].size();
    const auto [behind, problem] = std::from_chars(fields[2].data(), stop, cut);
    right = problem == std::errc() && behind == stop;
  }
  if (!right) throw std::invalid_argument("not a rule for multiword tokens: '" + std::string(line) + "'");
  std::string key(fields[1]);
  Words words(fields.begin() + static_cast<std::ptrdiff_t>(head), fields.end());
  if (is_ending) {
    endings_.insert_or_assign(std::move(key), Edit{cut, std::string(fields[3]), std::move(words)});
  } else {
    (fields[0] == "form" ? forms_ : exact_).insert_or_assign(std::move(key), std::move(words));
  }
}

Words MultiwordRules::split(const std::string& surface) const {
  if (forms_.empty() && exact_.empty() && endings_.empty()) return {};
  if (const auto known = exact_.find(surface); known != exact_.end()) return known->second;
  const std::string small = lower(surface);
  const auto known = forms_.find(small);
  const Words words = known != forms_.end() ? known->second : by_ending(small);
  return words.empty() ? words : restore_case(surface, small, words);
}

Words MultiwordRules::by_ending(const std::string& lower) const {
  const size_t letters = letters_of(lower);
  for (size_t length = std::min(letters - std::min<size_t>(letters, 1), longest_word_ending); length > 0; --length) {
    const auto known = endings_.find(std::string(text::suffix(lower, static_cast<int>(length))));
    if (known == endings_.end()) continue;
    const Edit& edit = known->second;
    if (edit.words.empty() || edit.cut >= letters) return {};
    Words words{std::string(text::prefix(lower, static_cast<int>(letters - edit.cut))) + edit.ending};
    words.insert(words.end(), edit.words.begin(), edit.words.end());
    return words;
  }
  return {};
}

// Words in lower case as the surface form has them: don't, DON'T, Don't.
Words MultiwordRules::restore_case(const std::string& surface, const std::string& lower, const Words& words) const {
  std::string joined;
  for (const std::string& word : words) joined += word;
  Words restored;
  if (joined == lower && letters_of(lower) == letters_of(surface)) {
    std::string_view rest = surface;
    for (const std::string& word : words) {
      restored.emplace_back(text::prefix(rest, static_cast<int>(letters_of(word))));
      rest.remove_prefix(restored.back().size());
    }
    return restored;
  }
  if (letters_of(surface) > 1 && is_upper(surface)) {
    for (const std::string& word : words) restored.push_back(upper(word));
    return restored;
  }
  restored = words;
  if (is_upper(std::string(text::prefix(surface, 1)))) {
    const std::string first(text::prefix(words[0], 1));
    restored[0] = upper(first) + words[0].substr(first.size());
  }
  return restored;
}

std::string MultiwordRules::lower(const std::string& text) const {
  return is_ascii(text) ? text::lower_case(std::string_view(text)) : letters_.lower(text);
}

std::string MultiwordRules::upper(const std::string& text) const { return is_ascii(text) ? upper_of_core(text) : letters_.upper(text); }

bool MultiwordRules::is_upper(const std::string& text) const {
  if (!is_ascii(text)) return letters_.is_upper(text);
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return std::ranges::none_of(text, is_small) && std::ranges::any_of(text, is_capital);
}

}  // namespace accord::tasks
