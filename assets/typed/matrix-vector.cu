// Lesson: a thread for each row reads down a column at each step, 32 sectors for 32 elements.
// knob n = 256 in 32..1024 "elements"
// launch grid=(n+127)/128 block=128
// in a float[n*n] random
// in x float[n] random
// out y float[n]
__global__ void matrix_vector(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum = fmaf(a[row * n + k], x[k], sum);
    y[row] = sum;
}
