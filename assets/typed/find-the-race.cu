// Lesson: a thread reads what another warp wrote, and nothing makes it wait: where does a barrier belong?
// launch grid=64 block=256
// in float[64*256] random
// out float[64*256]
__global__ void reverse_blocks(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;
    tile[t] = in[first + t];
    out[first + t] = tile[255 - t];
}
