int main() {
    const int n = $matrix$;  // rows and columns
//$if takes.pitch
    const int pitch = $pitch$;  // words from one row of the tile to the next
//$end
    const dim3 grid($grid$), block($block$);
//$if dynamic-shared
    const size_t shared_bytes = $shared_bytes$;  // the tile
//$end

    const size_t elements = static_cast<size_t>(n) * n;
    const std::vector<unsigned> host_in = random_elements<unsigned>(elements);
    unsigned* in = to_device(host_in);
    unsigned* out = device_array<unsigned>(elements);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    launch(0);
    const std::vector<unsigned> host_out = to_host(out, elements);
    bool right = true;
    for (size_t y = 0; y < n; ++y)
        for (size_t x = 0; x < n; ++x) right = right && host_out[x * n + y] == host_in[y * n + x];
    verify(right);

    print_bandwidth(2.0 * elements * sizeof(unsigned), time_us(launch));  // each element is read and written
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
