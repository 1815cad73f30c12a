// SPDX-License-Identifier: Apache-2.0
#include "core/neural/kernels/simd.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace accord::neural {

namespace {

Simd find_best() {
#if ACCORD_X86
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Simd::portable;
#if !defined(__clang__)  // which cannot ask; machines with AVX2 and FMA have it
  if (!__builtin_cpu_supports("f16c")) return Simd::portable;
#endif
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  return wide ? Simd::avx512 : Simd::avx2;
#else
  return Simd::portable;
#endif
}

Simd wanted_by_environment() {
  const char* name = std::getenv("ACCORD_SIMD");
  const std::string wanted = name == nullptr ? "" : name;
  if (wanted.empty() || wanted == "avx512") return Simd::avx512;
  if (wanted == "avx2") return Simd::avx2;
  if (wanted == "portable") return Simd::portable;
  throw std::invalid_argument("ACCORD_SIMD is portable, avx2 or avx512, not '" + wanted + "'");
}

std::atomic<Simd>& level_in_use() {
  static std::atomic<Simd> level{std::min(best_simd(), wanted_by_environment())};
  return level;
}

}  // namespace

Simd best_simd() {
  static const Simd best = find_best();
  return best;
}

Simd simd() { return level_in_use().load(std::memory_order_relaxed); }

void use_simd(Simd level) { level_in_use().store(std::min(best_simd(), level), std::memory_order_relaxed); }

bool simd_has_vnni() {
#if ACCORD_X86
  static const bool machine = __builtin_cpu_supports("avx512vnni");
  return machine && simd() == Simd::avx512;
#else
  return false;
#endif
}

}  // namespace accord::neural
