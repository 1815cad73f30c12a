// SPDX-License-Identifier: Apache-2.0
// Forwards core/chains to Python: accord._core.chains. Scores are checked once, not copied; the interpreter lock is released around
// all work.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/chains/automata.hpp"
#include "core/chains/kbest.hpp"
#include "core/chains/posterior.hpp"
#include "core/parallel.hpp"

namespace chains_binding {

using namespace accord::chains;

const Doubles& checked(const Doubles& scores, const char* kind) {
  bool sound = true;
  for (size_t k = 0; k < scores.size(); ++k) sound &= scores.data()[k] < std::numeric_limits<double>::infinity();
  if (!sound) throw std::invalid_argument(std::string("the score of a ") + kind + " is NaN or +infinity");
  return scores;
}

// A chain and the arrays of its scores, which are not copied: unary scores one position after another; tables of pairs and triples where
// the offsets say, -1: none. In a chain of order m > 2, `pairs` are over m labels and `triples` over m + 1.
class OwnedChain {
 public:
  OwnedChain(const Integers& sizes, const Doubles& unary, int order, const Doubles& pairs, const Indices& pair_offsets,
             const Doubles& triples, const Indices& triple_offsets)
      : sizes_(sizes.data(), sizes.data() + sizes.size()),
        unary_(checked(unary, "label")),
        pairs_(checked(pairs, "pair of labels")),
        triples_(checked(triples, "triple of labels")),
        order_(static_cast<size_t>(std::max(order, 1))) {
    const std::vector<const double*> pair_tables = tables(pairs_, pair_offsets, std::max<size_t>(order_ - 1, 1));
    const std::vector<const double*> triple_tables = tables(triples_, triple_offsets, std::max<size_t>(order_, 2));
    std::vector<const double*> rows;
    size_t begin = 0;
    for (const int size : sizes_) {
      if (size < 1) throw std::invalid_argument("every position must have a label");
      rows.push_back(unary_.data() + begin);
      begin += static_cast<size_t>(size);
    }
    if (begin != unary_.size()) throw std::invalid_argument("there must be one unary score a label");
    order_ > 1 ? chain_.any_order(order, sizes_, rows, pair_tables, triple_tables) : chain_.first_order(sizes_, rows, pair_tables);
  }
  OwnedChain(const OwnedChain&) = delete;
  OwnedChain& operator=(const OwnedChain&) = delete;

  const Chain& chain() const { return chain_; }
  size_t length() const { return sizes_.size(); }
  size_t labels() const { return unary_.size(); }
  size_t order() const { return order_; }

  // The size of the table over position i and as many before it as reach says; 0 where the chain is too short.
  size_t table_size(size_t i, size_t reach) const {
    if (i < reach) return 0;
    size_t size = 1;
    for (size_t j = i - reach; j <= i; ++j) size *= static_cast<size_t>(sizes_[j]);
    return size;
  }

  void check_labels(size_t begin, const Integers& labels) const {
    if (begin > length() || labels.size() > length() - begin)
      throw std::invalid_argument("the labels do not fit into a chain of " + std::to_string(length()));
    for (size_t i = 0; i < labels.size(); ++i)
      if (labels.data()[i] < 0 || labels.data()[i] >= sizes_[begin + i])
        throw std::invalid_argument("position " + std::to_string(begin + i) + " has no label " + std::to_string(labels.data()[i]));
  }

 private:
  std::vector<const double*> tables(const Doubles& scores, const Indices& offsets, size_t reach) const {
    if (offsets.size() != length()) throw std::invalid_argument("there must be one offset a position");
    std::vector<const double*> made(length(), nullptr);
    for (size_t i = reach; i < length(); ++i) {
      const int64_t offset = offsets.data()[i];
      if (offset < 0) continue;
      if (static_cast<size_t>(offset) + table_size(i, reach) > scores.size()) throw std::invalid_argument("a table of scores is too short");
      made[i] = scores.data() + offset;
    }
    return made;
  }

