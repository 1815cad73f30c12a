// SPDX-License-Identifier: Apache-2.0
// Forwards the joint model of words, tags and phrases of core/tasks/constituents/joint to Python: accord._core.tasks. No logic here.
#include "bindings/tasks/phrase_trainer.hpp"
#include "bindings/tasks/stored_table.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/constituents/joint/joint_model.hpp"
#include "core/tasks/constituents/joint/joint_trainer.hpp"

namespace joint_phrases_binding {

using namespace accord;
using namespace accord::tasks;

PhraseTable phrase_table(nb::handle item) {
  const StoredTable stored(item);
  if (Chars narrow; nb::try_cast(stored.values, narrow, false)) return stored.table<int8_t>(text::TableKind::hash);
  return stored.table<int16_t>(text::TableKind::hash);
}

std::vector<constituents::BinaryRule> binary_rules(const Integers& rows) {
  if (rows.size() % 3 != 0) throw std::invalid_argument("binary rules are rows of three states");
  std::vector<constituents::BinaryRule> rules;
  for (size_t k = 0; k + 2 < rows.size(); k += 3) rules.push_back({rows.data()[k], rows.data()[k + 1], rows.data()[k + 2]});
  return rules;
}

std::vector<constituents::UnaryRule> unary_rules(const Integers& rows) {
  if (rows.size() % 2 != 0) throw std::invalid_argument("unary rules are rows of two states");
  std::vector<constituents::UnaryRule> rules;
  for (size_t k = 0; k + 1 < rows.size(); k += 2) rules.push_back({rows.data()[k], rows.data()[k + 1]});
  return rules;
}

// The words that each of some texts may have.
struct Choices {
  std::vector<WordChoices> texts;
};

// Texts from flat arrays: the words of text t are those from starts[t] to starts[t + 1].
std::vector<WordChoices> word_choices(const Lengths& lengths, const Indices& starts, const Integers& begins, const Integers& ends,
                                      const Doubles& scores, const std::vector<std::string>& forms, const Integers& tags) {
  const size_t count = forms.size();
  if (starts.size() != lengths.size() + 1 || begins.size() != count || ends.size() != count || scores.size() != count ||
      tags.size() != count)
    throw std::invalid_argument("one begin, end, score, form and tag for each word");
  std::vector<WordChoices> texts(lengths.size());
  for (size_t t = 0; t < texts.size(); ++t) {
    texts[t].length = static_cast<int>(lengths.data()[t]);
    const auto first = static_cast<size_t>(starts.data()[t]), last = static_cast<size_t>(starts.data()[t + 1]);
    if (first > last || last > count) throw std::invalid_argument("words of texts stand in their order");
    for (size_t w = first; w < last; ++w) {
      texts[t].words.push_back({begins.data()[w], ends.data()[w], scores.data()[w]});
      texts[t].forms.push_back(forms[w]);
      texts[t].tags.push_back(tags.data()[w]);
    }
  }
  return texts;
}

// (score, whole, words as rows (number among the given ones, tag), spans as rows (begin, end, bottom, top))
using AnswerOut = std::tuple<double, bool, IntegersOut, IntegersOut>;

AnswerOut answer_out(const JointAnswer& answer) {
  std::vector<int32_t> words, spans;
  for (const JointWord& word : answer.words) words.insert(words.end(), {word.given, word.tag});
  for (const JointSpan& span : answer.spans) spans.insert(spans.end(), {span.begin, span.end, span.bottom, span.top});
  return {answer.score, answer.whole, to_numpy(std::move(words), {answer.words.size(), 2}),
          to_numpy(std::move(spans), {answer.spans.size(), 4})};
}

std::vector<AnswerOut> answers_out(const std::vector<JointAnswer>& answers) {
  std::vector<AnswerOut> out;
  for (const JointAnswer& one : answers) out.push_back(answer_out(one));
  return out;
}

}  // namespace joint_phrases_binding

