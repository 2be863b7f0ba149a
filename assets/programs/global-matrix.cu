int main() {
    const int width = $width$, height = $height$;
    const int pitch = width + $padding$;  // elements from one row to the next
    const dim3 grid($grid$), block($block$);

    const size_t elements = static_cast<size_t>(height) * pitch;
//$if takes.wanted
    T* m = to_device(random_elements<T>(elements));
    unsigned wanted = top_bit<T>(), *found = device_array<unsigned>(1);
//$else
    T* m = device_array<T>(elements);
//$end
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
//$if takes.wanted
    for (const size_t i : samples(static_cast<size_t>(width) * height)) {
        const size_t row = i / width, column = i % width;
        right = right && find(m + row * pitch + column, found, launch) == row;
    }
    wanted = kNever;
//$else
    launch(0);
    const std::vector<T> host = to_host(m, elements);
    for (size_t row = 0; row < height; ++row) {
        for (size_t column = 0; column < width; ++column) {
            const size_t at = row * pitch + column;
            const T wanted = unfold<T>(static_cast<unsigned>(at * sizeof(T)));
            right = right && std::memcmp(&host[at], &wanted, sizeof(T)) == 0;
        }
    }
//$end
    verify(right);

    print_bandwidth(1.0 * width * height * sizeof(T), time_us(launch));
    CHECK(cudaFree(m));
//$if takes.found
    CHECK(cudaFree(found));
//$end
}
