// SPDX-License-Identifier: Apache-2.0
// The objective of batch training: its gradient against finite differences, its value where it is known.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/tasks/labeller/chain_objective.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

const std::string plain_templates = "[state]\nhere.form\nhere-1.form here.form\nbias\n[pair]\nbias\n[triple]\nbias\n";
const std::string joint_templates =
    "[segment]\nhere.form\nhere+1.form\n[tag]\nhere.form\nbias\n[joint]\nhere.form\n[segment_pair]\nhere.form\n[tag_pair]\nhere-1.form\n"
    "[segment_clique]\nbias\n[tag_clique]\nbias\n";
// Letters often enough to be wide values, pairs of letters rare enough not to be.
const std::vector<std::string> usual_texts = {"abca", "bb", "", "c", "abacbcab", "abcabbaacbcabacbbacabcacbabbca", "aabbccbacaba"};

struct Setting {
  std::string templates;
  ChainObjective::MakeLayout make;
  std::vector<int> labels;
  std::vector<std::string> texts = usual_texts;
  bool uniform = true;  // all labellings are allowed
};

Setting plain(int labels, int order, std::mt19937& random, const std::vector<std::string>& texts = usual_texts) {
  Setting setting{plain_templates, [=] { return make_plain_layout(labels, order, {}); }, {}, texts};
  for (const std::string& text : texts)
    for (size_t i = 0; i < text.size(); ++i) setting.labels.push_back(static_cast<int>(random() % static_cast<unsigned>(labels)));
  return setting;
}

Setting joint(int segments, int tags, std::mt19937& random) {
  Setting setting{joint_templates, [=] { return make_joint_layout(segments, tags, {}); }, {}};
  for (const std::string& text : usual_texts)
    for (size_t i = 0; i < text.size(); ++i) {
      setting.labels.push_back(static_cast<int>(random() % static_cast<unsigned>(segments)));
      setting.labels.push_back(static_cast<int>(random() % static_cast<unsigned>(tags)));
    }
  return setting;
}

// Segments of letters, begun (0), gone on with (1), ended (2) or single (3), each with one tag throughout.
Setting joint_segments(size_t tags, std::mt19937& random) {
  constexpr size_t places = 4;
  ChainMasks masks{std::vector<double>(places * tags), std::vector<double>(places * tags),
                   std::vector<double>(places * tags * places * tags, chains::forbidden)};
  for (size_t t = 0; t < tags; ++t) {
    masks.start[tags + t] = masks.start[2 * tags + t] = chains::forbidden;
    masks.end[t] = masks.end[tags + t] = chains::forbidden;
    for (size_t other = 0; other < tags; ++other)
      for (size_t before = 0; before < places; ++before)
        for (size_t place = 0; place < places; ++place) {
          const bool goes_on = place == 1 || place == 2;
          if ((before < 2) == goes_on && (!goes_on || t == other))
            masks.follow[(before * tags + t) * places * tags + place * tags + other] = 0;
        }
  }
  const int count = static_cast<int>(tags);
  Setting setting{joint_templates, [=] { return make_joint_layout(static_cast<int>(places), count, masks); }, {}, usual_texts, false};
  for (const std::string& text : usual_texts)
    for (size_t left = text.size(); left > 0;) {
      const size_t size = std::min<size_t>(left, 1 + random() % 4);
      const int tag = static_cast<int>(random() % tags);
      for (size_t k = 0; k < size; ++k) {
        setting.labels.push_back(size == 1 ? 3 : k == 0 ? 0 : k + 1 == size ? 2 : 1);
        setting.labels.push_back(tag);
      }
      left -= size;
    }
  return setting;
}

Setting layered(size_t layers, std::mt19937& random) {
  const std::vector<int> sizes(layers, 2);
  Setting setting{
      "[layer1]\nhere.form\n[layer2]\nhere.form\nbias\n[layer3]\nhere-1.form\n[layer1_pair]\nhere.form\n[layer2_pair]\nbias\n"
      "[layer1_clique]\nbias\n[layer2_clique]\nhere.form\n[layer3_clique]\nbias\n[layer1_layer3]\nhere.form\n[layers]\nbias\n",
      [=] { return make_layered_layout(sizes, {}); },
      {}};
  for (const std::string& text : usual_texts)
    for (size_t i = 0; i < text.size() * layers; ++i) setting.labels.push_back(static_cast<int>(random() % 2));
  return setting;
}

// B-X, I-X, E-X, S-X and O, as gold labels of segments of one to three letters.
Setting segments(std::mt19937& random) {
  const std::vector<SegmentType> types = {{{0}, 1, 2, 3, 3}, {{4}, 4, 4, 4, 1}};
  Setting setting{
      "[state]\nhere.form\nbias\n[type_pair]\nhere.form\n[segment]\nfirst.form last.form\ndistance\nbetween.form\n"
      "[whole]\nhere.form\n",
      [=] { return make_segment_layout(5, types); },
      {},
      usual_texts,
      false};
  for (const std::string& text : usual_texts)
    for (size_t left = text.size(); left > 0;) {
      const size_t size = std::min<size_t>(left, 1 + random() % 3);
      if (size == 1) setting.labels.push_back(random() % 2 ? 3 : 4);
      else
        for (size_t k = 0; k < size; ++k) setting.labels.push_back(k == 0 ? 0 : k + 1 == size ? 2 : 1);
      left -= size;
    }
  return setting;
}

