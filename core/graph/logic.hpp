// Logic over binary variables: how many may be on, and outputs that are functions of inputs.
//
//   ExactlyOne   one variable is on                     hull: sum z = 1
//   AtMostOne    none or one is on                      hull: sum z <= 1
//   AtLeastOne   not all are off                        hull: sum z >= 1, z <= 1
//   OrOutput     the last is the or of the others       hull: z_i <= z_last <= sum of the others, z_last <= 1
//
// Own scores are zero. With negated variables (negated.hpp) these four give every other kind, see make_logic.
//
// maximize, marginals and max_marginals take O(n) and sum positive terms only, in the log domain, so that nothing is lost
// whatever the scores; project takes O(n log n): clip to the box, and if that breaks a row, project on the face where it
// holds with equality. Messages and hulls: Martins et al. (2010), "Turbo Parsers"; projections: Martins et al. (2011), "Dual
// Decomposition with Many Overlapping Components".
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class LogicFactor : public Factor {
 public:
  size_t size() const final { return size_; }
  bool can(Ability) const final { return true; }
  double lowest() const final { return 0; }

 protected:
  // Throws std::invalid_argument below the smallest size that makes sense.
  LogicFactor(size_t size, size_t smallest);

  std::vector<double> near_top_;  // buffer of projections

 private:
  size_t size_;
};

class ExactlyOne final : public LogicFactor {
 public:
  explicit ExactlyOne(size_t size) : LogicFactor(size, 1) {}
  std::string_view kind() const override { return "exactly_one"; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;
};

class AtMostOne final : public LogicFactor {
 public:
  explicit AtMostOne(size_t size) : LogicFactor(size, 1) {}
  std::string_view kind() const override { return "at_most_one"; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;
};

class AtLeastOne final : public LogicFactor {
 public:
  explicit AtLeastOne(size_t size) : LogicFactor(size, 1) {}
  std::string_view kind() const override { return "at_least_one"; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;
};

class OrOutput final : public LogicFactor {
 public:
  explicit OrOutput(size_t size) : LogicFactor(size, 2) {}
  std::string_view kind() const override { return "or_output"; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  std::vector<double> sorted_;
};

// By name; throws std::invalid_argument for an unknown kind or a size that it cannot have. Beside the four above:
//   and_output  the last is the and of the others            or_output, all negated
//   xor_output  on: exactly one other is; off: no other is   exactly_one, the last negated
//   implies     all but the last on imply the last           at_least_one, all but the last negated
//   nand        not all are on                               at_least_one, all negated
std::unique_ptr<Factor> make_logic(std::string_view kind, size_t size);

}  // namespace accord::graph
