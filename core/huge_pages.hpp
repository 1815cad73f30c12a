// SPDX-License-Identifier: Apache-2.0
// Memory of large tables that are read here and there: where the system has huge pages, a read seldom waits for the address of its page.
#pragma once
#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace accord {

// An allocator for std::vector. Small blocks are ordinary memory.
template <typename T>
struct HugePages {
  using value_type = T;
  static constexpr size_t page = size_t{1} << 21, least = 2 * page;

  HugePages() = default;
  template <typename Other>
  HugePages(const HugePages<Other>&) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes < least) return static_cast<T*>(::operator new(bytes));
    void* const block = ::operator new(bytes, std::align_val_t{page});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(block, bytes, MADV_HUGEPAGE);  // a wish: without it everything works as well
#endif
    return static_cast<T*>(block);
  }

  void deallocate(T* block, size_t count) {
    if (count * sizeof(T) < least) ::operator delete(block);
    else ::operator delete(block, std::align_val_t{page});
  }

  bool operator==(const HugePages&) const { return true; }
};

}  // namespace accord
