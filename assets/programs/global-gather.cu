/// A hash: its values look random.
unsigned mix_bits(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

/// How far from the first element of its block of 256 threads a thread reads: below `window`, a power of two.
unsigned place_in_window(unsigned thread, unsigned window, unsigned duplicates, unsigned seed) {
    const unsigned item = thread / duplicates;  // neighbours share an element
//$if pattern=random
    return mix_bits(item ^ mix_bits(seed)) & (window - 1);
//$end
//$if pattern=permuted
    unsigned x = (item * 0x9e3779b1 + mix_bits(seed)) & (window - 1);  // each step can be undone, so no two items meet
    x ^= x >> $half_of_window$;
    x = x * 0x85ebca6b & (window - 1);
    return x ^ x >> $half_of_window$;
//$end
//$if pattern=sorted
    const unsigned apart = window / (256 / duplicates);
    return item * apart + (mix_bits(item ^ mix_bits(seed)) & (apart - 1));
//$end
//$if pattern=clustered
    const unsigned cluster = mix_bits(item / 8 ^ mix_bits(seed + 1));  // of 8 neighbours within 32 elements
    return (cluster & (window - 1)) / 32 * 32 + mix_bits(item ^ mix_bits(seed)) % 32;
//$end
}

int main() {
    const int n = $elements$;  // indices, and threads
    const unsigned window = $window$, duplicates = $duplicates$, seed = $seed$;
    const unsigned mask = $mask$;  // bit i: lane i of each warp takes part
    const dim3 grid($grid$), block($block$);

    std::vector<int> host_indices(n);
    for (int i = 0; i < n; ++i)
        host_indices[i] = i / 256 * 256 + place_in_window(i % 256, window, duplicates, seed);
    int* indices = to_device(host_indices);
    T* in = to_device(random_elements<T>(n - 256 + static_cast<size_t>(window)));
    unsigned wanted = top_bit<T>(), *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (const size_t i : samples(n)) {
        if ((mask >> i % 32 & 1) == 0) continue;
        const unsigned by = find(in + host_indices[i], found, launch);
        right = right && by < n && host_indices[by] == host_indices[i];
    }
    verify(right);
    wanted = kNever;

    int lanes = 0;  // of a warp that take part
    for (int lane = 0; lane < 32; ++lane) lanes += mask >> lane & 1;
    print_bandwidth(1.0 * n / 32 * lanes * (sizeof(int) + sizeof(T)), time_us(launch));
    CHECK(cudaFree(indices));
    CHECK(cudaFree(in));
    CHECK(cudaFree(found));
}
