// Lesson: one unused column gives every element of a column of the tile a bank of its own.
// knob n = 1024 in 32..4096 "elements"
// knob PAD = 1 in 0..4 "elements" remedy
// launch grid=((n+31)/32, (n+31)/32) block=(32, 8)
// in float[n*n] random
// out float[n*n]
#define PAD 1
__global__ void padded_transpose(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
