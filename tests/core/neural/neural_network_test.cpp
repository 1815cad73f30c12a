// SPDX-License-Identifier: Apache-2.0
// The forward pass against plain loops in double precision.
#include "core/neural/network.hpp"

#include <stdexcept>

#include "tests/core/check.hpp"
#include "tests/core/neural/small_networks.hpp"

using namespace accord;
using namespace accord::neural;
using networks::Plainly;
using networks::SmallNetwork;
using Bad = std::invalid_argument;

namespace {

const text::Document known = networks::document("The:DET cat:NOUN saw:VERB | a:DET dog:NOUN ran:VERB fast:ADV");
const text::Document words = networks::document(
    "the:DET dog:NOUN saw:VERB | cat:NOUN | an:DET unheard:ADJ Zürich:NOUN saw:VERB the:DET 猫:NOUN ran:X | "
    "a:DET a:DET cat:NOUN saw:VERB saw:VERB fast:ADV dog:NOUN dog:NOUN the:DET");

NetworkShape lstm() {
  return {.encoder = Encoder::lstm,
          .word_size = 9,
          .tag_size = 5,
          .character_size = 4,
          .filters = 7,
          .layers = 2,
          .units = 6,
          .reach = 1,
          .arc_size = 11,
          .label_size = 10,
          .labels = 3,
          .tag_hidden = 8,
          .tag_layer = 0,
          .tasks = {},
          .parts = {},
          .rank = 0};
}

// Name, shape, and whether tags are read.
struct Kind {
  const char* name;
  NetworkShape shape;
  bool tags;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  const auto add = [&](const char* name, bool tags, auto&& change) {
    NetworkShape shape = lstm();
    change(shape);
    all.push_back({name, shape, tags});
  };
  const std::vector<std::pair<std::string, int>> tasks = {{"upos", 4}, {"feats", 1}};
  add("plain", false, [](NetworkShape&) {});
  add("tags read", true, [](NetworkShape&) {});
  add("no characters, one layer", false, [](NetworkShape& s) { s.character_size = 0, s.layers = 1; });
  add("tags joined", false, [&](NetworkShape& s) { s.tasks = tasks, s.tag_layer = 1, s.layers = 3; });
  add("tags of the top", true, [&](NetworkShape& s) { s.tasks = tasks, s.tag_layer = 2; });
  add("parts", false, [](NetworkShape& s) { s.parts = {"sibling", "grandparent"}, s.rank = 11; });
  add("no labels", false, [](NetworkShape& s) { s.labels = 0; });
  add("convolution", false, [](NetworkShape& s) { s.encoder = Encoder::convolution, s.layers = 4; });
  add("wide convolution with tags joined", true, [&](NetworkShape& s) {
    s.encoder = Encoder::convolution, s.reach = 2, s.tasks = tasks, s.tag_layer = 1, s.parts = {"grandparent"}, s.rank = 3;
  });
  add("convolution with tags of the top", false,
      [&](NetworkShape& s) { s.encoder = Encoder::convolution, s.tasks = tasks, s.tag_layer = 2; });
  return all;
}

std::vector<float> rows_of(const Aligned<float>& values, size_t first, size_t count, size_t width) {
  return {values.begin() + static_cast<std::ptrdiff_t>(first * width),
          values.begin() + static_cast<std::ptrdiff_t>((first + count) * width)};
}

std::vector<double> flat(const networks::Rows& rows) {
  std::vector<double> out;
  for (const networks::Row& row : rows) out = networks::joined(out, row);
  return out;
}

constexpr double tolerance = 2e-5;

void compare(const SmallNetwork& net, const std::vector<size_t>& sentences) {
  const Network network = net.network();
  const NetworkShape& s = net.shape;
  NetworkWork work;
  Encoded encoded;
  network.encode(words, sentences, work, encoded);
  network.score_for_parses(work, encoded);
  std::vector<Aligned<float>> classes(s.tasks.size());
  for (size_t task = 0; task < s.tasks.size(); ++task) network.classes(encoded, task, work, classes[task]);
  const size_t nowhere = encoded.starts.back() + static_cast<size_t>(encoded.lengths.back());
  for (size_t place = 0; place < sentences.size(); ++place) {
    const Plainly plain(net, words, sentences[place]);
    const size_t n = plain.top.size(), start = encoded.starts[place];
    CHECK(encoded.lengths[place] == static_cast<int>(n) && n == words.words(sentences[place]) + 1);
    CHECK(cases::close(rows_of(encoded.top, start, n, static_cast<size_t>(s.width())), flat(plain.top), tolerance));
    std::vector<float> arcs(n * n);
    network.arcs(encoded, place, work, arcs);
    Aligned<float> sides;
    if (s.labels > 0) network.label_sides(encoded, place, work, sides);
    const auto labels = static_cast<size_t>(s.labels), size = static_cast<size_t>(s.label_size);
    for (size_t h = 0; h < n; ++h)
      for (size_t m = 1; m < n; ++m) {
        CHECK_NEAR(arcs[h * n + m], plain.arc(h, m), tolerance);
        if (labels == 0) continue;
        std::vector<float> found(labels);
        network.labels(std::span<const float>(encoded.label_head).subspan((start + h) * size, size),
                       std::span<const float>(sides).subspan(m * labels * (size + 1), labels * (size + 1)), found);
        CHECK(cases::close(found, plain.labels(h, m), tolerance));
      }
    for (size_t task = 0; task < s.tasks.size(); ++task)
      for (size_t t = 0; t < n; ++t)
        CHECK(cases::close(rows_of(classes[task], start + t, 1, static_cast<size_t>(s.tasks[task].second)),
                           plain.classes(s.tasks[task].first, t), tolerance));
    for (size_t kind = 0; kind < s.parts.size(); ++kind)
      for (size_t a = 0; a < n; ++a)
        for (size_t b = 0; b <= n; ++b)
          for (size_t c = 0; c <= n; ++c) {
            const double found = network.part(encoded, kind, start + a, b == n ? nowhere : start + b, c == n ? nowhere : start + c);
            CHECK_NEAR(found, plain.part(s.parts[kind], a, b, c), tolerance);
          }
  }
}

}  // namespace

