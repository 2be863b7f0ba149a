int main() {
    const int n = $matrix$;         // rows and columns of the output
    const int filter = kFilter;  // rows and columns of the filter
    const int pitch = $pitch$;     // elements of a stored row of the input, which has a halo of filter - 1
    const dim3 grid($grid$), block($block$);

    const std::vector<float> host_in = random_floats(static_cast<size_t>(pitch) * (n + filter - 1), 0);
    std::vector<float> host_weights(filter * filter);
    for (int i = 0; i < filter * filter; ++i) host_weights[i] = ((i * 73 + 29) % 256 - 128) / 128.0f;
    float* in = to_device(host_in);
//$if takes.weights
    float* weights = to_device(host_weights);
//$else
    CHECK(cudaMemcpyToSymbol(constant_weights, host_weights.data(), host_weights.size() * sizeof(float)));
//$end
    const size_t pixels = static_cast<size_t>(n) * n;
    float* out = device_array<float>(pixels);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    launch(0);
    const std::vector<float> host_out = to_host(out, pixels);
    bool right = true;
    for (size_t i = 0; i < pixels; i += 1 + pixels / 100000) {  // some pixels, by the definition
        const size_t y = i / n, x = i % n;
        float sum = 0;
        for (int dy = 0; dy < filter; ++dy)
            for (int dx = 0; dx < filter; ++dx)
                sum += host_in[(y + dy) * pitch + x + dx] * host_weights[dy * filter + dx];
        right = right && host_out[i] == sum;
    }
    verify(right);

    print_speed(2.0 * filter * filter * pixels, time_us(launch));
    CHECK(cudaFree(in));
//$if takes.weights
    CHECK(cudaFree(weights));
//$end
    CHECK(cudaFree(out));
}
