// SPDX-License-Identifier: Apache-2.0
// What one thread of a parser works in.
#pragma once
#include <memory>
#include <vector>

#include "core/parallel.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/tasks/parser/tree_labeller.hpp"

namespace accord::tasks {

struct ParserModel::Workspace {
  explicit Workspace(const ParserModel& model)
      : scorer(model.make_scorer()),
        space(trees::make_tree_space(model.settings_.projective, model.settings_.single_root)),
        pruner(model.templates_, model.settings_.pruner, model.settings_.projective, model.settings_.single_root, true),
        decoder(model.settings_.projective, model.settings_.single_root),
        part_sums(model.settings_.projective, model.settings_.single_root),
        labeller(model.templates_, model.tables_.tree_labels, model.tables_.label_pairs, model.settings_.labels),
        label_scores(static_cast<size_t>(model.settings_.labels)) {}

  // One sentence, loaded alone.
  void load(const text::Document& document, size_t sentence) {
    const size_t alone[] = {sentence};
    scorer->load(document, alone);
    select(document, sentence, 0);
  }
  void select(const text::Document& document, size_t sentence, size_t place) {
    scorer->select(place);
    words = document.words(sentence);
  }

  std::unique_ptr<SentenceScorer> scorer;
  size_t words = 0;  // of the sentence at hand
  std::unique_ptr<trees::TreeSpace> space;
  Pruner pruner;
  parses::PartDecoder decoder;
  parses::PartSums part_sums;
  TreeLabeller<text::WeightTable<int16_t>, text::WeightTable<int8_t>> labeller;
  parses::PartLayout layout;
  std::vector<double> parts;  // scores by slot
  std::vector<double> arcs, sums, marginals;
  std::vector<uint16_t> best;  // joint mode: best label of each arc
  std::vector<float> label_scores;
  std::vector<double> label_logs, label_marginals;  // by word: log-probability of its label; by candidate of the tree labeller
  double all_labels_log = 0;                        // log-probability of the labels of all words together
  std::vector<int32_t> heads, labels, choice;
  std::vector<int32_t> classes;  // of a task, for all positions of a batch
  GivenWords given;              // of the sentence at hand
};

template <typename Workspace, typename Visit>
void for_each_of(Workspace& work, const text::Document& document, std::span<const size_t> sentences, Visit&& visit) {
  for (size_t place = 0; place < sentences.size(); ++place) {
    work.select(document, sentences[place], place);
    visit(sentences[place]);
  }
}

template <typename Visit>
void ParserModel::for_each_batch(const text::Document& document, int threads, Visit&& visit) const {
  std::vector<std::vector<size_t>> batches;
  if (network_) {
    batches = length_batches(document);
  } else {
    for (size_t sentence = 0; sentence < document.sentences(); ++sentence)
      if (document.words(sentence) > 0) batches.push_back({sentence});
  }
  std::vector<std::unique_ptr<Workspace>> work(static_cast<size_t>(thread_count(threads, batches.size())));
  parallel_for(batches.size(), threads, [&](int worker, size_t index) {
    auto& mine = work[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Workspace>(*this);
    mine->scorer->load(document, batches[index]);
    visit(*mine, std::span<const size_t>(batches[index]));
  });
}

template <typename Visit>
void ParserModel::for_each_sentence(const text::Document& document, int threads, Visit&& visit) const {
  for_each_batch(document, threads, [&](Workspace& work, std::span<const size_t> sentences) {
    for_each_of(work, document, sentences, [&](size_t sentence) { visit(work, sentence); });
  });
}

}  // namespace accord::tasks
