int main() {
    const int stride = $stride$, offset = $offset$;  // elements
    const unsigned mask = $mask$;  // bit i: lane i takes part
    const dim3 grid($grid$), block($block$);
    const size_t shared_bytes = $shared_bytes$;  // the tile
//$if takes.wanted
    const int words = shared_bytes / 4;
    unsigned wanted = 0, *found = device_array<unsigned>(1);
//$end
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

//$if takes.wanted
    bool right = true;
    for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        wanted = folded_in_tile<T>(offset + lane * stride);
        const unsigned by = look(found, launch);
        right = right && by < 32 && folded_in_tile<T>(offset + by * stride) == wanted;
    }
    verify(right);
//$else
    launch(0);
    CHECK(cudaDeviceSynchronize());  // there is nothing to verify: what it stores ends with it
//$end

    Request request;
    for (int lane = 0; lane < 32; ++lane) request.element[lane] = mask >> lane & 1 ? offset + lane * stride : -1;
    const double cycles = median_cycles([&](long long* cycles) {
//$if takes.wanted
        repeat_loads<T><<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles, found);
//$else
        repeat_stores<T><<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles);
//$end
    });
    print_requests(request, sizeof(T), cycles);
//$if takes.found
    CHECK(cudaFree(found));
//$end
}
