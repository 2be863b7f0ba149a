int main() {
    const int rounds = $rounds$;
    const float factor = 0.01f;  // keeps the values small
    const dim3 grid($grid$), block($block$);
    unsigned wanted = 0, *found = device_array<unsigned>(1);
    const auto launch = [&](cudaStream_t stream) {
        $launch$;
        CHECK(cudaGetLastError());
    };

    bool right = true;
    for (const size_t thread : samples(block.x)) {  // the same on the host
        float values[kLive], carry = 0;
        for (int i = 0; i < kLive; ++i) values[i] = thread + i;
        for (int round = 0; round < rounds; ++round)
            for (float& value : values) value = carry = std::fma(carry, factor, value);
        std::memcpy(&wanted, &carry, sizeof carry);
        right = right && look(found, launch) == 1;
    }
    verify(right);
    wanted = kNever;

    cudaFuncAttributes compiled;
    CHECK(cudaFuncGetAttributes(&compiled, $kernel$));
    std::printf("%d registers, %zu bytes of local memory per thread\n", compiled.numRegs, compiled.localSizeBytes);
    const double threads = static_cast<double>(grid.x) * block.x;
    print_speed(2.0 * threads * rounds * kLive, time_us(launch));
    CHECK(cudaFree(found));
}
