// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie_batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "benchmarks/trie/trie_sharing.hpp"

namespace accord::text {
namespace {

// Takes the label rows of one part after another and makes the output asked for.
class Collector {
 public:
  Collector(const LabelRows& labels, BatchOutput output, std::size_t part_count)
      : labels_(labels),
        output_(output),
        scores_(static_cast<std::size_t>(labels.label_count()), 0.0) {
    if (output == BatchOutput::best_label) {
      result_.best_labels.reserve(part_count);
      result_.best_scores.reserve(part_count);
    }
    if (output == BatchOutput::features) result_.feature_begin.assign(1, 0);
  }

  bool adds_scores() const { return output_ == BatchOutput::best_label; }
  std::span<double> scores() { return scores_; }
  void count(std::uint64_t label_rows, std::uint64_t checksum) {
    result_.label_rows += label_rows;
    part_checksum_ += checksum;
  }
  void count_visits(std::size_t visits) { result_.visits += visits; }

  void found(std::uint32_t label_row) {
    count(1, label_row + std::uint64_t{1});
    if (output_ == BatchOutput::best_label) labels_.add_scores(label_row, scores_.data());
    if (output_ == BatchOutput::features) labels_.append_features(label_row, result_.features);
  }

  void end_part() {
    result_.checksum = (result_.checksum ^ part_checksum_) * 0x9E3779B97F4A7C15u;
    part_checksum_ = 0;
    if (output_ == BatchOutput::features) result_.feature_begin.push_back(static_cast<std::int64_t>(result_.features.size()));
    if (output_ != BatchOutput::best_label) return;
    const auto best = std::max_element(scores_.begin(), scores_.end());
    result_.best_labels.push_back(static_cast<std::int32_t>(best - scores_.begin()));
    result_.best_scores.push_back(*best);
    std::fill(scores_.begin(), scores_.end(), 0.0);
  }

  BatchResult take() && { return std::move(result_); }

 private:
  const LabelRows& labels_;
  BatchOutput output_;
  std::vector<double> scores_;
  std::uint64_t part_checksum_ = 0;
  BatchResult result_;
};

// Walks every part by itself: walk(tokens, found) returns the visits.
template <typename Walk>
BatchResult extract_each(const FeatureTrie& trie, const PartBatch& batch, BatchOutput output, Walk&& walk) {
  batch.check(trie.tree().unit_count());
  Collector collector(trie.labels(), output, batch.part_count());
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(trie.tree().unit_count()));
  for (std::size_t part = 0; part < batch.part_count(); ++part) {
    batch.gather(part, tokens);
    collector.count_visits(walk(tokens.data(), [&](std::uint32_t label_row) { collector.found(label_row); }));
    collector.end_part();
  }
  return std::move(collector).take();
}

// What the walk of one filling left behind, for the parts of the sentence that have it.
struct SharedWalk {
  std::int64_t sentence = -1;  // the sentence it was made for; others do not see it
  std::size_t frontier_begin = 0, frontier_end = 0;
  std::size_t rows_begin = 0, rows_end = 0;
  std::size_t scores_begin = 0;
  std::uint64_t checksum = 0;
};

template <typename Cells>
class SharedExtraction {
 public:
  SharedExtraction(const FeatureTrie& trie, const Cells& cells, const PartBatch& batch, Collector& collector)
      : trie_(trie),
        cells_(cells),
        batch_(batch),
        collector_(collector),
        plan_(trie.tree(), unit_sets(batch)) {
    for (const PartContext& context : batch.contexts) {
      walks_.emplace_back(context.tokens.size() / std::max<std::size_t>(1, context.units.size()));
      overlaps_.push_back(overlaps_another(context));
    }
    for (const std::int32_t root : plan_.unshared_roots()) root_frontier_.push_back({static_cast<std::uint32_t>(root), 0});
    tokens_.resize(static_cast<std::size_t>(trie.tree().unit_count()));
  }

  void sentence(std::int64_t number, std::size_t begin, std::size_t end) {
    frontier_.clear();
    rows_.clear();
    scores_.clear();
    for (std::size_t part = begin; part < end; ++part) {
      batch_.gather(part, tokens_);
      const std::int32_t* fillings = batch_.fillings.data() + part * batch_.contexts.size();
      for (std::size_t context = 0; context < batch_.contexts.size(); ++context) {
        if (fillings[context] >= 0) resume(shared_walk(context, static_cast<std::size_t>(fillings[context]), number));
        else if (overlaps_[context]) walk_alone(context);
      }
      collector_.count_visits(walk_frontier(trie_.tree(), cells_, root_frontier_, tokens_.data(), found()));
      collector_.end_part();
    }
  }