void check_gradient(const Setting& setting, const ObjectiveSettings& settings, std::mt19937& random, double size = 1.0) {
  const text::CharacterSequences sequences(setting.texts);
  const std::unique_ptr<ChainLayout> layout = setting.make();
  const LabellerTemplates templates(setting.templates, layout->blocks());
  ChainObjective objective(templates, setting.make, sequences, setting.labels, {}, settings);
  std::normal_distribution<double> normal(0.0, size);
  std::vector<double> weights(objective.features()), gradient(weights.size()), ignored(weights.size());

  double uniform = 0;
  for (size_t s = 0; s < sequences.size(); ++s)
    for (int layer = 0; layer < layout->layers(); ++layer)
      uniform += static_cast<double>(sequences.length(s)) * std::log(layout->labels(layer));
  if (setting.uniform) CHECK(check::near(objective.evaluate(weights, gradient), uniform, 1e-12));

  for (double& weight : weights) weight = normal(random);
  objective.evaluate(weights, gradient);
  constexpr double width = 1e-5;
  for (size_t f = 0; f < weights.size(); ++f) {
    const double here = weights[f];
    weights[f] = here + width;
    const double above = objective.evaluate(weights, ignored);
    weights[f] = here - width;
    const double below = objective.evaluate(weights, ignored);
    weights[f] = here;
    CHECK(std::abs((above - below) / (2 * width) - gradient[f]) < 1e-5 * size * (1 + std::abs(gradient[f])));
  }
}

}  // namespace

TEST("gradients are the slopes of the objective") {
  std::mt19937 random(3);
  for (const bool unseen : {false, true})
    for (const bool unseen_constant : {false, true}) {
      const ObjectiveSettings settings{.l2 = 0.5, .least_count = 1, .unseen = unseen, .unseen_constant = unseen_constant, .threads = 1};
      for (int order = 0; order < 3; ++order) check_gradient(plain(3, order, random), settings, random);
      check_gradient(joint(3, 2, random), settings, random);
      check_gradient(joint(2, 9, random), settings, random);  // tokens share rows of tag pairs
      for (const double size : {1.0, 20.0}) check_gradient(joint_segments(9, random), settings, random, size);
      for (size_t layers = 1; layers < 4; ++layers) check_gradient(layered(layers, random), settings, random);
      check_gradient(segments(random), settings, random);
    }
}

// Letters are guests of pairs of letters, and those of triples.
TEST("values that come along with others count once") {
  std::mt19937 random(6);
  const std::string nested =
      "[state]\nhere.form\nhere-1.form\nhere+1.form\nhere-1.form here.form\nhere.form here+1.form\nhere-1.form here.form "
      "here+1.form\nbias\n"
      "[pair]\nhere.form\nhere-1.form here.form\nbias\n[triple]\nbias\n";
  std::vector<std::string> texts(30);
  for (std::string& text : texts)
    for (unsigned k = 0; k < 8; ++k) text += random() % 2 ? 'a' : 'b';
  for (const bool unseen : {false, true})
    for (int order = 0; order < 2; ++order)
      for (int labels : {2, 9}) {
        Setting setting = plain(labels, order, random, texts);
        setting.templates = nested;
        check_gradient(setting, {.l2 = 0.5, .least_count = 1, .unseen = unseen, .unseen_constant = true, .threads = 1}, random);
      }
}

TEST("rare template values are left out") {
  std::mt19937 random(4);
  const ObjectiveSettings settings{.l2 = 1.0, .least_count = 3, .unseen = false, .unseen_constant = true, .threads = 1};
  check_gradient(plain(2, 1, random), settings, random);
  check_gradient(joint(2, 3, random), settings, random);
}

TEST("threads change nothing") {
  std::mt19937 random(5);
  const text::CharacterSequences sequences(usual_texts);
  for (const Setting& setting : {joint(3, 3, random), joint(2, 9, random), plain(9, 1, random)}) {
    const LabellerTemplates templates(setting.templates, setting.make()->blocks());
    std::vector<std::vector<double>> gradients;
    std::vector<double> values;
    for (int threads : {1, 3}) {
      ChainObjective objective(templates, setting.make, sequences, setting.labels, {},
                               {.l2 = 1.0, .least_count = 1, .unseen = false, .unseen_constant = true, .threads = threads});
      std::vector<double> weights(objective.features());
      for (size_t f = 0; f < weights.size(); ++f) weights[f] = std::sin(static_cast<double>(f));
      gradients.emplace_back(weights.size());
      values.push_back(objective.evaluate(weights, gradients.back()));
    }
    CHECK(values[0] == values[1] && gradients[0] == gradients[1]);
  }
}
