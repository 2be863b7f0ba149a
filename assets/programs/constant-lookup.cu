/// One warp looks up the same words again and again, and each address depends on the word before.
/// @param zero    0, which the compiler must not know
/// @param cycles  gets the cycles of the SM's clock that all of it took, but for one round to warm up
__global__ void repeat_look_up(int words, int stride, unsigned mask, unsigned zero, long long* cycles,
                               unsigned* found) {
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
//$if pattern=neighbours
    const int lane = threadIdx.x, k = lane * words / 32;
//$else
    const int lane = threadIdx.x, k = lane % words;
//$end
    const unsigned own = k * stride * sizeof(unsigned);
    const char* bytes = reinterpret_cast<const char*>(table.word);
    unsigned value = 0;
    long long begin = 0;
#pragma unroll 1
    for (int round = -1; round < kRounds; ++round) {
        if (round == 0) {
            begin = clock64();
            value ^= static_cast<unsigned>(begin);  // nothing starts before the clock has been read
        }
#pragma unroll
        for (int i = 0; i < kLinks; ++i)
            value = *reinterpret_cast<const unsigned*>(bytes + (own | (value & zero)));
    }
    *cycles = clock64() - begin;
    if (value == kNever) *found = lane;
}

int main() {
    const int words = $words$, stride = $stride$;
    const unsigned mask = $mask$;  // bit i: lane i takes part
    const dim3 grid($grid$), block($block$);
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
//$if pattern=neighbours
        const auto word = [&](unsigned lane) { return lane * words / 32 * stride; };
//$else
        const auto word = [&](unsigned lane) { return lane % words * stride; };
//$end
        wanted = filled_word(word(lane));
        const unsigned by = look(found, launch);
        right = right && by < 32 && filled_word(word(by)) == wanted;
    }
    verify(right);

    const double cycles = median_cycles([&](long long* cycles) {
        repeat_look_up<<<1, 32>>>(words, stride, mask, 0, cycles, found);
    });
    print_latency(cycles, kRounds * kLinks);
    CHECK(cudaFree(found));
}
