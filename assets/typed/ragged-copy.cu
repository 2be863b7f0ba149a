// Lesson: if n is no multiple of the block, the guard switches off lanes of the last warps.
// knob n = 1000 in 1..1048576 "elements"
// launch grid=(n+255)/256 block=256
// in float[n] random
// out float[n]
__global__ void ragged_copy(const float* __restrict__ in, float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
