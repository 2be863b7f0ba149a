#include "app/model/access/pieces.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warplens {

#if defined(__x86_64__)
namespace {

#define WARPLENS_AVX2 gnu::target("avx2,popcnt,sse4.2")

const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0 &&
                      __builtin_cpu_supports("sse4.2") != 0;

constexpr int kAtOnce = 8, kVectors = kWarpLanes / kAtOnce;

/// Places of lanes as whole numbers of one size, a vector of 32 bytes at a time.
template <class Place>
struct Lanes;

template <>
struct Lanes<std::uint32_t> {
    static constexpr int kAtOnce = 8;
    /// A place that differs from those of all lanes in the highest bit.
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i nowhere() { return _mm256_set1_epi32(INT32_MIN); }
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i all(int value) { return _mm256_set1_epi32(value); }
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i least(__m256i a, __m256i b) {
        return _mm256_min_epu32(a, b);
    }
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i equal(__m256i a, __m256i b) {
        return _mm256_cmpeq_epi32(a, b);
    }
};

template <>
struct Lanes<std::uint16_t> {
    static constexpr int kAtOnce = 16;
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i nowhere() { return _mm256_set1_epi16(INT16_MIN); }
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i all(int value) {
        return _mm256_set1_epi16(static_cast<short>(value));
    }
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i least(__m256i a, __m256i b) {
        return _mm256_min_epu16(a, b);
    }
    [[WARPLENS_AVX2, gnu::always_inline]] static __m256i equal(__m256i a, __m256i b) {
        return _mm256_cmpeq_epi16(a, b);
    }
};

/// The low halves of eight 64-bit numbers.
[[WARPLENS_AVX2, gnu::always_inline]] inline __m256i low_halves(__m256i first, __m256i last) {
    const auto order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    return _mm256_permute2x128_si256(_mm256_permutevar8x32_epi32(first, order),
                                     _mm256_permutevar8x32_epi32(last, order), 0x20);
}

[[WARPLENS_AVX2, gnu::always_inline]] inline bool is_below(__m256i all, int log2) {
    return _mm256_testz_si256(all, _mm256_set1_epi64x(~0ll << log2)) != 0;
}

/// The 32 bytes that begin so many bytes before `own`, which follows `before`.
template <int bytes>
[[WARPLENS_AVX2, gnu::always_inline]] inline __m256i shift_in(__m256i before, __m256i own) {
    const auto middle = _mm256_permute2x128_si256(before, own, 0x21);
    if constexpr (bytes == 0)
        return own;
    else if constexpr (bytes < 16)
        return _mm256_alignr_epi8(own, middle, 16 - bytes);
    else
        return _mm256_alignr_epi8(middle, before, 32 - bytes);
}

/// Lowers `least` by the lanes that stand `before` lanes before vector u.
template <class Place, int vectors, int u, int before>
[[WARPLENS_AVX2, gnu::always_inline]] inline void compare_shifted(const __m256i* own, __m256i* least) {
    const auto previous = u == 0 ? Lanes<Place>::nowhere() : own[u == 0 ? 0 : u - 1];
    const auto earlier = shift_in<int(sizeof(Place)) * before>(previous, own[u]);
#pragma GCC unroll 4
    for (int v = before == 0 ? u + 1 : u; v < vectors; ++v)
        least[v] = Lanes<Place>::least(least[v], _mm256_xor_si256(own[v], earlier));
}

template <class Place, int vectors, int... steps>
[[WARPLENS_AVX2, gnu::always_inline]] inline void compare_all(const __m256i* own, __m256i* least,
                                                              std::integer_sequence<int, steps...>) {
    constexpr int kEach = Lanes<Place>::kAtOnce;
    (compare_shifted<Place, vectors, steps / kEach, steps % kEach>(own, least), ...);
}

/// How many lanes are the first in their piece. Two lie in one if they differ in no bit above it, so the
/// least difference (XOR) from the lanes before decides for pieces of every size.
/// @param own  so many vectors of places, without their highest bit
template <class Place, int vectors>
[[WARPLENS_AVX2, gnu::always_inline]] inline PieceCounts count_first(const __m256i* own,
                                                                     const std::array<int, 3>& log2_sizes) {
    // Without a trip through memory: reads across two recent writes would have to wait.
    using L = Lanes<Place>;
    __m256i least[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) least[v] = L::nowhere();
    compare_all<Place, vectors>(own, least, std::make_integer_sequence<int, vectors * L::kAtOnce>());
    int counts[3];
    for (std::size_t i = 0; i < log2_sizes.size(); ++i) {
        const auto inside = L::all((1 << log2_sizes[i]) - 1);
        int bytes_of_others = 0;
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
            const auto same = L::equal(_mm256_andnot_si256(inside, least[v]), _mm256_setzero_si256());
            bytes_of_others += _mm_popcnt_u32(static_cast<unsigned>(_mm256_movemask_epi8(same)));
        }
        counts[i] = vectors * L::kAtOnce - bytes_of_others / int(sizeof(Place));
    }
    return {counts[0], counts[1], counts[2]};
}

