int main() {
    const int n = $matrix$;  // rows and columns
    const dim3 grid($grid$), block($block$);
//$if dynamic-shared
    const size_t shared_bytes = $shared_bytes$;  // the tiles of A and B
    // A kernel has to ask for more than 48 KiB.
    CHECK(cudaFuncSetAttribute($kernel$, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
//$end

    const size_t elements = static_cast<size_t>(n) * n;
    const std::vector<float> host_a = random_floats(elements, 1), host_b = random_floats(elements, 2);
    float *a = to_device(host_a), *b = to_device(host_b), *c = device_array<float>(elements);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    launch(0);
    const std::vector<float> host_c = to_host(c, elements);
    bool right = true;
    for (size_t i = 0; i < elements; i += 1 + elements / 1000) {  // some elements, by the definition
        const size_t row = i / n, column = i % n;
        double sum = 0;
        for (size_t k = 0; k < n; ++k) sum += static_cast<double>(host_a[row * n + k]) * host_b[k * n + column];
        right = right && std::abs(host_c[i] - sum) < 1e-3;
    }
    verify(right);

    print_speed(2.0 * n * n * n, time_us(launch));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}
