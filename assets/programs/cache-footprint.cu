//$if measure=latency
/// The item that comes `place`-th when 2^bits items are visited in an order that looks random, each once: every
/// step can be undone.
unsigned shuffled(unsigned place, int bits) {
    const unsigned mask = (1u << bits) - 1;
    unsigned item = place & mask;
    for (const unsigned factor : {0x9e3779b1u, 0x85ebca6bu, 0xc2b2ae35u}) {
        item = (item * factor + 0x7f4a7c15) & mask;
        item ^= item >> (bits + 1) / 2;
    }
    return item;
}

/// Loads all lines of the chain in its order, so that the L2 holds what it would hold if one lane had followed it.
__global__ void touch_lines(const unsigned* next, const unsigned* order, int lines, unsigned* found) {
    unsigned all = 0;
    for (int step = threadIdx.x; step < lines; step += blockDim.x) all ^= next[order[step]];
    if (all == kNever) *found = all;
}

int main() {
    const int lines = $footprint$ / 128, bits = $line_bits$;  // 2^bits lines
    const dim3 grid($grid$), block($block$);

    std::vector<unsigned> host_order(lines), host_next(lines * size_t{32});
    for (int step = 0; step < lines; ++step) {
        host_order[step] = shuffled(step, bits) * 32;  // the first word of a line
        host_next[host_order[step]] = shuffled(step + 1, bits) * 32;
    }
    unsigned *next = to_device(host_next), *order = to_device(host_order), *found = device_array<unsigned>(1);
    long long* clocks = device_array<long long>(2);
    // 4,096 loads warm up the L1: whole rounds of a short chain, or the end of a long one.
    const unsigned first = host_order[std::max(0, lines - 4096)];
    unsigned never = kNever;
    const auto launch = [&](cudaStream_t stream) {
        touch_lines<<<1, 1024, 0, stream>>>(next, order, lines, found);
        $launch$;
        CHECK(cudaGetLastError());
    };
    CHECK(cudaFuncSetAttribute($kernel$, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxL1));

    // The kernel writes no clock if it reaches the index `never` half way or at the end.
    bool right = true;
    for (const int steps : {4096, 8192}) {
        CHECK(cudaMemset(clocks, 0, 2 * sizeof *clocks));
        never = first;
        for (int step = 0; step < steps; ++step) never = host_next[never];
        launch(0);
        right = right && to_host(clocks, 2)[1] == 0;
    }
    never = kNever;
    launch(0);
    verify(right && to_host(clocks, 2)[1] != 0);

    std::vector<long long> cycles;
    for (int i = 0; i < 9; ++i) {
        launch(0);
        const std::vector<long long> pair = to_host(clocks, 2);
        cycles.push_back(pair[1] - pair[0]);
    }
    std::sort(cycles.begin(), cycles.end());
    print_latency(cycles[4], 4096);
    CHECK(cudaFree(next));
    CHECK(cudaFree(order));
    CHECK(cudaFree(clocks));
    CHECK(cudaFree(found));
}
//$else
int main() {
    const size_t vectors = $footprint$ / sizeof(uint4);
    const int n = $slice$;  // vectors of a slice
    const dim3 grid($grid$), block($block$);

    const std::vector<uint4> host_in = random_elements<uint4>(vectors);
    uint4* in = to_device(host_in);
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };
    CHECK(cudaFuncSetAttribute($kernel$, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxL1));

    bool right = true;
    for (const size_t slice : samples(grid.x)) {
        for (const size_t thread : samples(block.x)) {
            wanted = 0;
            for (int step = 0; step < 64; ++step)
                wanted ^= folded(host_in[slice * n + thread + step * 256 % n]);
            right = right && look(found, launch) != kNever;
        }
    }
    verify(right);
    wanted = kNever;

    const double threads = 1.0 * grid.x * grid.y * block.x;
    print_bandwidth(threads * 64 * sizeof(uint4), time_us(launch));
    CHECK(cudaFree(in));
    CHECK(cudaFree(found));
}
//$end
