int main() {
    const float factor = 0.75f;
//$if index=uniform
    const int stride = 1;  // the compiler must not know it
//$end
//$if index=different
    const int stride = $stride$;  // words between the indices of lanes side by side
//$end
    const dim3 grid($grid$), block($block$);
    const size_t threads = static_cast<size_t>(grid.x) * block.x;
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (const size_t i : samples(threads)) {  // the same on the host
        std::vector<float> a(kWords);
        float value = i, sum = 0;
        for (float& word : a) word = value = std::fma(value, factor, 1.0f);
        for (const float word : a) sum = std::fma(sum, factor, word);
        std::memcpy(&wanted, &sum, sizeof sum);
        right = right && look(found, launch) != kNever;
    }
    verify(right);
    wanted = kNever;

//$if index=known
    print_bandwidth(1.0 * threads * kWords * sizeof(float), time_us(launch));  // into registers
//$else
    print_bandwidth(2.0 * threads * kWords * sizeof(float), time_us(launch));  // stored and loaded
//$end
    CHECK(cudaFree(found));
}
