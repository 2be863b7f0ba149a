int main() {
    const int tiles = $tiles$;  // of a block
//$if takes.stages
    const int stages = $stages$;  // tiles on their way at once
//$end
    const dim3 grid($grid$), block($block$);
    const size_t shared_bytes = $shared_bytes$;
//$if much-shared
    // A kernel has to ask for more than 48 KiB.
    CHECK(cudaFuncSetAttribute($kernel$, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
//$end
    const int row_bytes = $row_bytes$, rows = $rows$;  // of a tile
    const size_t pitch = $pitch$;  // from one row of the matrix to the next [bytes]
    const Tile tile{$rows_log2$, $row_log2$, $span_log2$, $changed$, $by_columns$, pitch};

    const size_t count = pitch / sizeof(float) * rows * tiles, threads = size_t{grid.x} * block.x;
    const std::vector<float> host_in = random_floats(count, 1);
    float* const device_in = to_device(host_in);
    float* out = device_array<float>(threads);
//$if takes.map
    // The function of the driver that makes tensor maps, without linking with the driver's library.
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
    const cuuint64_t size[] = {pitch / sizeof(float), static_cast<cuuint64_t>(rows) * tiles}, strides[] = {pitch};
    const cuuint32_t box[] = {$span_bytes$ / sizeof(float), rows}, steps[] = {1, 1};
    CUtensorMap map;
    verify(encode != nullptr &&
           encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, device_in, size, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, $swizzle_mode$, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
//$else
    const char* in = reinterpret_cast<const char*>(device_in);
//$end
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    launch(0);
    const std::vector<float> host_out = to_host(out, threads);
    bool right = true;
    for (const size_t thread : samples(threads)) {
        double sum = 0;
        for (int t = 0; t < tiles; ++t) {
            for (int i = thread % block.x; i < rows * row_bytes / 16; i += block.x) {
//$if read=columns
                const size_t row = i % rows, column = i / rows * 16;
//$else
                const size_t row = i * 16 / row_bytes, column = i * 16 % row_bytes;
//$end
                const size_t at = (t * rows + row) * pitch + thread / block.x * row_bytes + column;
                for (size_t k = 0; k < 4; ++k) sum += host_in[at / sizeof(float) + k];
            }
        }
        right = right && std::abs(host_out[thread] - sum) < 1e-2;
    }
    verify(right);

    print_bandwidth(1.0 * (count + threads) * sizeof(float), time_us(launch));
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(out));
}
