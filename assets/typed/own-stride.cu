// Lesson: the further apart neighbouring lanes read, the more sectors a warp moves for the same bytes.
// knob n = 65536 in 256..1048576 "elements"
// knob stride = 2 in 1..64 "elements"
// launch grid=(n+255)/256 block=256
// in float[n*stride] random
// out float[n]
__global__ void own_stride(const float* __restrict__ in, float* __restrict__ out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride];
}
