int main() {
    const int n = $n$;
    const dim3 grid($grid$), block($block_x$, $block_y$, $block_z$);

    // Allocate, and copy the input to the GPU.
    const std::vector<float> host_a = random_floats(n, 1), host_b = random_floats(n, 2);
    float *a = to_device(host_a), *b = to_device(host_b), *c = device_array<float>(n);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());  // a launch itself returns nothing
    };

    launch(0);
    const std::vector<float> host_c = to_host(c, n);  // cudaMemcpy waits for the kernel
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && host_c[i] == host_a[i] + host_b[i];
    verify(right);

    print_bandwidth(3.0 * n * sizeof(float), time_us(launch));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}