TEST("all scores are those of plain loops, whatever the network") {
  unsigned seed = 0;
  for (const Kind& kind : kinds()) {
    const int before = check::failures();
    compare(SmallNetwork(kind.shape, known, ++seed, kind.tags), {0, 1, 2, 3});
    if (check::failures() != before) std::fprintf(stderr, "  in %s\n", kind.name);
  }
}

TEST("they are at every level of vector instructions") {
  const Kind kind = kinds()[3];
  const SmallNetwork net(kind.shape, known, 21, kind.tags);
  cases::at_levels([&] {
    compare(net, {3, 1});
    return 0;
  });
}

TEST("a sentence's bits do not depend on the others of its batch, in floats and in bytes") {
  for (const Kind& kind : kinds())
    for (const Precision precision : {Precision::float32, Precision::int8}) {
      const SmallNetwork net(kind.shape, known, 5, kind.tags);
      const Network network = net.network(precision);
      const auto width = static_cast<size_t>(net.shape.width());
      NetworkWork work;
      const std::vector<size_t> order = {2, 0, 3, 1, 2};
      Encoded together, alone;
      network.encode(words, order, work, together);
      network.score_for_parses(work, together);
      for (size_t place = 0; place < order.size(); ++place) {
        const size_t sentence[] = {order[place]};
        NetworkWork fresh;
        network.encode(words, sentence, fresh, alone);
        network.score_for_parses(fresh, alone);
        const auto n = static_cast<size_t>(alone.lengths[0]);
        CHECK(cases::same_bits(rows_of(alone.top, 0, n, width), rows_of(together.top, together.starts[place], n, width)));
        std::vector<float> one(n * n), other(n * n);
        network.arcs(alone, 0, fresh, one);
        network.arcs(together, place, work, other);
        CHECK(cases::same_bits(one, other));
      }
    }
}

TEST("in bytes, every level of vector instructions gives the same bits") {
  for (const Kind& kind : kinds()) {
    const SmallNetwork net(kind.shape, known, 6, kind.tags);
    const Network network = net.network(Precision::int8);
    const auto found = cases::at_levels([&] {
      NetworkWork work;
      Encoded encoded;
      const std::vector<size_t> all = {0, 1, 2, 3};
      network.encode(words, all, work, encoded);
      network.score_for_parses(work, encoded);
      std::vector<float> scores(encoded.top.begin(), encoded.top.end());
      for (size_t sentence : all) {
        const auto n = static_cast<size_t>(encoded.lengths[sentence]);
        std::vector<float> arcs(n * n);
        network.arcs(encoded, sentence, work, arcs);
        scores.insert(scores.end(), arcs.begin(), arcs.end());
      }
      return scores;
    });
    for (const std::vector<float>& scores : found) CHECK(cases::same_bits(scores, found[0]));
  }
}