 private:
  static std::vector<std::vector<std::int32_t>> unit_sets(const PartBatch& batch) {
    std::vector<std::vector<std::int32_t>> sets;
    for (const PartContext& context : batch.contexts) sets.push_back(context.units);
    return sets;
  }

  bool overlaps_another(const PartContext& context) const {
    return std::any_of(batch_.contexts.begin(), batch_.contexts.end(), [&](const PartContext& other) {
      return &other != &context &&
             std::find_first_of(other.units.begin(), other.units.end(), context.units.begin(), context.units.end()) != other.units.end();
    });
  }

  auto found() {
    return [this](std::uint32_t label_row) { collector_.found(label_row); };
  }

  // The walk of this filling, made now if the sentence meets it for the first time. The tokens of the part serve,
  // since the walk looks at no unit outside the context.
  const SharedWalk& shared_walk(std::size_t context, std::size_t filling, std::int64_t sentence) {
    SharedWalk& walk = walks_[context][filling];
    if (walk.sentence == sentence) return walk;
    walk = {sentence, frontier_.size(), 0, rows_.size(), 0, scores_.size(), 0};
    collector_.count_visits(
        walk_context(trie_.tree(), cells_, plan_.steps(context), tokens_.data(), frontier_, [&](std::uint32_t label_row) {
          rows_.push_back(label_row);
          walk.checksum += label_row + std::uint64_t{1};
        }));
    walk.frontier_end = frontier_.size();
    walk.rows_end = rows_.size();
    if (collector_.adds_scores()) {
      scores_.resize(scores_.size() + collector_.scores().size(), 0.0);
      for (std::size_t row = walk.rows_begin; row < walk.rows_end; ++row)
        trie_.labels().add_scores(rows_[row], scores_.data() + walk.scores_begin);
    }
    return walk;
  }

  void resume(const SharedWalk& walk) {
    if (collector_.adds_scores()) {
      const std::span<double> scores = collector_.scores();
      for (std::size_t label = 0; label < scores.size(); ++label) scores[label] += scores_[walk.scores_begin + label];
      collector_.count(walk.rows_end - walk.rows_begin, walk.checksum);
    } else {
      for (std::size_t row = walk.rows_begin; row < walk.rows_end; ++row) collector_.found(rows_[row]);
    }
    const auto frontier = std::span(frontier_).subspan(walk.frontier_begin, walk.frontier_end - walk.frontier_begin);
    collector_.count_visits(walk_frontier(trie_.tree(), cells_, frontier, tokens_.data(), found()));
  }

  // A part without this context may still have some of its units from another one.
  void walk_alone(std::size_t context) {
    lone_frontier_.clear();
    collector_.count_visits(walk_context(trie_.tree(), cells_, plan_.steps(context), tokens_.data(), lone_frontier_, found()));
    collector_.count_visits(walk_frontier(trie_.tree(), cells_, lone_frontier_, tokens_.data(), found()));
  }

  const FeatureTrie& trie_;
  const Cells& cells_;
  const PartBatch& batch_;
  Collector& collector_;
  SharingPlan plan_;
  std::vector<std::vector<SharedWalk>> walks_;  // by context and filling
  std::vector<bool> overlaps_;
  std::vector<FrontierEntry> frontier_, root_frontier_, lone_frontier_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> scores_;
  std::vector<std::int32_t> tokens_;
};

void require(bool holds, const char* reason) {
  if (!holds) throw std::invalid_argument(std::string("wrong batch of parts: ") + reason);
}

}  // namespace

