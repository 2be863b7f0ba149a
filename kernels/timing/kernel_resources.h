#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include <cstddef>
#include <string>
#include <string_view>

namespace warplens {

/// One kernel that a setting launches, and the resources that the driver reports for it.
struct KernelResources {
    /// "grid" for a launch of the whole grid; "banks" for the loop of the pictured warp's requests to shared
    /// memory (bank_loop.cu); "chain" for its requests one after the other (chain.cu).
    std::string role;
    std::string name;        ///< as in the source, without template arguments
    int threads = 0;         ///< of a block
    int registers = 0;       ///< of a thread
    int static_shared = 0;   ///< of a block [bytes]
    int dynamic_shared = 0;  ///< of a block, as it is launched [bytes]
    int local = 0;           ///< local memory of a thread: arrays and spilled registers [bytes]
    /// the shared memory carveout that the kernel prefers [percent]; -1 if it has no preference
    int carveout = -1;
    int blocks_per_sm = 0;  ///< cudaOccupancyMaxActiveBlocksPerMultiprocessor
    bool is_timed = false;  ///< whether its times are those of the setting's measurement
    friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

/// The innermost name of a mangled name, for example "transpose_tile". Any other text is returned unchanged.
inline std::string short_kernel_name(std::string_view mangled) {
    if (!mangled.starts_with("_ZN")) return std::string(mangled);
    std::string_view rest = mangled.substr(3), name;
    while (!rest.empty() && rest.front() >= '1' && rest.front() <= '9') {
        std::size_t length = 0;
        while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
            length = 10 * length + static_cast<std::size_t>(rest.front() - '0');
            rest.remove_prefix(1);
        }
        if (length > rest.size()) return std::string(mangled);
        name = rest.substr(0, length);
        rest.remove_prefix(length);
    }
    return std::string(name.empty() ? mangled : name);
}

}  // namespace warplens
