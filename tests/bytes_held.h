#pragma once

#include <cstddef>

#if defined(__has_feature)  // Clang, and GCC since 14
#if __has_feature(address_sanitizer)
#define WARPLENS_ADDRESSES_ARE_CHECKED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WARPLENS_ADDRESSES_ARE_CHECKED
#endif

#if defined(WARPLENS_ADDRESSES_ARE_CHECKED)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // its header is not installed everywhere
#else
#include <malloc.h>
#endif

namespace warplens::test {

/// Bytes that the program holds. What AddressSanitizer keeps back after it was freed does not count.
inline std::size_t bytes_held() {
#if defined(WARPLENS_ADDRESSES_ARE_CHECKED)
    return __sanitizer_get_current_allocated_bytes();
#else
    return mallinfo2().uordblks + mallinfo2().hblkhd;
#endif
}

}  // namespace warplens::test
