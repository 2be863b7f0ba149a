int main() {
    const int size = $size$;                 // rows and columns of the image
    const int offset = $offset$, seed = $seed$;  // texels by which the walk is shifted; of the random walk
    const dim3 grid($grid$), block($block$);

    const size_t texels = static_cast<size_t>(size) * size;
//$if memory=texture
    cudaArray_t array;
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<unsigned>();
    CHECK(cudaMallocArray(&array, &texel, size, size));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampler = {};
    sampler.addressMode[0] = sampler.addressMode[1] = $address_mode$;
    sampler.filterMode = cudaFilterModePoint;
    sampler.readMode = cudaReadModeElementType;
    sampler.normalizedCoords = $normalized$;
    const float scale = sampler.normalizedCoords ? 1.0f / size : 1.0f;
    cudaTextureObject_t image;
    CHECK(cudaCreateTextureObject(&image, &resource, &sampler, nullptr));
    const auto upload = [&](const std::vector<unsigned>& host) {
        const size_t row = size * sizeof(unsigned);
        CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), row, row, size, cudaMemcpyHostToDevice));
    };
//$else
    unsigned* image = device_array<unsigned>(texels);
    const auto upload = [&](const std::vector<unsigned>& host) {
        CHECK(cudaMemcpy(image, host.data(), texels * sizeof(unsigned), cudaMemcpyHostToDevice));
    };
//$end
    unsigned wanted = top_bit<unsigned>(), *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (const int x : {offset, size / 2, size - 2}) {  // of an image with one white texel, one thread sees it
        for (const int y : {offset, size / 2, size - 2}) {
            std::vector<unsigned> host(texels, 0);
            host[static_cast<size_t>(y) * size + x] = wanted;
            upload(host);
            right = right && look(found, launch) != kNever;
        }
    }
    verify(right);
    wanted = kNever;
    upload(random_elements<unsigned>(texels));

//$if memory=linear border=border
    const double fetched = 1.0 * (size - offset) * (size - offset);  // the others lie outside
    print_bandwidth(fetched * sizeof(unsigned), time_us(launch));
//$else
    print_bandwidth(1.0 * texels * sizeof(unsigned), time_us(launch));
//$end
//$if memory=texture
    CHECK(cudaDestroyTextureObject(image));
    CHECK(cudaFreeArray(array));
//$else
    CHECK(cudaFree(image));
//$end
    CHECK(cudaFree(found));
}
