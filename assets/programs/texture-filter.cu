int main() {
    const int size = $texture$;           // rows and columns of the texture
    const int middle = size * 128;  // [1/256 texel]
    const int across = $across$, aslant = $aslant$;  // $zoom$ pixels for 100 texels, turned by $angle$ degrees
    const dim3 grid($grid$), block($block$);

    cudaArray_t array;
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &texel, size, size));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampler = {};
    sampler.addressMode[0] = sampler.addressMode[1] = $address_mode$;
//$if filter=linear
    sampler.filterMode = cudaFilterModeLinear;
//$else
    sampler.filterMode = cudaFilterModePoint;
//$end
    sampler.readMode = cudaReadModeElementType;
    sampler.normalizedCoords = $normalized$;
    const float scale = sampler.normalizedCoords ? 1.0f / 256 / size : 1.0f / 256;
    cudaTextureObject_t card;
    CHECK(cudaCreateTextureObject(&card, &resource, &sampler, nullptr));
    const auto upload = [&](const std::vector<float>& texels) {
        const size_t row = size * sizeof(float);
        CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, size, cudaMemcpyHostToDevice));
    };
    unsigned wanted = 0x3f800000, *found = device_array<unsigned>(1);  // 1.0f
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    // A white patch in the middle of a black picture is seen, and nothing in a picture without it.
    std::vector<float> picture(static_cast<size_t>(size) * size, 0);
    upload(picture);
    bool right = look(found, launch) == kNever;
    for (int y = size / 2 - 8; y < size / 2 + 8; ++y)
        for (int x = size / 2 - 8; x < size / 2 + 8; ++x) picture[static_cast<size_t>(y) * size + x] = 1;
    upload(picture);
    right = right && look(found, launch) != kNever;
    verify(right);
    wanted = kNever;
    upload(random_floats(picture.size(), 0));

    const double pixels = 1.0 * grid.x * grid.y * block.x * block.y;
    print_bandwidth(pixels * sizeof(float), time_us(launch));
    CHECK(cudaDestroyTextureObject(card));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(found));
}