  std::vector<int> sizes_;
  Doubles unary_, pairs_, triples_;
  size_t order_;
  Chain chain_;
};

std::pair<double, IntegersOut> argmax(const OwnedChain& owned) {
  std::vector<int32_t> labels(owned.length(), -1);
  double value = 0;
  {
    const Unlocked unlocked;
    Viterbi viterbi;
    value = viterbi.maximize(owned.chain(), labels);
  }
  return {value, numpy_vector(std::move(labels))};
}

std::pair<DoublesOut, IntegersOut> kbest(const OwnedChain& owned, int k) {
  std::vector<double> values;
  std::vector<int32_t> labels;
  {
    const Unlocked unlocked;
    Viterbi viterbi;
    for (const Labelling& labelling : k_best(owned.chain(), k, viterbi)) {
      values.push_back(labelling.score);
      labels.insert(labels.end(), labelling.labels.begin(), labelling.labels.end());
    }
  }
  const size_t count = values.size();
  return {to_numpy(std::move(values), {count}), to_numpy(std::move(labels), {count, owned.length()})};
}

double log_partition(const OwnedChain& owned) {
  const Unlocked unlocked;
  return Sums().log_partition(owned.chain());
}

// Expectations of the tables over so many positions before each (reach): 0, order - 1 or order; one table after another.
double expect(const OwnedChain& owned, size_t reach, std::vector<double>& out) {
  std::vector<double*> tables;
  size_t size = 0;
  for (size_t i = 0; i < owned.length(); ++i) size += owned.table_size(i, reach);
  out.assign(size, 0.0);
  size = 0;
  for (size_t i = 0; i < owned.length(); ++i) {
    tables.push_back(i < reach ? nullptr : out.data() + size);
    size += owned.table_size(i, reach);
  }
  const bool transition = reach == owned.order();
  Expectations wanted;
  (reach == 0 ? wanted.unary : transition ? wanted.transition : wanted.memory) = tables;
  return Sums().expectations(owned.chain(), wanted);
}

bool has_tables(const OwnedChain& owned, int reach) {
  const int order = static_cast<int>(owned.order());
  return reach == 0 || reach == order || reach == order - 1;
}

std::pair<double, DoublesOut> expectations(const OwnedChain& owned, int reach) {
  if (!has_tables(owned, reach)) throw std::invalid_argument("the chain has no such tables");
  std::vector<double> out;
  double value = 0;
  {
    const Unlocked unlocked;
    value = expect(owned, static_cast<size_t>(reach), out);
  }
  return {value, numpy_vector(std::move(out))};
}

DoublesOut max_marginals(const OwnedChain& owned) {
  std::vector<double> out(owned.labels());
  {
    const Unlocked unlocked;
    std::vector<int> labels(owned.length());
    Viterbi viterbi;
    viterbi.maximize(owned.chain(), labels);
    viterbi.max_marginals(owned.chain(), out);
  }
  return numpy_vector(std::move(out));
}

// Work with a posterior of the chain, which must have a labelling.
template <typename Work>
auto with_posterior(const OwnedChain& owned, Work&& work) {
  const Unlocked unlocked;
  Posterior posterior;
  if (posterior.prepare(owned.chain()) == forbidden) throw std::invalid_argument("no labelling is allowed");
  return work(posterior);
}

IntegersOut posterior_labels(const OwnedChain& owned) {
  std::vector<int32_t> labels(owned.length());
  with_posterior(owned, [&](Posterior& posterior) { posterior.decode(labels); });
  return numpy_vector(std::move(labels));
}

IntegersOut sample(const OwnedChain& owned, int count, uint64_t seed) {
  if (count < 0) throw std::invalid_argument("the number of samples must not be negative");
  const size_t rows = static_cast<size_t>(count), length = owned.length();
  std::vector<int32_t> labels(rows * length);
  with_posterior(owned, [&](Posterior& posterior) {
    for (size_t row = 0; row < rows; ++row) posterior.sample(seed, row, std::span(labels).subspan(row * length, length));
  });
  return to_numpy(std::move(labels), {rows, length});
}

double log_span_probability(const OwnedChain& owned, int begin, const Integers& labels) {
  if (begin < 0) throw std::invalid_argument("a span must not begin before position 0");
  owned.check_labels(static_cast<size_t>(begin), labels);
  return with_posterior(owned, [&](Posterior& posterior) { return posterior.log_span_probability(begin, view(labels)); });
}

double score(const OwnedChain& owned, const Integers& labels) {
  if (labels.size() != owned.length()) throw std::invalid_argument("there must be one label a position");
  owned.check_labels(0, labels);
  return owned.chain().score(view(labels));
}

std::pair<DoublesOut, std::vector<IntegersOut>> argmax_batch(const std::vector<const OwnedChain*>& batch, int threads) {
  std::vector<double> values(batch.size());
  std::vector<std::vector<int32_t>> labels(batch.size());
  {
    const Unlocked unlocked;
    std::vector<Viterbi> spaces(static_cast<size_t>(accord::thread_count(threads, batch.size())));
    accord::parallel_for(batch.size(), threads, [&](int worker, size_t piece) {
      labels[piece].resize(batch[piece]->length());
      values[piece] = spaces[static_cast<size_t>(worker)].maximize(batch[piece]->chain(), labels[piece]);
    });
  }
  return {numpy_vector(std::move(values)), numpy_vectors(std::move(labels))};
}

DoublesOut log_partition_batch(const std::vector<const OwnedChain*>& batch, int threads) {
  std::vector<double> values(batch.size());
  {
    const Unlocked unlocked;
    std::vector<Sums> spaces(static_cast<size_t>(accord::thread_count(threads, batch.size())));
    accord::parallel_for(batch.size(), threads, [&](int worker, size_t piece) {
      values[piece] = spaces[static_cast<size_t>(worker)].log_partition(batch[piece]->chain());
    });
  }
  return numpy_vector(std::move(values));
}

std::pair<DoublesOut, std::vector<DoublesOut>> expectations_batch(const std::vector<const OwnedChain*>& batch, int reach, int threads) {
  std::vector<double> values(batch.size());
  std::vector<std::vector<double>> tables(batch.size());
  for (const OwnedChain* owned : batch)
    if (!has_tables(*owned, reach)) throw std::invalid_argument("a chain has no such tables");
  {
    const Unlocked unlocked;
    accord::parallel_for(batch.size(), threads,
                         [&](int, size_t piece) { values[piece] = expect(*batch[piece], static_cast<size_t>(reach), tables[piece]); });
  }
  return {numpy_vector(std::move(values)), numpy_vectors(std::move(tables))};
}

Numpy<uint8_t> mask(const std::vector<char>& values, std::vector<size_t> shape) {
  return to_numpy(std::vector<uint8_t>(values.begin(), values.end()), std::move(shape));
}

}  // namespace chains_binding

