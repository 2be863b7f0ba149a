int main() {
    const int n = $elements$;        // threads
    const int stride = $stride$;     // elements from one thread's to the next one's
    const int offset = $offset$;     // the element of thread 0
    const unsigned mask = $mask$;  // bit i: lane i of each warp takes part
    const dim3 grid($grid$), block($block$);

    const size_t strided = offset + static_cast<size_t>(n - 1) * stride + 1;  // elements
//$if takes.in
    const std::vector<T> host_in = random_elements<T>(strided);
    T* in = to_device(host_in);
//$end
//$if op=copy
    const size_t written = n;
    T* out = device_array<T>(written);
//$end
//$if !op=copy takes.out
    const size_t written = strided;
    T* out = device_array<T>(written);
//$end
//$if takes.wanted
    unsigned wanted = top_bit<T>(), *found = device_array<unsigned>(1);
//$end
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
//$if takes.wanted
    for (const size_t i : samples(n)) {
        if ((mask >> i % 32 & 1) == 0) continue;
        const size_t thread = find(in + offset + i * stride, found, launch);
        right = right && thread < n && thread * stride == i * stride;
    }
    wanted = kNever;
//$else
    launch(0);
    const std::vector<T> host_out = to_host(out, written);
    for (size_t i = 0; i < n; ++i) {
        if ((mask >> i % 32 & 1) == 0) continue;
        const size_t at = offset + i * stride;
//$if op=store
        const T wanted = unfold<T>(static_cast<unsigned>(at * sizeof(T)));
        right = right && std::memcmp(&host_out[at], &wanted, sizeof(T)) == 0;
//$else
//$if op=copy
        right = right && std::memcmp(&host_out[i], &host_in[at], sizeof(T)) == 0;
//$else
        right = right && std::memcmp(&host_out[at], &host_in[at], sizeof(T)) == 0;
//$end
//$end
    }
//$end
    verify(right);

    int lanes = 0;  // of a warp that take part
    for (int lane = 0; lane < 32; ++lane) lanes += mask >> lane & 1;
//$if takes.in takes.out
    const double accesses = 2.0 * n / 32 * lanes;  // each of them loads and stores
//$else
    const double accesses = 1.0 * n / 32 * lanes;
//$end
    print_bandwidth(accesses * sizeof(T), time_us(launch));
//$if takes.in
    CHECK(cudaFree(in));
//$end
//$if takes.out
    CHECK(cudaFree(out));
//$end
//$if takes.found
    CHECK(cudaFree(found));
//$end
}
