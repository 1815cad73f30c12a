// SPDX-License-Identifier: Apache-2.0
// A programme seen as probability, P(compression) ~ exp(score with additions): what training by likelihood, lists of the best
// compressions and samples are made of.
//
// PathDistribution   bigrams and subtrees: the steps of a PathProgramme as a lattice (core/chains), with a window of lengths if wanted;
//                    then the vertices of the lattice are pairs of a vertex and a total of costs.
// SpanDistribution   joint compression: the items of span_items.hpp, or of length_items.hpp for a window of lengths, in the general
//                    engine (core/hypergraph).
// StatusDistribution statuses of words and heads: the items of status_items.hpp in the same engine.
// Compressions and derivations correspond one to one, so ranked compressions are distinct. In joint compression two trees over the same
// words are two compressions.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chains/segments/lattice.hpp"
#include "core/chains/segments/lattice_sums.hpp"
#include "core/compressions/length_items.hpp"
#include "core/compressions/length_search.hpp"
#include "core/compressions/path_programme.hpp"
#include "core/compressions/span_items.hpp"
#include "core/compressions/span_programme.hpp"
#include "core/compressions/statuses/status_programme.hpp"

namespace accord::compressions {

// Probabilities: of words that stay (n + 1), of arcs and of neighbours among the kept words ((n+1) x (n+1) each, laid out as the scores;
// bigrams has one entry more for the compression without words at (0, 0)), and of the statuses of a word and its head (4 (n+1), laid out as
// in status_scores.hpp). Empty spans are left alone.
struct Marginals {
  std::span<double> words, arcs, bigrams, statuses;
};

class Distribution {
 public:
  virtual ~Distribution() = default;
  // -infinity when there is no compression; no other question may be asked then.
  virtual double log_partition() const = 0;
  // Returns the entropy in nats.
  virtual double marginals(const Marginals& out) const = 0;
  // At most k, best first; scores are those of the programme with the additions.
  virtual std::vector<Compression> kbest(int k) const = 0;
  // Sample `number` of a seed: it depends on these two alone.
  virtual Compression sample(uint64_t seed, uint64_t number) const = 0;

 protected:
  Distribution() = default;
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;
};

class PathDistribution final : public Distribution {
 public:
  // Without a window, lengths are free and costs are not read. The programme must outlive the distribution.
  PathDistribution(PathProgramme& programme, const Terms& terms, std::span<const int> costs, std::optional<Window> window);

  double log_partition() const override { return sums_.log_partition(); }
  double marginals(const Marginals& out) const override;
  std::vector<Compression> kbest(int k) const override;
  Compression sample(uint64_t seed, uint64_t number) const override;

 private:
  chains::Lattice make_lattice(const Terms& terms, std::span<const int> costs, std::optional<Window> window);
  Compression compression(std::span<const int> edges) const;

  PathProgramme& programme_;
  std::vector<int> steps_;  // by edge of the lattice; -1 for edges that only end it
  std::vector<double> additions_;
  chains::Lattice lattice_;
  chains::LatticeSums sums_;
};

// Items: SpanItems, or LengthItems with costs and a window as further arguments.
template <class Items>
class SpanDistribution final : public Distribution {
 public:
  template <class... More>
  SpanDistribution(const SpanScores& scores, const Terms& terms, const More&... more)
      : scores_(under(scores, terms)),
        additions_(terms.additions.begin(), terms.additions.end()),
        items_(scores_, more...),
        shares_(items_) {}

  double log_partition() const override { return shares_.log_partition(); }
  double marginals(const Marginals& out) const override;
  std::vector<Compression> kbest(int k) const override;
  Compression sample(uint64_t seed, uint64_t number) const override;

 private:
  static SpanScores under(SpanScores scores, const Terms& terms) {
    scores.set(terms);
    return scores;
  }
  void write(const typename Items::Item& item, std::size_t number, Compression& out) const;
  void finish(Compression& out) const;

  SpanScores scores_;
  std::vector<double> additions_;
  Items items_;
  hypergraph::StoredShares<Items> shares_;
};

class StatusDistribution final : public Distribution {
 public:
  // Without a window, lengths are free and costs are not read. The forest must outlive the distribution.
  StatusDistribution(const StatusProgramme& programme, const Terms& terms, std::span<const int> costs, std::optional<Window> window);

  double log_partition() const override { return shares_.log_partition(); }
  double marginals(const Marginals& out) const override;
  std::vector<Compression> kbest(int k) const override;
  Compression sample(uint64_t seed, uint64_t number) const override;

 private:
  void write(const StatusItems::Item& item, std::size_t number, Compression& out) const;
  void finish(Compression& out) const;

  StatusScores scores_;
  std::vector<double> additions_;
  StatusItems items_;
  hypergraph::StoredShares<StatusItems> shares_;
};

extern template class SpanDistribution<SpanItems>;
extern template class SpanDistribution<LengthItems>;

}  // namespace accord::compressions
