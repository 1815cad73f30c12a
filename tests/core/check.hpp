// SPDX-License-Identifier: Apache-2.0
// A test harness small enough to read at a glance: TEST("claim") { CHECK(condition); } and a main() that runs all.
#pragma once
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace check {

struct Case {
  std::string claim;
  std::function<void()> body;
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(std::string claim, std::function<void()> body) { cases().push_back({std::move(claim), std::move(body)}); }
};

inline void that(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++failures();
  std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
}

inline bool near(double a, double b, double tolerance) {
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return a == b || std::fabs(a - b) <= tolerance * (1.0 + std::fabs(a) + std::fabs(b));
}

// Whether the work ends with this error. Another error ends the program.
template <typename Error = std::invalid_argument, typename Work>
bool throws(Work&& work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

inline int run() {
  int failed = 0;
  for (const Case& test : cases()) {
    const int before = failures();
    test.body();
    const bool ok = failures() == before;
    failed += !ok;
    std::printf("%s  %s\n", ok ? "ok    " : "FAILED", test.claim.c_str());
  }
  std::printf("%zu passed, %d failed\n", cases().size() - static_cast<size_t>(failed), failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)
#define TEST_NAMED(name, claim)                                  \
  static void name();                                            \
  static const check::Register CHECK_JOIN(name, _)(claim, name); \
  static void name()
#define TEST(claim) TEST_NAMED(CHECK_JOIN(test_case_, __LINE__), claim)
#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) check::that(check::near((a), (b), (tolerance)), #a " ~ " #b, __FILE__, __LINE__)

int main() { return check::run(); }
