// SPDX-License-Identifier: Apache-2.0
// The best compression whose total cost lies in a window, from any programme.
//
// exact:      from the scores of all totals at once.
// relaxed:    from questions without regard to length. With a reward for each unit of cost (a negative one where compressions are too
//             long) the best score, minus the reward times the target, bounds every compression of the target length:
//                 bound = min over rewards of  max over compressions of  score + reward (cost - target)
//             which is convex and piecewise linear in the reward. Three ways to minimise it:
//                 intersection   keep one compression that is too short and one that is too long, and ask where their lines meet;
//                                ends after finitely many questions, few in practice
//                 bisection      halve an interval of rewards
//                 subgradient    step towards the target, with shorter steps whenever the bound rose (Rush et al. 2010)
//             A compression of the target length that comes up is the best of that length. One comes up exactly when (length, best
//             score of the length) lies on the upper concave hull of these points.
// gaps:       where none comes up, the exact way gives the answer (close_gaps), or else the nearest compression on the hull stands with
//             the bound.
// Paper:      Qian & Liu (2014), section 3.
#pragma once
#include <span>
#include <vector>

#include "core/compressions/programme.hpp"

namespace accord::compressions {

// Totals of costs that are allowed.
struct Window {
  int low, high;
  bool holds(int cost) const { return low <= cost && cost <= high; }
};

struct LengthSettings {
  enum class Steps { exact, intersection, bisection, subgradient };
  Steps steps = Steps::exact;
  int questions = 100;     // at most, for the relaxed ways
  bool close_gaps = true;  // by the exact way
};

struct Answer {
  Compression compression;
  bool found = false;        // there is a compression, in the window unless `within` says otherwise
  bool within = false;       // it lies in the window
  bool proved = false;       // and no compression in the window is better
  double value = forbidden;  // score with the additions
  double bound = forbidden;  // no compression in the window has a larger value
  double reward = 0;         // for a unit of cost, where the bound is lowest
  int cost = 0;
  int questions = 0;  // that were asked without regard to length
};

class LengthSearch {
 public:
  // costs: n + 1, each >= 0; magnitude: no score of a part is larger in absolute value. The programme must outlive the search.
  LengthSearch(Programme& programme, std::vector<int> costs, double magnitude);

  Answer find(const Terms& terms, Window window, const LengthSettings& settings);

  Programme& programme() { return programme_; }
  int total() const { return total_; }
  double magnitude() const { return magnitude_; }

 private:
  // A compression found on the way, as a line over rewards.
  struct Line {
    Compression compression;
    double value = forbidden;
    int cost = 0;
  };

  Answer exact(const Terms& terms, Window window);
  Answer relaxed(const Terms& terms, Window window, const LengthSettings& settings);
  Line ask(double reward);
  void begin(const Line& first);
  bool bracket(int target, Line& other);
  void intersect(int target, Line& shorter, Line& longer, int most);
  void bisect(int target, Line& shorter, Line& longer, int most);
  void descend(int target, Line& shorter, Line& longer, int most);
  void notice(const Line& line, int target, double reward);
  static void sort_in(Line line, int target, Line& shorter, Line& longer);
  Answer settle(const Line& line, Window window) const;
  Answer conclude(int target, const Line& shorter, const Line& longer, Window window) const;

  Programme& programme_;
  std::vector<int> costs_;
  int total_;
  double magnitude_;
  // of the question at hand
  Terms terms_;
  std::vector<double> additions_;
  Line exact_length_;
  double bound_ = 0, reward_ = 0;
  double size_ = 1, largest_ = 1;  // of scores and additions; of rewards that can matter
  int questions_ = 0;
};

}  // namespace accord::compressions
