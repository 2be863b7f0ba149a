// Lesson: an XOR of the column with the row spreads a column over all banks, without an unused element.
// knob n = 1024 in 32..4096 "elements"
// knob BITS = 31 in 0..31 "mask of the row's bits" remedy
// launch grid=(n/32, n/32) block=(32, 32)
// in float[n*n] random
// out float[n*n]
#define BITS 31
__global__ void swizzle_by_hand(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[32][32];
    int column = threadIdx.x, row = threadIdx.y;
    tile[row][column ^ (row & BITS)] = in[(blockIdx.y * 32 + row) * n + blockIdx.x * 32 + column];
    __syncthreads();
    out[(blockIdx.x * 32 + row) * n + blockIdx.y * 32 + column] = tile[column][row ^ (column & BITS)];
}