void bind_chains(nb::module_& module) {
  using namespace chains_binding;
  using namespace nb::literals;
  nb::class_<OwnedChain>(module, "Chain")
      .def(nb::init<const Integers&, const Doubles&, int, const Doubles&, const Indices&, const Doubles&, const Indices&>(), "sizes"_a,
           "unary"_a, "order"_a, "pairs"_a, "pair_offsets"_a, "triples"_a, "triple_offsets"_a)
      .def("argmax", &argmax)
      .def("kbest", &kbest, "k"_a)
      .def("log_partition", &chains_binding::log_partition)
      .def("expectations", &expectations, "reach"_a)
      .def("max_marginals", &max_marginals)
      .def("posterior", &posterior_labels)
      .def("entropy",
           [](const OwnedChain& owned) { return with_posterior(owned, [](Posterior& posterior) { return posterior.entropy(); }); })
      .def("expected_score",
           [](const OwnedChain& owned) { return with_posterior(owned, [](Posterior& posterior) { return posterior.expected_score(); }); })
      .def("sample", &sample, "count"_a, "seed"_a)
      .def("log_span_probability", &log_span_probability, "begin"_a, "labels"_a)
      .def("score", &score, "labels"_a)
      .def("operations", [](const OwnedChain& owned) { return owned.chain().operations(); });
  module.def("argmax_batch", &argmax_batch, "batch"_a, "threads"_a);
  module.def("log_partition_batch", &log_partition_batch, "batch"_a, "threads"_a);
  module.def("expectations_batch", &expectations_batch, "batch"_a, "reach"_a, "threads"_a);
  module.def("scheme_names", &scheme_names);
  module.def(
      "label_automaton",
      [](const std::string& scheme, const std::vector<std::string>& labels) {
        const LabelAutomaton made = label_automaton(scheme, labels);
        const size_t size = labels.size();
        return std::tuple{mask(made.follows, {size, size}), mask(made.starts, {size}), mask(made.ends, {size})};
      },
      "scheme"_a, "labels"_a);
}
