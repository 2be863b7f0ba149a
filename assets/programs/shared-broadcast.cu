int main() {
    const int words = $words$;     // distinct words that the 32 lanes load
    const int distance = $stride$;  // from one of them to the next
    const unsigned mask = $mask$;  // bit i: lane i takes part
    const dim3 grid($grid$), block($block$);
    const size_t shared_bytes = $shared_bytes$;
    const int tile_words = shared_bytes / 4;
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    Request request;
    for (int lane = 0; lane < 32; ++lane) {
//$if pattern=neighbours
        const int k = lane * words / 32;
//$else
        const int k = lane % words;
//$end
        const int apart = sizeof(T) < 4 ? 4 / sizeof(T) : 1;  // each element lies in a word of its own
        request.element[lane] = mask >> lane & 1 ? k * distance * apart : -1;
    }

    bool right = true;
    for (const int element : request.element) {
        if (element < 0) continue;
        wanted = folded_in_tile<T>(element);
        const unsigned by = look(found, launch);
        right = right && by < 32 && folded_in_tile<T>(request.element[by]) == wanted;
    }
    verify(right);

    print_requests(request, sizeof(T), median_cycles([&](long long* cycles) {
                       repeat_loads<T><<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles, found);
                   }));
    CHECK(cudaFree(found));
}
