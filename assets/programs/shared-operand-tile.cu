//$if load_by_matrices
/// Eight warps load the same matrices again and again, so that the banks are always busy.
/// @param zero    0, which the compiler must not know
/// @param cycles  gets the cycles of the SM's clock that all of it took
__global__ void repeat_matrix_loads(Request request, int zero, long long* cycles, unsigned* found) {
    extern __shared__ uint4 tile[];
    int chunk = request.element[threadIdx.x % 32];
    unsigned sum = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int turn = 0; turn < kTurns; ++turn) {
#pragma unroll
        for (int i = 0; i < kUnrolled; ++i, chunk += zero)
            sum ^= fold(load_matrices<kMatrices, kTransposed>(&tile[chunk]));
    }
    __syncthreads();
    if (threadIdx.x == 0) *cycles = clock64() - begin;
    if (sum == kNever) *found = sum;
}

//$end
int main() {
    const int span = $span$, pitch = $pitch$, changed = $changed$;  // see `place`
    const dim3 grid($grid$), block($block$);
    const size_t shared_bytes = $shared_bytes$;  // the tile
//$if takes.wanted
    const int chunks = shared_bytes / 16;
    unsigned wanted = 0, *found = device_array<unsigned>(1);
//$end
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    // Where a byte of the tile lies, and what a lane accesses at a step of the walk over the tile.
    const auto place_of = [&](int row, int column) {
        const int at = column / span * 32 * span + row * pitch + column % span;
        return at ^ (at >> 3 & changed);
    };
//$if load_by_matrices
    const auto address_of = [&](int lane, int step) {
        const int used = lane % (8 * kMatrices), number = step * kMatrices + used / 8;
        const int first = number % 2, second = number / 2 % 2;
        return place_of(number / 16 * 16 + 8 * (kTransposed ? second : first) + used % 8,
                        number / 4 % 4 * 32 + 16 * (kTransposed ? first : second));
    };
    const int steps = 32 / kMatrices;
//$end
//$if load_along_rows
    const auto address_of = [&](int lane, int step) {
        return place_of(step / 16 * 16 + step % 2 * 8 + lane / 4,
                        step / 4 % 4 * 32 + step / 2 % 2 * 16 + lane % 4 * 4);
    };
    const int steps = 32;
//$end
//$if load_halves_down_rows
    const auto address_of = [&](int lane, int step) {
        const int number = step / 2;
        return place_of(number / 16 * 16 + number / 2 % 2 * 8 + lane % 4 * 2 + step % 2,
                        number / 4 % 4 * 32 + number % 2 * 16 + lane / 4 * 2);
    };
    const int steps = 64;
//$end
//$if load_words_down_rows
    const auto address_of = [&](int lane, int step) {
        return place_of(step / 8 * 8 + step / 2 % 2 * 4 + lane % 4,
                        step / 4 % 2 * 64 + step % 2 * 32 + lane / 4 * 4);
    };
    const int steps = 32;
//$end
//$if store_rows
    const auto address_of = [&](int lane, int step) {
        return place_of(step * 4 + lane / 8, lane % 8 * 16);
    };

    launch(0);
    CHECK(cudaDeviceSynchronize());  // there is nothing to verify: what it stores ends with it
//$else

//$if load_halves_down_rows
    const auto half_at = [](int address) { return filled_word(address / 4) >> address % 4 * 8 & 0xffff; };
//$end
    bool right = true;
    for (const int lane : {0, 13, 31}) {
        wanted = 0;
//$if load_by_matrices
        for (int step = 0; step < steps; ++step) {
            unsigned all = 0;
            for (int matrix = 0; matrix < kMatrices; ++matrix) {
                // Two elements that are neighbours in a row of the matrix, or in a column if it is transposed.
                const int rows[] = {8 * matrix + (kTransposed ? lane % 4 * 2 : lane / 4),
                                    8 * matrix + (kTransposed ? lane % 4 * 2 + 1 : lane / 4)};
                const int columns[] = {kTransposed ? lane / 4 : lane % 4 * 2,
                                       kTransposed ? lane / 4 : lane % 4 * 2 + 1};
                for (int i = 0; i < 2; ++i) {
                    const int at = address_of(rows[i], step) + 2 * columns[i];
                    all ^= (filled_word(at / 4) >> at % 4 * 8 & 0xffff) << 16 * i;
                }
            }
            wanted += all;
        }
//$end
//$if load_halves_down_rows
        for (int step = 0; step < steps; step += 2)
            wanted += half_at(address_of(lane, step)) | half_at(address_of(lane, step + 1)) << 16;
//$end
//$if load_along_rows
        for (int step = 0; step < steps; ++step) wanted += filled_word(address_of(lane, step) / 4);
//$end
//$if load_words_down_rows
        for (int step = 0; step < steps; ++step) wanted += filled_word(address_of(lane, step) / 4);
//$end
        right = right && look(found, launch) == static_cast<unsigned>(lane);
    }
    verify(right);
//$end

    Request request;  // the one that is timed
//$if load_by_matrices
    Request distinct;
    for (int lane = 0; lane < 32; ++lane) {
        request.element[lane] = address_of(lane, $step$) / 16;
        distinct.element[lane] = lane < 8 * kMatrices ? request.element[lane] : -1;  // others are ignored
    }
    print_requests(distinct, 16, median_cycles([&](long long* cycles) {
                       repeat_matrix_loads<<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles, found);
                   }));
//$else
//$if store_rows
    using Element = uint4;
//$end
//$if load_along_rows
    using Element = unsigned;
//$end
//$if load_words_down_rows
    using Element = unsigned;
//$end
//$if load_halves_down_rows
    using Element = unsigned short;
//$end
    for (int lane = 0; lane < 32; ++lane)
        request.element[lane] = address_of(lane, $step$) / static_cast<int>(sizeof(Element));
    const double cycles = median_cycles([&](long long* cycles) {
//$if store_rows
        repeat_stores<Element><<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles);
//$else
        repeat_loads<Element><<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles, found);
//$end
    });
    print_requests(request, sizeof(Element), cycles);
//$end
//$if takes.found
    CHECK(cudaFree(found));
//$end
}
