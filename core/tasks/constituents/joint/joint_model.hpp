// SPDX-License-Identifier: Apache-2.0
// A trained joint model of words, tags and phrases at work (Qian & Liu 2012): words that a text may have -> scores of their tags by a
// tagger -> a chart of phrases over the lattice of tagged words. Immutable; any number of threads may share it.
//
// Score:  words * (scores of the words) + tags * (tagger: tags and transitions) + phrases * (features of phrases) + bonus * (words).
// The tagger sees the likeliest words on both sides of a word (core/constituents/joint/tagged_lattice.hpp).
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/tasks/constituents/joint/phrase_features.hpp"
#include "core/tasks/labeller/model.hpp"
#include "core/text/features/tables.hpp"

namespace accord::tasks {

using PhraseTable = std::variant<text::WeightTable<int8_t>, text::WeightTable<int16_t>>;

// Words that a text may have, between places from 0 to length.
struct WordChoices {
  int length = 0;
  std::vector<constituents::LatticeWord> words;
  std::vector<std::string> forms;  // by word
  std::vector<int32_t> tags;       // by word: a tag that is known, or -1
};

// No value has a default here: accord.tasks.joint_constituents declares them, with bounds and text.
struct JointRequest {
  double words, tags, phrases;  // weights of the three scores
  double bonus;                 // of each word, whatever it is: evens out scores that grow with the number of words
  bool normal_tags;             // scores of tags are logarithms of probabilities given the words around, before transitions
  int beam;                     // 0: none
  double gap;                   // with a beam: spans whose sum is worse than the best one's by more are not joined; 0: all are
  int most_tags;                // candidates of a word, the best by its own scores; 0: all
  bool tied;                    // the parser's tag of a word is the tagger's
  bool pipeline;                // the best words, then the best tags, then the best phrases
  int threads;
};

struct JointWord {
  int32_t given, tag;  // number among the words of the text's choices
};

struct JointSpan {
  int32_t begin, end, bottom, top;  // words from begin to before end; states
};

struct JointAnswer {
  double score = 0;
  bool whole = true;  // false: no root spans the text, so several trees stand side by side
  std::vector<JointWord> words;
  std::vector<JointSpan> spans;  // a span before those inside it
};

class JointPhraseModel {
 public:
  // Tags are the first states of the grammar and the labels of the tagger, which must outlive the model. Throws std::invalid_argument
  // when the parts do not fit together.
  JointPhraseModel(const LabellerModel& tagger, std::vector<std::string> tags, constituents::Grammar grammar, const std::string& templates,
                   PhraseTable table, text::ClusterLexicon clusters);

  std::vector<JointAnswer> parse(const std::vector<WordChoices>& texts, const JointRequest& request) const;
  std::vector<JointAnswer> kbest(const WordChoices& text, int k, const JointRequest& request) const;

 private:
  struct Worker;

  std::vector<JointAnswer> find(const WordChoices& text, int k, const JointRequest& request, Worker& worker) const;
  std::vector<constituents::TaggedWord> candidates(const WordChoices& text, const constituents::WordLattice& lattice,
                                                   const JointRequest& request, Worker& worker) const;
  std::vector<JointAnswer> search(const WordChoices& text, const constituents::WordLattice& words,
                                  const constituents::TaggedLattice& lattice, int k, const JointRequest& request, Worker& worker) const;

  const LabellerModel& tagger_;
  std::vector<std::string> tags_;
  constituents::Grammar grammar_;
  PhraseTemplates templates_;
  PhraseTable table_;
  text::ClusterLexicon clusters_;
};

}  // namespace accord::tasks
