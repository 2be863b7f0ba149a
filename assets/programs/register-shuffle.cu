/// One warp exchanges values again and again, each time those of the time before.
/// @param cycles  gets the cycles of the SM's clock that all of it took, but for one round to warm up
//$if way=global
__global__ void repeat_exchange(unsigned* out, int distance, long long* cycles, unsigned* found) {
//$else
__global__ void repeat_exchange(int distance, long long* cycles, unsigned* found) {
//$end
//$if way=shared
    __shared__ unsigned tile[32];
//$end
//$if !way=shuffle
    const int lane = threadIdx.x, from = $source$::source(lane, distance);
//$end
//$if way=shuffle exchange=broadcast
    const int from = distance | threadIdx.x / 32;  // the same in all lanes, which the compiler must not know
//$end
    unsigned value = threadIdx.x;
    long long begin = 0;
#pragma unroll 1
    for (int round = -1; round < kRounds; ++round) {
        if (round == 0) {
            begin = clock64();
            value ^= static_cast<unsigned>(begin);  // nothing starts before the clock has been read
        }
#pragma unroll
        for (int i = 0; i < kLinks; ++i) {
//$if way=shuffle exchange=broadcast
            value = __shfl_sync(~0u, value, from);
//$end
//$if way=shuffle !exchange=broadcast
            value = $exchange$;
//$end
//$if way=shared
            tile[lane] = value;
            __syncwarp();
            value = tile[from];
            __syncwarp();
//$end
//$if way=global
            out[lane] = value;
            __syncwarp();
            value = out[from];
            __syncwarp();
//$end
        }
    }
    *cycles = clock64() - begin;
    if (value == kNever) *found = value;
}

/// The lane whose value a lane gets: itself if its partner lies outside the warp.
unsigned source_of(unsigned lane, unsigned distance) {
//$if exchange=xor
    return lane ^ distance;
//$end
//$if exchange=up
    return lane < distance ? lane : lane - distance;
//$end
//$if exchange=down
    return lane + distance < 32 ? lane + distance : lane;
//$end
//$if exchange=rotate
    return (lane + distance) % 32;
//$end
//$if exchange=broadcast
    return distance;
//$end
}

int main() {
    const int distance = $distance$;  // lanes
    const dim3 grid($grid$), block($block$);
//$if way=global
    unsigned* out = device_array<unsigned>(static_cast<size_t>(grid.x) * 32);
//$end
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
        wanted = (grid.x - 1) * 32 + source_of(lane, distance);  // threads pass on their own numbers
        const unsigned by = look(found, launch);
        right = right && by / 32 == grid.x - 1 && source_of(by % 32, distance) == source_of(lane, distance);
    }
    verify(right);

    const double cycles = median_cycles([&](long long* cycles) {
//$if way=global
        repeat_exchange<<<1, 32>>>(out, distance, cycles, found);
//$else
        repeat_exchange<<<1, 32>>>(distance, cycles, found);
//$end
    });
    print_latency(cycles, kRounds * kLinks);
//$if way=global
    CHECK(cudaFree(out));
//$end
    CHECK(cudaFree(found));
}
