// Lesson: the block that is ready last adds up the sums of all; without the fence it may count a block whose sum it does not see yet.
// knob FENCE = 1 in 0..1 remedy
// launch grid=16 block=64
// in float[16*64]
// inout sums float[16]
// out total float[1]
#define FENCE 1
__device__ unsigned ready;
__global__ void add_up(const float* __restrict__ in, float* sums, float* total) {
    __shared__ float tile[64];
    __shared__ bool last;
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (t < s) tile[t] += tile[t + s];
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = tile[0];
        if (FENCE) __threadfence();
        last = atomicAdd(&ready, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    float sum = t < gridDim.x ? __ldcg(&sums[t]) : 0;
    for (int far = 8; far > 0; far /= 2) sum += __shfl_down_sync(0xffffffff, sum, far);
    if (t > 0) return;
    total[0] = sum;
    ready = 0;
}
