/// One warp loads the same elements again and again, and each address depends on the value before.
/// @param zero    0, which the compiler must not know
/// @param cycles  gets the cycles of the SM's clock that all of it took, but for one round to warm up
//$if place=own
__global__ void repeat_load(int stride, unsigned zero, long long* cycles, unsigned* found) {
    extern __shared__ uint4 shared[];
    const char* tile = reinterpret_cast<const char*>(shared);
    const unsigned own = threadIdx.x * stride * sizeof(T);
//$end
//$if place=neighbour
__global__ void repeat_load(int distance, int stride, unsigned zero, long long* cycles, unsigned* found) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    const auto cluster = cooperative_groups::this_cluster();
    cluster.sync();  // all blocks have begun
    const int rank = (cluster.block_rank() + distance) % cluster.num_blocks();
    const T* tile = reinterpret_cast<const T*>(cluster.map_shared_rank(shared, rank));
    const size_t own = reinterpret_cast<size_t>(&tile[threadIdx.x * stride]);
//$end
//$if place=global
__global__ void repeat_load(const T* in, int stride, unsigned zero, long long* cycles, unsigned* found) {
    const size_t own = reinterpret_cast<size_t>(&in[threadIdx.x * stride]);
//$end
    unsigned value = 0, sum = 0;
    long long begin = 0;
#pragma unroll 1
    for (int round = -1; round < kRounds; ++round) {
        if (round == 0) {
            begin = clock64();
            value ^= static_cast<unsigned>(begin);  // nothing starts before the clock has been read
        }
#pragma unroll
        for (int i = 0; i < kLinks; ++i) {
//$if place=own
            const T loaded = *reinterpret_cast<const T*>(tile + (own | (value & zero)));
//$end
//$if place=neighbour
            const T loaded = *reinterpret_cast<const T*>(own | (value & zero));
//$end
//$if place=global
            const T loaded = __ldcg(reinterpret_cast<const T*>(own | (value & zero)));
//$end
            value = reinterpret_cast<const unsigned&>(loaded);  // its first word
            sum ^= fold(loaded);
        }
    }
//$if place=neighbour
    if (cluster.block_rank() == 0) *cycles = clock64() - begin;
    cluster.sync();
//$else
    *cycles = clock64() - begin;
//$end
    if (sum == kNever) *found = value;
//$if place=neighbour
#endif
//$end
}

//$if place=neighbour
/// Launches a kernel in clusters of blocks.
template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared_bytes, int cluster,
                     cudaStream_t stream, Arguments... arguments) {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cluster > 8) CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

//$end
int main() {
    const int stride = $stride$;  // elements from one lane's to the next one's
//$if place=neighbour
    const int distance = $distance$, cluster = $cluster$;  // blocks
//$end
    const dim3 grid($grid$), block($block$);
//$if place=global
    const int pitch = $pitch$;  // elements from one block's tile to the next
    T* in = to_device(random_elements<T>(static_cast<size_t>(grid.x) * pitch));
    unsigned wanted = top_bit<T>(), *found = device_array<unsigned>(1);
//$else
    const size_t shared_bytes = $shared_bytes$;  // the tile
    const int words = shared_bytes / 4;
    unsigned wanted = 0, *found = device_array<unsigned>(1);
//$end
    const auto launch = [&](cudaStream_t stream) {
//$if place=neighbour
        launch_clusters($kernel$, grid, block, shared_bytes, cluster, stream, $arguments$);
//$else
        $launch$;
        CHECK(cudaGetLastError());
//$end
    };

    bool right = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
//$if place=global
        right = right && find(in + (grid.x - 1) * pitch + lane * stride, found, launch) == lane;
//$else
        wanted = folded_in_tile<T>(lane * stride);
        right = right && look(found, launch) == lane;
//$end
    }
    verify(right);

    const double cycles = median_cycles([&](long long* cycles) {
//$if place=own
        repeat_load<<<1, 32, shared_bytes>>>(stride, 0, cycles, found);
//$end
//$if place=neighbour
        launch_clusters(repeat_load, dim3(cluster), dim3(32), shared_bytes, cluster, 0, distance, stride, 0u, cycles,
                        found);
//$end
//$if place=global
        repeat_load<<<1, 32>>>(in, stride, 0, cycles, found);
//$end
    });
    print_latency(cycles, kRounds * kLinks);
    CHECK(cudaFree(found));
//$if place=global
    CHECK(cudaFree(in));
//$end
}