void bind_joint_phrases(nb::module_& module) {
  using namespace joint_phrases_binding;
  nb::class_<constituents::Grammar>(module, "PhraseGrammar")
      .def(
          "__init__",
          [](constituents::Grammar* self, int states, int tags, int helpers, const Integers& binary, const Integers& unary,
             const Integers& roots) {
            new (self) constituents::Grammar(states, tags, helpers, binary_rules(binary), unary_rules(unary), copied(roots));
          },
          nb::kw_only(), nb::arg("states"), nb::arg("tags"), nb::arg("helpers"), nb::arg("binary"), nb::arg("unary"), nb::arg("roots"));
  nb::class_<JointRequest>(module, "JointRequest")
      .def(
          "__init__",
          [](JointRequest* self, double words, double tags, double phrases, double bonus, bool normal_tags, int beam, double gap,
             int most_tags, bool tied, bool pipeline, int threads) {
            new (self) JointRequest{words, tags, phrases, bonus, normal_tags, beam, gap, most_tags, tied, pipeline, threads};
          },
          nb::kw_only(), nb::arg("words"), nb::arg("tags"), nb::arg("phrases"), nb::arg("bonus"), nb::arg("normal_tags"), nb::arg("beam"),
          nb::arg("gap"), nb::arg("most_tags"), nb::arg("tied"), nb::arg("pipeline"), nb::arg("threads"));
  nb::class_<Choices>(module, "WordChoices")
      .def(
          "__init__",
          [](Choices* self, const Lengths& lengths, const Indices& starts, const Integers& begins, const Integers& ends,
             const Doubles& scores, const std::vector<std::string>& forms,
             const Integers& tags) { new (self) Choices{word_choices(lengths, starts, begins, ends, scores, forms, tags)}; },
          nb::kw_only(), nb::arg("lengths"), nb::arg("starts"), nb::arg("begins"), nb::arg("ends"), nb::arg("scores"), nb::arg("forms"),
          nb::arg("tags"))
      .def("__len__", [](const Choices& choices) { return choices.texts.size(); });
  nb::class_<JointPhraseModel>(module, "JointPhraseModel")
      .def(
          "__init__",
          [](JointPhraseModel* self, const LabellerModel& tagger, const std::vector<std::string>& tags,
             const constituents::Grammar& grammar, const std::string& templates, nb::object table, const text::ClusterLexicon& clusters) {
            new (self) JointPhraseModel(tagger, tags, grammar, templates, phrase_table(table), clusters);
          },
          nb::arg("tagger"), nb::arg("tags"), nb::arg("grammar"), nb::arg("templates"), nb::arg("table"), nb::arg("clusters"),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>())
      .def(
          "parse",
          [](const JointPhraseModel& model, const Choices& choices, const JointRequest& request) {
            std::vector<JointAnswer> answers;
            {
              Unlocked released;
              answers = model.parse(choices.texts, request);
            }
            return answers_out(answers);
          },
          nb::arg("choices"), nb::arg("request"))
      .def(
          "kbest",
          [](const JointPhraseModel& model, const Choices& choices, size_t text, int k, const JointRequest& request) {
            return answers_out(model.kbest(choices.texts.at(text), k, request));
          },
          nb::arg("choices"), nb::arg("text"), nb::arg("k"), nb::arg("request"));
  nb::class_<JointTrainer> trainer(module, "JointTrainer");
  trainer.def(
      "__init__",
      [](JointTrainer* self, const std::string& templates, const constituents::Grammar& grammar, int beam,
         const PhraseTrainerSettings& settings, const text::Sequences& sequences, const Integers& gold, const Indices& starts,
         const text::ClusterLexicon& clusters) {
        new (self) JointTrainer(templates, grammar, beam, settings, sequences, view(gold), view(starts), clusters);
      },
      nb::kw_only(), nb::arg("templates"), nb::arg("grammar"), nb::arg("beam"), nb::arg("settings"), nb::arg("sequences"), nb::arg("gold"),
      nb::arg("starts"), nb::arg("clusters"), nb::keep_alive<1, 6>());
  bind_phrase_trainer(trainer);
}
