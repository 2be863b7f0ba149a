// Lesson: a block loads its elements and a halo on both sides once, and reads each of them several times.
// knob n = 65536 in 512..1048576 "elements"
// launch grid=n/256 block=256
// in float[n+2*4] random
// out float[n]
#define RADIUS 4
__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[256 + 2 * RADIUS];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    if (threadIdx.x < 2 * RADIUS) tile[256 + threadIdx.x] = in[256 + i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; ++k) sum += tile[threadIdx.x + k];
    if (i < n) out[i] = sum;
}
