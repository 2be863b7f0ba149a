int main() {
    const size_t n = size_t{$bytes$} / 4;  // elements of the array
    const int stride = $stride$;  // from the element of a thread to that of the next
    const dim3 grid($grid$), block($block$);
    const size_t bytes = n * sizeof(unsigned);

//$if memory=pageable
    unsigned* host = static_cast<unsigned*>(std::malloc(bytes));
//$end
//$if memory=pinned
    unsigned* host = nullptr;
    CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocDefault));
//$end
//$if memory=mapped
    unsigned* host = nullptr;
    CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocMapped));
//$end
//$if !memory=pageable !memory=pinned !memory=mapped
    unsigned* host = nullptr;
    CHECK(cudaMallocManaged(&host, bytes));
//$end
//$if memory=prefetched
    int device = 0;
    CHECK(cudaGetDevice(&device));
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, device};
//$end
    const auto bring_home = [&] {  // whatever the host writes is at home again
        for (size_t i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i) & 0x7fffffff;
    };
    bring_home();
//$if !memory=mapped !memory=managed !memory=prefetched
    unsigned* in = device_array<unsigned>(n);
//$end
//$if memory=mapped
    unsigned* in = nullptr;
    CHECK(cudaHostGetDevicePointer(&in, host, 0));
//$end
//$if !memory=pageable !memory=pinned !memory=mapped
    unsigned* in = host;
//$end
//$if memory=managed !free=all
    // Other work takes all but a part of the GPU's memory.
    size_t left = 0, total = 0;
    CHECK(cudaMemGetInfo(&left, &total));
    const size_t wished = size_t{$free$} << 30;
    char* taken = left > wished ? device_array<char>(left - wished) : nullptr;
//$end
    unsigned wanted = 1u << 31, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
//$if !memory=mapped !memory=managed !memory=prefetched
        CHECK(cudaMemcpyAsync(in, host, bytes, cudaMemcpyHostToDevice, stream));
//$end
//$if memory=prefetched
        CHECK(cudaMemPrefetchAsync(host, bytes, gpu, 0, stream));
//$end
        $launch$;
        CHECK(cudaGetLastError());
    };

    const size_t threads = static_cast<size_t>(grid.x) * block.x;
    bool right = true;
    for (const size_t i : samples(threads)) {
        const unsigned before = host[i * stride];
        host[i * stride] = wanted;
        right = right && look(found, launch) == i;
        host[i * stride] = before;
    }
    verify(right);
    wanted = kNever;

    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times(7);
    for (float& time : times) {  // from the memory of the host to the end of the kernel
        bring_home();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(begin));
        launch(0);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&time, begin, end));
    }
    std::sort(times.begin(), times.end());
    print_bandwidth(1.0 * threads * grid.y * sizeof(unsigned), times[3] * 1e3);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaFree(found));
//$if memory=pageable
    std::free(host);
//$end
//$if !memory=mapped !memory=managed !memory=prefetched
    CHECK(cudaFree(in));
//$end
//$if !memory=pageable !memory=managed !memory=prefetched
    CHECK(cudaFreeHost(host));
//$end
//$if !memory=pageable !memory=pinned !memory=mapped
    CHECK(cudaFree(host));
//$end
//$if !free=all memory=managed
    CHECK(cudaFree(taken));
//$end
}
