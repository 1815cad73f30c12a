// SPDX-License-Identifier: Apache-2.0
// Editing: new values of whole columns beside the buffer that was read, checked one by one. O(words) for each edited column.
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/text/documents/document.hpp"
#include "core/text/utf8.hpp"

namespace accord::text {
namespace {

std::string shouted(Column column) {
  std::string name(column_names[static_cast<size_t>(column)]);
  for (char& letter : name) letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}

void check_count(size_t count, const Document& document, Column column) {
  if (document.layout().place(column) < 0) {
    throw std::invalid_argument(std::string(document.layout().name) + " has no " + shouted(column) + " column");
  }
  if (count == document.total_words()) return;
  throw std::invalid_argument(std::to_string(count) + " values of " + shouted(column) + " for " + std::to_string(document.total_words()) +
                              " words");
}

// The word being written.
struct Place {
  size_t sentence;  // from 0
  size_t length;    // its words
  size_t word;      // 1..length
  size_t index;     // among all words of the document, from 0
};

[[noreturn]] void refuse(const Place& place, Column column, const std::string& fault) {
  throw std::invalid_argument("word " + std::to_string(place.word) + " of sentence " + std::to_string(place.sentence + 1) + ": " +
                              shouted(column) + " " + fault);
}

// Refuse a value that would end its field, its line or the promise of UTF-8.
void check_value(std::string_view value, Column column, const Place& place) {
  constexpr std::string_view structural("\t\n\r\0", 4);
  if (value.empty()) refuse(place, column, "is empty");
  if (value.find_first_of(structural) != value.npos) {
    refuse(place, column, "holds a tab, a line end or a NUL byte");
  }
  if (!is_utf8(value)) refuse(place, column, "is not UTF-8");
}

std::string_view misc_key(std::string_view entry) { return entry.substr(0, entry.find('=')); }

template <typename Visit>
void for_each_entry(std::string_view entries, Visit visit) {
  while (!entries.empty()) {
    const size_t bar = entries.find('|');
    visit(entries.substr(0, bar));
    entries.remove_prefix(bar == entries.npos ? entries.size() : bar + 1);
  }
}

// Entries of `added` go to the end; an entry of `misc` with the same key makes room for it.
void append_merged_misc(std::string& out, std::string_view misc, std::string_view added) {
  const size_t begin = out.size();
  const auto append = [&](std::string_view entry) {
    if (out.size() > begin) out += '|';
    out += entry;
  };
  if (misc != "_") {
    for_each_entry(misc, [&](std::string_view old_entry) {
      bool replaced = false;
      for_each_entry(added, [&](std::string_view entry) { replaced |= misc_key(entry) == misc_key(old_entry); });
      if (!replaced) append(old_entry);
    });
  }
  for_each_entry(added, append);
}

void append_head(std::string& out, int32_t head, const Place& place) {
  const auto length = static_cast<int32_t>(place.length);
  if (head < -1 || head > length) {
    refuse(place, Column::head, std::to_string(head) + " is out of range 0.." + std::to_string(length));
  }
  if (head < 0) {
    out += '_';
    return;
  }
  char digits[12];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, head).ptr);
}

// The new value of one field, which was `old`.
void append_value(std::string& out, std::string_view old, Column column, const Edits& edits, const Place& place) {
  if (column == Column::head) return append_head(out, edits.heads[place.index], place);
  const std::span<const std::string_view> values = edits.columns[static_cast<size_t>(column)];
  const std::string_view value = values.empty() ? old : values[place.index];
  check_value(value, column, place);
  if (column != Column::misc || edits.misc_entries.empty() || edits.misc_entries[place.index].empty()) {
    out += value;
    return;
  }
  check_value(edits.misc_entries[place.index], column, place);
  append_merged_misc(out, value, edits.misc_entries[place.index]);
}

// The columns that change, as they stand in the file from left to right.
std::vector<Column> edited_columns(const Edits& edits, const Document& document) {
  std::vector<Column> edited;
  for (size_t c = 0; c < column_count; ++c) {
    const auto column = static_cast<Column>(c);
    size_t count = edits.columns[c].size();
    if (count > 0 && (column == Column::id || column == Column::head)) {
      throw std::invalid_argument(shouted(column) + " is not a column of strings");
    }
    if (column == Column::head) count = edits.heads.size();
    if (column == Column::misc && !edits.misc_entries.empty()) {
      if (count > 0 && count != edits.misc_entries.size()) check_count(count, document, column);
      count = edits.misc_entries.size();
    }
    if (count == 0) continue;
    check_count(count, document, column);
    edited.push_back(column);
  }
  std::sort(edited.begin(), edited.end(), [&](Column a, Column b) { return document.layout().place(a) < document.layout().place(b); });
  return edited;
}

// "# key = value" -> "key"
std::string_view comment_key(std::string_view comment) {
  constexpr std::string_view blanks = " \t\v\f\r\n";
  comment.remove_prefix(std::min(comment.find_first_not_of('#'), comment.size()));
  comment = comment.substr(0, comment.find('='));
  comment.remove_prefix(std::min(comment.find_first_not_of(blanks), comment.size()));
  return comment.substr(0, comment.find_last_not_of(blanks) + 1);
}

}  // namespace

Document Document::edited(const Edits& edits) const {
  Document result = *this;
  for (const Column column : edited_columns(edits, *this)) {
    const auto values = std::make_shared<ColumnValues>();
    values->reserve(total_words(), total_words() * 8);
    Place place{};
    for (; place.sentence < sentences(); ++place.sentence) {
      place.length = words(place.sentence);
      for (place.word = 1; place.word <= place.length; ++place.word, ++place.index) {
        append_value(values->text(), field(place.index, column), column, edits, place);
        values->end_value();
      }
    }
    result.edited_[static_cast<size_t>(column)] = values;
  }
  if (!edits.heads.empty()) result.heads_.assign(edits.heads.begin(), edits.heads.end());
  return result;
}

Document Document::with_comments(std::string key, std::vector<std::optional<std::string>> values) const {
  if (values.size() != sentences()) {
    throw std::invalid_argument(std::to_string(values.size()) + " comments for " + std::to_string(sentences()) + " sentences");
  }
  Document result = *this;
  result.added_comments_.push_back(std::make_shared<AddedComments>(AddedComments{std::move(key), std::move(values)}));
  return result;
}

std::vector<Document::Comment> Document::edited_comments(size_t sentence) const {
  std::vector<Comment> comments;
  for (std::string_view line : comment_lines(sentence)) comments.push_back({line, {}});
  for (const auto& added : added_comments_) {
    const std::optional<std::string>& value = added->values[sentence];
    if (!value) continue;
    const auto same = [&](const Comment& comment) { return comment_key(comment.content()) == added->key; };
    const auto old = std::find_if(comments.begin(), comments.end(), same);
    Comment& place = old != comments.end() ? *old : comments.emplace_back();
    place.added = "# " + added->key + " = " + *value;
  }
  return comments;
}

std::vector<std::string> Document::comments(size_t sentence) const {
  std::vector<std::string> contents;
  for (const Comment& comment : edited_comments(sentence)) contents.emplace_back(comment.content());
  return contents;
}

}  // namespace accord::text
