// SPDX-License-Identifier: Apache-2.0
// Writing: the buffer is copied and replaced fields are spliced in, so what was not asked to change cannot change.
// O(bytes).
#include <algorithm>

#include "core/text/documents/document.hpp"

namespace accord::text {
namespace {

// Spaces may stand in fields of CoNLL-U, not of CoNLL-X.
void append_without_spaces(std::string& out, std::string_view value) {
  const size_t begin = out.size();
  out += value;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), ' ', '_');
}

}  // namespace

// Copies a stretch of the buffer while replacing fields and comments from left to right.
class DocumentWriter {
 public:
  explicit DocumentWriter(const Document& document) : document_(document), source_(document.buffer_->bytes) {
    for (size_t c = 0; c < column_count; ++c)
      if (document.edited_[c] != nullptr) edited_.push_back(static_cast<Column>(c));
    const Layout& layout = document.layout();
    std::sort(edited_.begin(), edited_.end(), [&](Column a, Column b) { return layout.place(a) < layout.place(b); });
    const size_t newline = source_.find('\n');
    ending_ = newline != source_.npos && newline > 0 && source_[newline - 1] == '\r' ? "\r\n" : "\n";
  }

  std::string write_all() {
    if (const auto unchanged = document_.as_read()) return std::string(*unchanged);
    out_.reserve(source_.size() + source_.size() / 4);
    for (size_t sentence = 0; sentence < document_.sentences(); ++sentence) write_sentence(sentence);
    copy_to(source_.size());
    return std::move(out_);
  }

  std::string write_one(size_t sentence) {
    done_ = document_.entry(sentence).begin;
    write_sentence(sentence);
    copy_to(document_.entry(sentence).end);
    return std::move(out_);
  }

 private:
  void copy_to(size_t place) {
    out_.append(source_.substr(done_, place - done_));
    done_ = place;
  }

  void write_sentence(size_t sentence) {
    const Document::Sentence& entry = document_.entry(sentence);
    if (!document_.added_comments_.empty()) write_comments(sentence, entry);
    if (edited_.empty()) return;
    for (size_t word = entry.first_word; word < entry.first_word + entry.words; ++word) {
      const size_t row = document_.buffer_->word_rows[word];
      for (const Column column : edited_) {
        const std::string_view old = document_.row_field(row, column);
        const size_t begin = static_cast<size_t>(old.data() - source_.data());
        copy_to(begin);
        out_.append(document_.field(word, column));
        done_ = begin + old.size();
      }
    }
  }

  void write_comments(size_t sentence, const Document::Sentence& entry) {
    copy_to(entry.begin);
    for (const Document::Comment& comment : document_.edited_comments(sentence)) {
      if (comment.added.empty()) {
        out_.append(comment.line);
      } else {
        out_.append(comment.added).append(ending_);
      }
      done_ += comment.line.size();
    }
  }

  const Document& document_;
  const std::string_view source_;
  std::vector<Column> edited_;  // as they stand in the file from left to right
  std::string_view ending_;     // of lines that are added
  std::string out_;
  size_t done_ = 0;  // what was copied or replaced so far
};

std::optional<std::string_view> Document::as_read() const {
  const bool edited = std::any_of(edited_.begin(), edited_.end(), [](const auto& column) { return column != nullptr; });
  if (edited || !added_comments_.empty()) return std::nullopt;
  return buffer_->bytes;
}

std::string Document::write() const { return DocumentWriter(*this).write_all(); }

std::string Document::write(size_t sentence) const { return DocumentWriter(*this).write_one(sentence); }

std::string Document::to_conllu() const {
  std::string out;
  out.reserve(buffer_->bytes.size());
  for (size_t sentence = 0; sentence < sentences(); ++sentence) {
    if (broken(sentence)) continue;
    for (const std::string& comment : comments(sentence)) (out += comment) += '\n';
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
  out.reserve(buffer_->bytes.size());
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