TEST("bytes come near floats") {
  for (const Kind& kind : kinds()) {
    const SmallNetwork net(kind.shape, known, 6, kind.tags);
    NetworkWork work;
    Encoded floats, bytes;
    const size_t sentence[] = {3};
    net.network(Precision::float32).encode(words, sentence, work, floats);
    net.network(Precision::int8).encode(words, sentence, work, bytes);
    const auto size = static_cast<size_t>(floats.lengths[0]) * static_cast<size_t>(net.shape.width());
    double furthest = 0;
    for (size_t i = 0; i < size; ++i) furthest = std::max(furthest, std::abs(static_cast<double>(floats.top[i] - bytes.top[i])));
    CHECK(furthest > 0 && furthest < 0.2);
  }
}

TEST("an empty batch is no batch") {
  const SmallNetwork net(kinds()[3].shape, known, 7);
  const Network network = net.network();
  NetworkWork work;
  Encoded encoded;
  network.encode(words, {}, work, encoded);
  network.score_for_parses(work, encoded);
  Aligned<float> classes;
  network.classes(encoded, 0, work, classes);
  CHECK(encoded.lengths.empty() && encoded.starts.empty());
}

TEST("shapes that do not fit are refused") {
  const SmallNetwork good(
      [] {
        NetworkShape shape = lstm();
        shape.tasks = {{"upos", 4}}, shape.tag_layer = 1, shape.parts = {"sibling"}, shape.rank = 3;
        return shape;
      }(),
      known, 8, true);
  const auto refused = [&](auto&& change) {
    SmallNetwork net = good;
    change(net.shape);
    return check::throws<Bad>([&] { net.network(); });
  };
  CHECK(!refused([](NetworkShape&) {}));
  for (const int size : {0, -1, 7777, 1 << 30}) {
    CHECK(refused([&](NetworkShape& s) { s.word_size = size; }));
    CHECK(refused([&](NetworkShape& s) { s.tag_size = size; }));
    CHECK(refused([&](NetworkShape& s) { s.filters = size; }));
    CHECK(refused([&](NetworkShape& s) { s.layers = size; }));
    CHECK(refused([&](NetworkShape& s) { s.units = size; }));
    CHECK(refused([&](NetworkShape& s) { s.arc_size = size; }));
    CHECK(refused([&](NetworkShape& s) { s.label_size = size; }));
    CHECK(refused([&](NetworkShape& s) { s.tag_hidden = size; }));
    CHECK(refused([&](NetworkShape& s) { s.tag_layer = size; }));
    CHECK(refused([&](NetworkShape& s) { s.rank = size; }));
    CHECK(refused([&](NetworkShape& s) { s.tasks[0].second = size; }));
    CHECK(refused([&](NetworkShape& s) { s.word_fields = size; }));
    CHECK(refused([&](NetworkShape& s) { s.character_size = size; }));
    if (size != 0) CHECK(refused([&](NetworkShape& s) { s.labels = size; }));
  }
  CHECK(refused([](NetworkShape& s) { s.encoder = Encoder::convolution; }));
  CHECK(refused([](NetworkShape& s) { s.encoder = Encoder::convolution, s.reach = 0; }));
  CHECK(refused([](NetworkShape& s) { s.parts = {"cousin"}; }));
  CHECK(refused([](NetworkShape& s) { s.parts = {"grandparent"}; }));
  CHECK(refused([](NetworkShape& s) { s.tasks.emplace_back("xpos", 2); }));
}

TEST("a network without one of its arrays, or with one of another size, is refused") {
  for (const Kind& kind : kinds()) {
    const SmallNetwork good(kind.shape, known, 9, kind.tags);
    for (const auto& [name, values] : good.arrays) {
      SmallNetwork net = good;
      net.arrays.erase(name);
      CHECK(check::throws<Bad>([&] { net.network(); }));
      net = good;
      net.arrays[name].push_back(0);
      CHECK(check::throws<Bad>([&] { net.network(); }));
      net = good;
      net.arrays[name].back() = NAN;
      CHECK(check::throws<Bad>([&] { net.network(); }));
    }
  }
}