void PartBatch::check(std::int32_t unit_count) const {
  std::vector<bool> in_context(static_cast<std::size_t>(unit_count), false);
  const auto in_range = [&](std::int32_t unit) { return unit >= 0 && unit < unit_count; };
  for (const PartContext& context : contexts) {
    require(std::all_of(context.units.begin(), context.units.end(), in_range), "a context has a unit out of range");
    require(!context.units.empty() && context.tokens.size() % context.units.size() == 0, "a context lacks tokens");
    for (const std::int32_t unit : context.units) in_context[static_cast<std::size_t>(unit)] = true;
  }
  for (const std::int32_t unit : own_units)
    require(in_range(unit) && !in_context[static_cast<std::size_t>(unit)], "an own unit is out of range or in a context");
  require(std::is_sorted(sentences.begin(), sentences.end()) && (sentences.empty() || sentences.front() == 0),
          "sentences must start at part 0 and follow each other");
  require(fillings.size() == part_count() * contexts.size(), "a part lacks fillings");
  require(own_tokens.size() == part_count() * own_units.size(), "a part lacks own tokens");
  for (std::size_t at = 0; at < fillings.size(); ++at) {
    const PartContext& context = contexts[at % contexts.size()];
    require(fillings[at] < static_cast<std::int64_t>(context.tokens.size() / context.units.size()), "no such filling");
  }
}

void PartBatch::gather(std::size_t part, std::span<std::int32_t> tokens) const {
  std::fill(tokens.begin(), tokens.end(), -1);
  for (std::size_t index = 0; index < contexts.size(); ++index) {
    const std::int32_t filling = fillings[part * contexts.size() + index];
    if (filling < 0) continue;
    const PartContext& context = contexts[index];
    const std::int32_t* from = context.tokens.data() + static_cast<std::size_t>(filling) * context.units.size();
    for (const std::int32_t unit : context.units) tokens[static_cast<std::size_t>(unit)] = *from++;
  }
  const std::int32_t* from = own_tokens.data() + part * own_units.size();
  for (const std::int32_t unit : own_units) tokens[static_cast<std::size_t>(unit)] = *from++;
}

void insert_batch(FeatureTrie& trie, const PartBatch& batch, std::span<const std::int32_t> labels) {
  batch.check(trie.tree().unit_count());
  require(labels.size() == batch.part_count(), "every part needs a label");
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(trie.tree().unit_count()));
  std::vector<std::int32_t> features;
  for (std::size_t part = 0; part < batch.part_count(); ++part) {
    batch.gather(part, tokens);
    features.clear();
    trie.insert_part(tokens, labels[part], features);
  }
}

BatchResult extract_batch(const FeatureTrie& trie, const PartBatch& batch, BatchOutput output) {
  return extract_each(trie, batch, output, [&](const std::int32_t* tokens, auto&& found) { return trie.walk(tokens, found); });
}

BatchResult extract_batch_shared(const FeatureTrie& trie, const PartBatch& batch, BatchOutput output) {
  batch.check(trie.tree().unit_count());
  Collector collector(trie.labels(), output, batch.part_count());
  trie.with_cells([&](const auto& cells) {
    SharedExtraction extraction(trie, cells, batch, collector);
    for (std::size_t sentence = 0; sentence + 1 < batch.sentences.size(); ++sentence)
      extraction.sentence(static_cast<std::int64_t>(sentence), static_cast<std::size_t>(batch.sentences[sentence]),
                          static_cast<std::size_t>(batch.sentences[sentence + 1]));
  });
  return std::move(collector).take();
}

BatchResult extract_batch(const StringHashIndex& index, const FeatureTrie& trie, const PartBatch& batch, BatchOutput output) {
  std::string buffer;
  return extract_each(trie, batch, output, [&](const std::int32_t* tokens, auto&& found) { return index.walk(tokens, buffer, found); });
}

BatchResult extract_batch(const ByteTrieIndex& index, const FeatureTrie& trie, const PartBatch& batch, BatchOutput output) {
  std::string buffer;
  return extract_each(trie, batch, output, [&](const std::int32_t* tokens, auto&& found) { return index.walk(tokens, buffer, found); });
}

std::vector<double> measure_presence(const FeatureTrie& trie, const PartBatch& batch) {
  batch.check(trie.tree().unit_count());
  std::vector<std::int32_t> template_of_row(trie.labels().row_count(), -1);
  trie.for_each_path([&](const FeatureTrie::StoredPath& path) { template_of_row[path.label_row] = path.template_id; });
  std::vector<double> presence(trie.tree().template_count(), 0.0);
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(trie.tree().unit_count()));
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, batch.part_count()));
  for (std::size_t part = 0; part < batch.part_count(); ++part) {
    batch.gather(part, tokens);
    trie.walk(tokens.data(), [&](std::uint32_t label_row) { presence[static_cast<std::size_t>(template_of_row[label_row])] += share; });
  }
  return presence;
}

}  // namespace accord::text
