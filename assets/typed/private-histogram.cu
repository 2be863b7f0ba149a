// Lesson: each thread counts in a column of its own, so its counters never meet those of another lane in a bank; rotated sums do not meet either.
// knob ROTATE = 0 in 0..1 remedy
// launch grid=64 block=64
// index int[64*16*64] random
// out int[64*16]
#define ROTATE 0
__global__ void histogram(const int* __restrict__ index, int* __restrict__ out) {
    __shared__ int count[16][64];
    int t = threadIdx.x;
    for (int bin = 0; bin < 16; ++bin) count[bin][t] = 0;
    for (int i = 0; i < 16; ++i) {
        int bin = index[(blockIdx.x * 16 + i) * 64 + t] % 16;
        count[bin][t] += 1;
    }
    __syncthreads();
    if (t >= 16) return;
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += count[t][(k + ROTATE * t) % 64];
    out[blockIdx.x * 16 + t] = sum;
}
