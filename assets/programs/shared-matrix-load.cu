//$if matrices=1
/// Eight warps load the same matrix again and again, so that the banks are always busy.
//$else
/// Eight warps load the same matrices again and again, so that the banks are always busy.
//$end
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
        for (int i = 0; i < kUnrolled; ++i, chunk += zero) sum ^= fold($load$(&tile[chunk]));
    }
    __syncthreads();
    if (threadIdx.x == 0) *cycles = clock64() - begin;
    if (sum == kNever) *found = sum;
}

int main() {
    const int width = $width$ / 8, pitch = width + $padding$;   // chunks of 16 bytes
    const int changed = $changed$, shift = $shift$;  // the swizzle; there is none if `changed` is 0
    const dim3 grid($grid$), block($block$);
    const size_t shared_bytes = $shared_bytes$;  // the tile
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    // The chunk that a lane passes at a step of the walk over the tile.
    const int down = $down$, across = $matrices$ / down;  // matrices of one instruction
    const auto chunk_of = [&](int lane, int step) {
        const int used = lane % (8 * down * across), matrix = used / 8;
        const int row = step / (width / across) * 8 * down + matrix % down * 8 + used % 8;
        const int column = step % (width / across) * across + matrix / down;
        const int chunk = row * pitch + column;
        return chunk ^ (chunk >> shift & changed);
    };

    // Lane l gets elements 2 (l % 4) and the next of row l / 4 of each matrix: word l % 4 of that row's chunk.
    bool right = true;
    for (const int lane : {0, 13, 31}) {
        wanted = 0;
        for (int step = 0; step < width / across * (4 / down); ++step) {
            unsigned all = 0;
            for (int matrix = 0; matrix < down * across; ++matrix)
                all ^= filled_word(4 * chunk_of(8 * matrix + lane / 4, step) + lane % 4);
            wanted += all;
        }
        right = right && look(found, launch) == static_cast<unsigned>(lane);
    }
    verify(right);

    Request request, distinct;
    for (int lane = 0; lane < 32; ++lane) {
        request.element[lane] = chunk_of(lane, $step$);
        distinct.element[lane] = lane < 8 * down * across ? request.element[lane] : -1;  // others are ignored
    }
    print_requests(distinct, 16, median_cycles([&](long long* cycles) {
                       repeat_matrix_loads<<<1, 32 * kWarps, shared_bytes>>>(request, 0, cycles, found);
                   }));
    CHECK(cudaFree(found));
}
