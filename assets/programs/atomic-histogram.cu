/// The bin of element i.
unsigned bin_of(size_t i, unsigned n) {
//$if data=in-turn
    return i % n;
//$end
//$if data=uniform
    return random_word(i) % n;
//$end
//$if data=skewed
    unsigned part = random_word(i) & 0xffff;  // of 2^16; its fourth power is small more often than not
    part = part * part >> 16;
    part = part * part >> 16;
    return part * n >> 16;
//$end
//$if data=one
    return 0;
//$end
}

int main() {
    const int blocks = $blocks$, threads = $block$;
    const int items = $items$;  // elements of a thread
    const int n = $bins$;  // bins
    const int distance = $stride$;  // from one bin to the next [words]
    const dim3 grid(blocks), block(threads);
//$if !memory=global
    const size_t shared_bytes = $shared_bytes$;
//$end

    // An element holds its bin in the low half and its weight in the high one.
    const size_t elements = static_cast<size_t>(blocks) * threads * items;
    std::vector<unsigned> host_in(elements);
    for (size_t i = 0; i < elements; ++i) host_in[i] = bin_of(i, n) | (1 + random_word(i + elements) % 256) << 16;
    unsigned* in = to_device(host_in);
    const size_t words = static_cast<size_t>(n) * distance;
    unsigned* out = device_array<unsigned>(words);
    unsigned* rank = device_array<unsigned>(elements);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    CHECK(cudaMemset(out, 0, words * sizeof(unsigned)));
    launch(0);
    const std::vector<unsigned> found = to_host(out, words);
    std::vector<unsigned> wanted(n);
//$if update=sum
    for (const unsigned element : host_in) wanted[element & 0xffff] += element >> 16;
//$else
    for (const unsigned element : host_in) ++wanted[element & 0xffff];
//$end
    size_t wrong = 0;
//$if memory=global
    for (int b = 0; b < n; ++b) wrong += found[static_cast<size_t>(b) * distance] != wanted[b];
//$else
    for (int b = 0; b < n; ++b) wrong += found[b] != wanted[b];
//$end
//$if update=plain
    std::printf("%zu of %d bins are wrong: updates were lost\n", wrong, n);
//$else
    verify(wrong == 0);
//$end

    print_bandwidth(1.0 * elements * sizeof(unsigned), time_us(launch));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(rank));
}
