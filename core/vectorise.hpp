// SPDX-License-Identifier: Apache-2.0
// Functions marked ACCORD_VECTORISE are compiled for several instruction sets and the best one is chosen when the
// library is loaded. Only integer work and elementwise arithmetic may be marked, so that every choice gives the same result.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define ACCORD_VECTORISE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ACCORD_VECTORISE
#endif
