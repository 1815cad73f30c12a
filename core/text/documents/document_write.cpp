// SPDX-License-Identifier: Apache-2.0
// Writing: the buffer is copied and replaced fields are spliced in, so what was not asked to change cannot change.
// O(bytes).
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

// Copies the document while replacing fields from left to right.
class Splicer {
 public:
  Splicer(std::string_view source, std::string& out) : source_(source), out_(out) {}

  // Copy up to the field and return where its new value goes.
  std::string& open(std::string_view field) {
    const size_t begin = static_cast<size_t>(field.data() - source_.data());
    out_.append(source_.substr(done_, begin - done_));
    done_ = begin + field.size();
    return out_;
  }
  void finish() { out_.append(source_.substr(done_)); }

 private:
  std::string_view source_;
  std::string& out_;
  size_t done_ = 0;
};

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

// Spaces may stand in fields of CoNLL-U, not of CoNLL-X.
void append_without_spaces(std::string& out, std::string_view value) {
  const size_t begin = out.size();
  out += value;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), ' ', '_');
}

}  // namespace

std::string Document::write(const Edits& edits) const {
  const std::vector<Column> edited = edited_columns(edits, *this);
  if (edited.empty()) return bytes_;
  std::string out;
  out.reserve(bytes_.size() + bytes_.size() / 8);
  Splicer splicer(bytes_, out);
  Place place{};
  for (; place.sentence < sentences(); ++place.sentence) {
    place.length = words(place.sentence);
    for (place.word = 1; place.word <= place.length; ++place.word, ++place.index) {
      for (const Column column : edited) {
        const std::string_view old = field(place.sentence, place.word, column);
        append_value(splicer.open(old), old, column, edits, place);
      }
    }
  }
  splicer.finish();
  return out;
}

std::string Document::to_conllu() const {
  std::string out;
  out.reserve(bytes_.size());
  for (size_t sentence = 0; sentence < sentences(); ++sentence) {
    if (broken(sentence)) continue;
    for (const std::string_view comment : comments(sentence)) (out += comment) += '\n';
    for (const Fields& fields : rows(sentence)) {
      for (size_t c = 0; c < column_count; ++c) (out += fields[c]) += c + 1 < column_count ? '\t' : '\n';
    }
    out += '\n';
  }
  return out;
}

std::string Document::to_conllx() const {
  constexpr std::array<Column, 8> shared = {Column::id,   Column::form,  Column::lemma, Column::upos,
                                            Column::xpos, Column::feats, Column::head,  Column::deprel};
  std::string out;
  out.reserve(bytes_.size());
  for (size_t sentence = 0; sentence < sentences(); ++sentence) {
    if (broken(sentence)) continue;
    for (size_t word = 1; word <= words(sentence); ++word) {
      for (const Column column : shared) {
        append_without_spaces(out, field(sentence, word, column));
        out += '\t';
      }
      out += "_\t_\n";
    }
    out += '\n';
  }
  return out;
}

}  // namespace accord::text
