int main() {
    const int rounds = $rounds$;  // in which each thread loads kLoads elements
    const dim3 grid($grid$), block($block$);

    const size_t threads = size_t{grid.x} * block.x * block.y, count = threads * kLoads * rounds;
    const std::vector<T> host_in = random_elements<T>(count);
    T* in = to_device(host_in);
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (const size_t i : samples(threads)) {
        wanted = 0;
        for (size_t at = i; at < count; at += threads) wanted += folded(host_in[at]);
        right = right && look(found, launch) == i;
    }
    verify(right);
    wanted = kNever;

    print_bandwidth(count * sizeof(T), time_us(launch));
    std::printf("in flight: %.2f KiB for each block\n", threads / grid.x * kLoads * sizeof(T) / 1024.0);
    CHECK(cudaFree(in));
    CHECK(cudaFree(found));
}
