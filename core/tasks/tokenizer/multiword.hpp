// SPDX-License-Identifier: Apache-2.0
// Words of multiword tokens, by surface form and by endings.
//
// A known surface form has the words that its rule says, or is one word. An unknown one has what its longest known ending says: an edit
// that cuts the end off, puts another behind the rest and adds words ("n't": cut three letters, add "n't"). Case is that of the surface
// form. One look-up a form, and one for each length of endings.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accord::tasks {

using Words = std::vector<std::string>;

// Case of words that are not ASCII. The core's own mapping knows a few scripts; Python lends that of all Unicode.
struct CaseMapping {
  std::function<std::string(const std::string&)> lower, upper;
  std::function<bool(const std::string&)> is_upper;  // there are letters with case, and all of them are capitals

  static CaseMapping of_core();
};

class MultiwordRules {
 public:
  // Lines of kind, form or ending, and the rest, with tabs between: "form" and "exact" with words; "ending" with the number of letters
  // to cut, what to put there, and words. Forms and endings are in lower case, those of "exact" are as they are. Throws
  // std::invalid_argument for a line that is no rule.
  explicit MultiwordRules(std::string text = {}, CaseMapping letters = CaseMapping::of_core());

  const std::string& text() const { return text_; }
  // The words of a surface form; none for one word.
  Words split(const std::string& surface) const;
  // What the longest known ending of a form in lower case says.
  Words by_ending(const std::string& lower) const;

 private:
  struct Edit {
    size_t cut;  // letters
    std::string ending;
    Words words;
  };

  void add_rule(std::string_view line);
  Words restore_case(const std::string& surface, const std::string& lower, const Words& words) const;
  std::string lower(const std::string& text) const;
  std::string upper(const std::string& text) const;
  bool is_upper(const std::string& text) const;

  std::string text_;
  CaseMapping letters_;
  std::unordered_map<std::string, Words> forms_, exact_;
  std::unordered_map<std::string, Edit> endings_;
};

}  // namespace accord::tasks
