#pragma once

#include <cstdint>
#include <vector>

namespace warplens {

/// Some bytes of buffer 1 as they must be after a launch.
struct ExpectedBytes {
    std::vector<std::uint64_t> addresses;
    std::vector<unsigned char> bytes;

    void add(std::uint64_t address, unsigned char byte) {
        addresses.push_back(address);
        bytes.push_back(byte);
    }
    /// The bytes of a number or a vector of numbers, as they lie in memory.
    template <class T>
    void add_value(std::uint64_t address, const T& value) {
        const auto* raw = reinterpret_cast<const unsigned char*>(&value);
        for (std::size_t i = 0; i < sizeof value; ++i) add(address + i, raw[i]);
    }
};

/// At most `most` of `count` indices, evenly spread, including the first and the last.
std::vector<std::int64_t> spread_evenly(std::int64_t count, int most);

/// A byte of buffer 0 (the input) if no `prepare` has filled it. Other buffers begin with other contents, so
/// that a kernel that copies nothing is noticed.
unsigned char initial_byte(std::uint64_t address);
/// The 4-byte word with this index in buffer 0.
std::uint32_t initial_word(std::uint64_t index);

}  // namespace warplens
