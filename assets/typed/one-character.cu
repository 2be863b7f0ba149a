// Lesson: one character frees the column of a tile from bank conflicts. Which one?
// launch grid=(32, 32) block=(32, 8)
// in float[1024*1024] random
// out float[1024*1024]
__global__ void transpose(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * 1024 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * 1024 + x] = tile[threadIdx.x][threadIdx.y + j];
}
