int main() {
    const int width = $width$, height = $height$;
    const int pitch = width + $padding$;  // elements from one row to the next
    const int changed = $changed$, shift = $swizzle_shift$;  // the swizzle; there is none if `changed` is 0
    const dim3 grid($grid$), block($block$);
    const size_t shared_bytes = $shared_bytes$;  // the tile
    const int block_x = block.x, block_y = block.y;
//$if takes.wanted
    const int words = shared_bytes / 4;
    unsigned wanted = 0, *found = device_array<unsigned>(1);
//$end
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };
//$if much-shared
    CHECK(cudaFuncSetAttribute($kernel$, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
//$if takes.wanted
    CHECK(cudaFuncSetAttribute(repeat_loads<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
//$else
    CHECK(cudaFuncSetAttribute(repeat_stores<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
//$end
//$end

    // What thread (x, y) accesses at a step of the block over the tile; -1 for nothing.
//$if walk=row
    const int steps_across = (width + block_x - 1) / block_x, steps_down = (height + block_y - 1) / block_y;
//$else
    const int steps_across = (width + block_y - 1) / block_y, steps_down = (height + block_x - 1) / block_x;
//$end
    const auto element_of = [&](int x, int y, int step) {
//$if walk=row
        const int row = step / steps_across * block_y + y, column = step % steps_across * block_x + x;
//$else
        const int row = step / steps_across * block_x + x, column = step % steps_across * block_y + y;
//$end
        if (row >= height || column >= width) return -1;
//$if walk=diagonal
        const int element = row * pitch + (column + row) % width;
//$else
        const int element = row * pitch + column;
//$end
        return element ^ (element >> shift & changed);
    };

//$if takes.wanted
    bool right = true;
    for (const size_t thread : samples(block_x * block_y)) {
        wanted = 0;
        for (int step = 0; step < steps_across * steps_down; ++step) {
            const int element = element_of(thread % block_x, thread / block_x, step);
            if (element >= 0) wanted += folded_in_tile<T>(element);
        }
        right = right && look(found, launch) != kNever;
    }
    verify(right);
//$else
    launch(0);
    CHECK(cudaDeviceSynchronize());  // there is nothing to verify: what it stores ends with it
//$end

    const int warp = $warp$, step = $step$;  // of the block: the request that is timed
    Request request;
    for (int lane = 0; lane < 32; ++lane) {
        const int thread = 32 * warp + lane;
        request.element[lane] = -1;
        if (thread < block_x * block_y) request.element[lane] = element_of(thread % block_x, thread / block_x, step);
    }
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
