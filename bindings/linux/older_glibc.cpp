// SPDX-License-Identifier: Apache-2.0
//
// Names of glibc that are newer than manylinux_2_28, bound to what older systems have. Only wheels are linked with this file
// (ACCORD_OLDER_GLIBC). Everything else in the extension, the static standard library included, then finds these names here first.
//
// glibc gave `exp` and its relatives a new version in 2.29, which no longer sets errno, and moved the functions of threads into its main
// library in 2.34. The old versions compute the same and are still there. So each function here calls the old version of its name.

#if defined(__aarch64__)
#define ACCORD_OLDEST "GLIBC_2.17"
#else
#define ACCORD_OLDEST "GLIBC_2.2.5"
#endif

// Declares old_NAME, which the linker takes for the oldest version of NAME.
#define ACCORD_OLD(result, name, ...)                               \
  __asm__(".symver accord_old_" #name "," #name "@" ACCORD_OLDEST); \
  extern "C" result accord_old_##name(__VA_ARGS__);                 \
  extern "C" [[gnu::visibility("hidden")]] result name(__VA_ARGS__)

using Thread = unsigned long;

// NOLINTBEGIN: the names are those of the C library
ACCORD_OLD(double, exp, double x) { return accord_old_exp(x); }
ACCORD_OLD(double, exp2, double x) { return accord_old_exp2(x); }
ACCORD_OLD(double, log, double x) { return accord_old_log(x); }
ACCORD_OLD(double, log2, double x) { return accord_old_log2(x); }
ACCORD_OLD(double, pow, double x, double y) { return accord_old_pow(x, y); }

ACCORD_OLD(int, pthread_create, Thread* thread, const void* how, void* (*run)(void*), void* with) {
  return accord_old_pthread_create(thread, how, run, with);
}
ACCORD_OLD(int, pthread_join, Thread thread, void** result) { return accord_old_pthread_join(thread, result); }
ACCORD_OLD(int, pthread_once, int* once, void (*run)()) { return accord_old_pthread_once(once, run); }
ACCORD_OLD(int, __pthread_key_create, unsigned* key, void (*end)(void*)) { return accord_old___pthread_key_create(key, end); }

// Whether the process has one thread, so that counters of shared pointers need no atomic steps: we never claim it.
extern "C" [[gnu::visibility("hidden")]] char __libc_single_threaded;
char __libc_single_threaded = 0;

// The source of std::random_device.
extern "C" long getrandom(void* bytes, unsigned long count, unsigned flags);
extern "C" [[gnu::visibility("hidden")]] unsigned arc4random() {
  unsigned value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}
// NOLINTEND