constexpr int kInOrder = 0xd8;  // of quarters, after two vectors were packed into one

/// Which of 8 numbers, none of them 0, are among 8 others.
[[WARPLENS_AVX2, gnu::always_inline]] inline __m128i among(__m128i numbers, __m128i others) {
    return _mm_cmpistrm(others, numbers, _SIDD_UWORD_OPS | _SIDD_CMP_EQUAL_ANY | _SIDD_BIT_MASK);
}

/// Whether all numbers of so many vectors, 16 in each and none of them 0, are different.
template <int vectors>
[[WARPLENS_AVX2, gnu::always_inline]] inline bool all_differ(const __m256i* own) {
    constexpr int kEights = 2 * vectors;
    __m128i eights[kEights];
    auto met = _mm256_setzero_si256();
    auto found = _mm_setzero_si128();
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
        eights[2 * v] = _mm256_castsi256_si128(own[v]);
        eights[2 * v + 1] = _mm256_extracti128_si256(own[v], 1);
        // Within eight numbers a turn by k lets those meet that stand k or 8 - k apart.
        const auto one = _mm256_cmpeq_epi16(own[v], _mm256_alignr_epi8(own[v], own[v], 2)),
                   two = _mm256_cmpeq_epi16(own[v], _mm256_alignr_epi8(own[v], own[v], 4)),
                   three = _mm256_cmpeq_epi16(own[v], _mm256_alignr_epi8(own[v], own[v], 6)),
                   four = _mm256_cmpeq_epi16(own[v], _mm256_alignr_epi8(own[v], own[v], 8));
        met = _mm256_or_si256(met, _mm256_or_si256(_mm256_or_si256(one, two), _mm256_or_si256(three, four)));
    }
#pragma GCC unroll 4
    for (int i = 0; i < kEights; ++i)
#pragma GCC unroll 4
        for (int k = i + 1; k < kEights; ++k) found = _mm_or_si128(found, among(eights[i], eights[k]));
    return _mm256_testz_si256(met, met) != 0 && _mm_testz_si128(found, found) != 0;
}

/// Whether all places certainly lie in pieces of their own, as those of most random requests do. Of their
/// numbers 15 bits are compared, which are different within 2^15 pieces that follow each other.
template <int vectors>
[[WARPLENS_AVX2, gnu::always_inline]] inline bool all_apart(const __m256i* places, int log2_bytes) {
    const auto low = _mm256_set1_epi32(0xffff), spread = _mm256_set1_epi16(static_cast<short>(0x9e37));
    __m256i numbers[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
        const auto first = _mm256_srli_epi32(places[2 * v], log2_bytes),
                   last = _mm256_srli_epi32(places[2 * v + 1], log2_bytes);
        const auto above = _mm256_packus_epi32(_mm256_srli_epi32(first, 16), _mm256_srli_epi32(last, 16));
        numbers[v] =
            _mm256_xor_si256(_mm256_packus_epi32(_mm256_and_si256(first, low), _mm256_and_si256(last, low)),
                             _mm256_mullo_epi16(above, spread));
        numbers[v] = _mm256_or_si256(numbers[v], _mm256_set1_epi16(INT16_MIN));
    }
    return all_differ<vectors>(numbers);
}

