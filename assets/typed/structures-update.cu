// Lesson: to change one field of an array of structures, a warp moves all the others as well.
// knob n = 65536 in 256..1048576 "structures"
// launch grid=(n+255)/256 block=256
// inout float4[n]
__global__ void update(float4* inout, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) inout[i].x += 1.0f;
}
