int main() {
    const int blocks = $blocks$, threads = $block$;
    const dim3 grid(blocks), block(threads);
//$if reduce_part
    const int n = blocks * threads;
//$end

    const size_t elements = static_cast<size_t>(blocks) * threads;
    const std::vector<unsigned> host_in = random_elements<unsigned>(elements);
    unsigned* in = to_device(host_in);
//$if takes.sums
    unsigned* sums = device_array<unsigned>(blocks);
//$end
//$if takes.out
    unsigned* out = device_array<unsigned>(blocks);
//$else
    unsigned* total = device_array<unsigned>(1);
//$end
//$if takes.count
    unsigned* count = device_array<unsigned>(1);  // blocks that are ready
    CHECK(cudaMemset(count, 0, sizeof(unsigned)));
//$end
    const auto launch = [&](cudaStream_t stream) {
//$if reduce_part
        reduce_part<<<grid, block, 0, stream>>>(in, n, sums);
        reduce_part<<<1, block, 0, stream>>>(sums, blocks, total);
//$else
//$if reduce_grid_sync
        void* arguments[] = {&in, &sums, &total};
        CHECK(cudaLaunchCooperativeKernel($kernel$, grid, block, arguments, 0, stream));
//$else
        $launch$;
//$end
//$end
        CHECK(cudaGetLastError());
    };

//$if reduce_atomic
    CHECK(cudaMemset(total, 0, sizeof(unsigned)));  // before each launch whose total is wanted
//$end
    launch(0);
//$if takes.sums
    launch(0);  // the second one finds what the first one left
//$end
//$if !takes.out
    unsigned wanted = 0;
    for (const unsigned element : host_in) wanted += element;
    verify(to_host(total, 1)[0] == wanted);
//$else
    const std::vector<unsigned> host_out = to_host(out, blocks);
    bool right = true;
    for (size_t i = 0; i < blocks; ++i) {
        unsigned sum = 0;
        for (size_t k = 0; k < threads; ++k) sum += host_in[i * threads + k];
        right = right && host_out[i] == sum;
    }
    verify(right);
//$end

    print_bandwidth(1.0 * (elements + blocks) * sizeof(unsigned), time_us(launch));
    CHECK(cudaFree(in));
//$if takes.sums
    CHECK(cudaFree(sums));
//$end
//$if takes.out
    CHECK(cudaFree(out));
//$else
    CHECK(cudaFree(total));
//$end
//$if takes.count
    CHECK(cudaFree(count));
//$end
}
