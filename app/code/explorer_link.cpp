#include "app/code/explorer_link.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace warplens {
namespace {

/// Base64 as links have it: with '-' and '_', and without padding.
std::string base64_of(std::string_view bytes) {
    constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;  // of bits that are not written yet
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) text += kLetters[bits >> (count - 6) & 63];
    }
    if (count > 0) text += kLetters[bits << (6 - count) & 63];
    return text;
}

}  // namespace

// Source: Compiler Explorer, docs/API.md, "GET /clientstate/<base64>". The state must be ASCII.
std::string explorer_link(std::string_view source) {
    const nlohmann::ordered_json state = {
        {"sessions",
         {{{"id", 1},
           {"language", "cuda"},
           {"source", source},
           {"compilers", {{{"id", "nvcc130u2"}, {"options", "-O3 -arch=sm_90"}}}}}}}};
    return "https://godbolt.org/clientstate/" + base64_of(state.dump(-1, ' ', true));
}

}  // namespace warplens
