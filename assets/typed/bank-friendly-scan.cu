// Lesson: an unused word after every 32 keeps the tree of a scan free of bank conflicts.
// knob PAD = 1 in 0..1 remedy
// launch grid=64 block=256
// in float[64*512] random
// out float[64*512]
#define PAD 1
__device__ int place(int i) { return i + PAD * (i / 32); }
__global__ void scan_up(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[512 + 16];
    int t = threadIdx.x, first = blockIdx.x * 512;
    tile[place(t)] = in[first + t];
    tile[place(t + 256)] = in[first + t + 256];
    for (int far = 1, active = 256; active > 0; far *= 2, active /= 2) {
        __syncthreads();
        if (t < active) tile[place(far * (2 * t + 2) - 1)] += tile[place(far * (2 * t + 1) - 1)];
    }
    __syncthreads();
    out[first + t] = tile[place(t)];
    out[first + t + 256] = tile[place(t + 256)];
}