/// @param addresses  so many times 16 of them
/// @param log2_bytes  the smallest piece first
template <int vectors>
[[WARPLENS_AVX2]] PieceCounts count(const std::uint64_t* addresses, const std::array<int, 3>& log2_bytes) {
    // Places are counted from about 2^30 bytes before the first address.
    constexpr int kLog2Reach = 30, kLog2Near = 14;
    constexpr std::uint64_t kReach = std::uint64_t{1} << kLog2Reach, kLargestPiece = 4096;
    const auto origin =
        _mm256_set1_epi64x(static_cast<long long>(addresses[0] / kLargestPiece * kLargestPiece - kReach));
    // If the lanes lie within 2^15 of the smallest pieces, 16 bits hold the number of such a piece.
    const int smallest = log2_bytes[0];
    const auto near_origin = _mm256_set1_epi32((1 << kLog2Reach) - (1 << (kLog2Near + smallest)));
    __m256i places[2 * vectors], near[2 * vectors];
    auto all = _mm256_setzero_si256(), all_near = all;
#pragma GCC unroll 4
    for (int v = 0; v < 2 * vectors; ++v) {
        const auto* at = reinterpret_cast<const __m256i*>(addresses + kAtOnce * v);
        const auto first = _mm256_sub_epi64(_mm256_loadu_si256(at), origin);
        const auto last = _mm256_sub_epi64(_mm256_loadu_si256(at + 1), origin);
        all = _mm256_or_si256(all, _mm256_or_si256(first, last));
        places[v] = low_halves(first, last);
        near[v] = _mm256_sub_epi32(places[v], near_origin);
        all_near = _mm256_or_si256(all_near, near[v]);
        near[v] = _mm256_srli_epi32(near[v], smallest);
    }
    if (!is_below(all, kLog2Reach + 1)) return {};
    if (_mm256_testz_si256(all_near, _mm256_set1_epi32(~0 << (kLog2Near + 1 + smallest))) == 0) {
        constexpr int kAll = 16 * vectors;
        if (all_apart<vectors>(places, log2_bytes[2])) return {kAll, kAll, kAll};
        return count_first<std::uint32_t, 2 * vectors>(places, log2_bytes);
    }
    __m256i packed[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v)
        packed[v] = _mm256_permute4x64_epi64(_mm256_packus_epi32(near[2 * v], near[2 * v + 1]), kInOrder);
    return count_first<std::uint16_t, vectors>(packed,
                                               {0, log2_bytes[1] - smallest, log2_bytes[2] - smallest});
}

/// For each byte, 1 and the number of equal ones among so many before it.
template <int... steps>
[[WARPLENS_AVX2, gnu::always_inline]] inline __m256i count_before(__m256i bytes,
                                                                  std::integer_sequence<int, steps...>) {
    const auto none = _mm256_set1_epi8(-1);
    auto count = _mm256_set1_epi8(1);
    ((count = _mm256_sub_epi8(count, _mm256_cmpeq_epi8(bytes, shift_in<steps + 1>(none, bytes)))), ...);
    return count;
}

/// Marks the lanes whose number stands in one of the so many lanes before them, 16 lanes in each vector.
template <int... steps>
[[WARPLENS_AVX2, gnu::always_inline]] inline void find_met(const __m256i (&own)[2], __m256i (&met)[2],
                                                           std::integer_sequence<int, steps...>) {
    const auto none = _mm256_set1_epi16(-1);
    ((met[0] = _mm256_or_si256(met[0], _mm256_cmpeq_epi16(own[0], shift_in<2 * steps + 2>(none, own[0]))),
      met[1] = _mm256_or_si256(met[1], _mm256_cmpeq_epi16(own[1], shift_in<2 * steps + 2>(own[0], own[1])))),
     ...);
}

/// The lanes of the second half whose number stands in the first, 16 to 31 lanes before them.
template <int... steps>
[[WARPLENS_AVX2, gnu::always_inline]] inline __m256i find_far(const __m256i (&own)[2],
                                                              std::integer_sequence<int, steps...>) {
    const auto none = _mm256_set1_epi16(-1);
    auto met = _mm256_cmpeq_epi16(own[1], own[0]);
    ((met = _mm256_or_si256(met, _mm256_cmpeq_epi16(own[1], shift_in<2 * steps + 2>(none, own[0])))), ...);
    return met;
}

