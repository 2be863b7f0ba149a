int main() {
    const int blocks = $blocks$, threads = $block$;
    const dim3 grid(blocks), block(threads);

    const size_t elements = static_cast<size_t>(blocks) * threads;
    const std::vector<unsigned> host_in = random_elements<unsigned>(elements);
    unsigned* in = to_device(host_in);
    unsigned* out = device_array<unsigned>(blocks);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    launch(0);
    const std::vector<unsigned> host_out = to_host(out, blocks);
    bool right = true;
    for (size_t i = 0; i < blocks; ++i) {
        unsigned sum = 0;
        for (size_t k = 0; k < threads; ++k) sum += host_in[i * threads + k];
        right = right && host_out[i] == sum;
    }
    verify(right);

    print_bandwidth(1.0 * (elements + blocks) * sizeof(unsigned), time_us(launch));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