template <int lanes_each>
[[WARPLENS_AVX2]] std::optional<std::array<std::uint8_t, 4>> most(const WarpAccess& access, int log2_bytes,
                                                                  std::uint32_t column_mask) {
    constexpr int kGroups = kWarpLanes / lanes_each;
    // The number of its piece and, above it, of its group: 16 bits. No piece has all of them set.
    auto all = _mm256_setzero_si256();
    __m256i place[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        const auto* at = reinterpret_cast<const __m256i*>(access.byte_address.data() + kAtOnce * v);
        const auto first = _mm256_loadu_si256(at), last = _mm256_loadu_si256(at + 1);
        all = _mm256_or_si256(all, _mm256_or_si256(first, last));
        const int group = v * kAtOnce / lanes_each;
        place[v] = _mm256_or_si256(_mm256_srli_epi32(low_halves(first, last), log2_bytes),
                                   _mm256_set1_epi32(group * (65536 / kGroups)));
    }
    __m256i own[2] = {_mm256_permute4x64_epi64(_mm256_packus_epi32(place[0], place[1]), kInOrder),
                      _mm256_permute4x64_epi64(_mm256_packus_epi32(place[2], place[3]), kInOrder)};
    const auto none = _mm256_set1_epi16(-1);  // before the first lane, and for lanes that are not active
    const auto last_piece =
        _mm256_or_si256(_mm256_cmpeq_epi16(own[0], none), _mm256_cmpeq_epi16(own[1], none));
    if (!is_below(all, 18) || _mm256_testz_si256(last_piece, last_piece) == 0) return std::nullopt;
    __m256i met[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    if (access.active != kAllLanes) {
        const auto bit =
            _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
        for (int half = 0; half < 2; ++half) {
            const auto lanes = _mm256_set1_epi16(static_cast<short>(access.active >> (16 * half)));
            met[half] = _mm256_cmpeq_epi16(_mm256_and_si256(lanes, bit), _mm256_setzero_si256());
            own[half] = _mm256_or_si256(own[half], met[half]);
        }
    }
    find_met(own, met, std::make_integer_sequence<int, std::min(lanes_each, 16) - 1>());
    if constexpr (lanes_each == 32)
        met[1] = _mm256_or_si256(met[1], find_far(own, std::make_integer_sequence<int, 15>()));

    // Lanes that are the first with their piece keep their column, one byte each; the others get none.
    const auto columns = _mm256_set1_epi16(static_cast<short>(column_mask));
    const auto column = _mm256_permute4x64_epi64(
        _mm256_packus_epi16(_mm256_and_si256(own[0], columns), _mm256_and_si256(own[1], columns)), kInOrder);
    const auto skip = _mm256_permute4x64_epi64(_mm256_packs_epi16(met[0], met[1]), kInOrder);
    constexpr long long kNextGroup = 0x2020'2020'2020'2020;
    const auto group = _mm256_setr_epi64x(0, 8 / lanes_each * kNextGroup, 16 / lanes_each * kNextGroup,
                                          24 / lanes_each * kNextGroup);
    const auto alone = _mm256_setr_epi8(-128, -127, -126, -125, -124, -123, -122, -121, -120, -119, -118,
                                        -117, -116, -115, -114, -113, -112, -111, -110, -109, -108, -107,
                                        -106, -105, -104, -103, -102, -101, -100, -99, -98, -97);
    const auto bytes = _mm256_blendv_epi8(_mm256_or_si256(column, group), alone, skip);
    // Each is as deep in its column as there are equal ones before it.
    auto depth = count_before(bytes, std::make_integer_sequence<int, lanes_each - 1>());
    depth = _mm256_andnot_si256(skip, depth);
    for (const int bits : {8, 16, 32}) depth = _mm256_max_epu8(depth, _mm256_srli_epi64(depth, bits));
    std::array<std::uint8_t, kVectors> result{};
    const std::uint64_t deepest[] = {static_cast<std::uint64_t>(_mm256_extract_epi64(depth, 0)),
                                     static_cast<std::uint64_t>(_mm256_extract_epi64(depth, 1)),
                                     static_cast<std::uint64_t>(_mm256_extract_epi64(depth, 2)),
                                     static_cast<std::uint64_t>(_mm256_extract_epi64(depth, 3))};
    for (int v = 0; v < kVectors; ++v) {
        std::uint8_t& most = result[v * kAtOnce / lanes_each];
        most = std::max(most, static_cast<std::uint8_t>(deepest[v]));
    }
    return result;
}

}  // namespace

PieceCounts count_pieces(std::span<const std::uint64_t> addresses, const std::array<int, 3>& log2_bytes) {
    if (!kHasAvx2) return {};
    constexpr std::size_t kHalf = kWarpLanes / 2;
    std::array<std::uint64_t, kWarpLanes> padded;
    const bool half = addresses.size() <= kHalf;
    const std::uint64_t* all = addresses.data();
    if (addresses.size() != (half ? kHalf : kWarpLanes)) {  // by the first again, which adds no piece
        std::fill(std::ranges::copy(addresses, padded.begin()).out, padded.end(), all[0]);
        all = padded.data();
    }
    return half ? count<1>(all, log2_bytes) : count<2>(all, log2_bytes);
}

std::optional<std::array<std::uint8_t, 4>> most_pieces_in_a_column(const WarpAccess& access, int lanes_each,
                                                                   int log2_bytes,
                                                                   std::uint32_t column_mask) {
    if (!kHasAvx2) return std::nullopt;
    if (lanes_each == 32) return most<32>(access, log2_bytes, column_mask);
    if (lanes_each == 16) return most<16>(access, log2_bytes, column_mask);
    return most<8>(access, log2_bytes, column_mask);
}
#else
PieceCounts count_pieces(std::span<const std::uint64_t>, const std::array<int, 3>&) { return {}; }
std::optional<std::array<std::uint8_t, 4>> most_pieces_in_a_column(const WarpAccess&, int, int,
                                                                   std::uint32_t) {
    return std::nullopt;
}
#endif

}  // namespace warplens
