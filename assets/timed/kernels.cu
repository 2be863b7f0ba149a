// Kernels as courses show them, each launched and timed by plain events: the witnesses of predicted times.
// nvcc -O3 -arch=sm_90 timed_kernels.cu && ./a.out   prints "NAME MICROSECONDS", the median of nine launches.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float weights[64];

__global__ void copy(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void copy_float4(const float4* in, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void saxpy(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void add_grid_stride(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c[i] = a[i] + b[i];
}
__global__ void fill(float* out, float value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}
__global__ void stride2(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[2 * i];
}
__global__ void stride8(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[8 * i];
}
__global__ void stride32(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[32 * i];
}
__global__ void misaligned(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1];
}
struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void array_of_structures(const Particle* p, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = p[i].x * p[i].mass;
}
__global__ void structure_of_arrays(const float* x, const float* mass, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * mass[i];
}
__global__ void blocked_loop(const float* in, float* out, int n) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += in[first + k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void transpose_reads_rows(const float* in, float* out, int width) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * width + y] = in[y * width + x];
}
__global__ void transpose_writes_rows(const float* in, float* out, int width) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[y * width + x] = in[x * width + y];
}
__global__ void transpose_tile(const float* in, float* out, int width) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transpose_padded(const float* in, float* out, int width) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void multiply_naive(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
__global__ void multiply_tile16(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][16], bs[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / 16; ++t) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t * 16 + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
__global__ void multiply_tile32(const float* a, const float* b, float* c, int n) {
    __shared__ float as[32][32], bs[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / 32; ++t) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t * 32 + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * 32 + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
__global__ void reduce_interleaved(const float* in, float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int i = 2 * d * t;
        if (i < blockDim.x) s[i] += s[i + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_divergent(const float* in, float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_sequential(const float* in, float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_shuffle(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
__global__ void dot(const float* a, const float* b, float* out, int n) {
    __shared__ float s[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void scan_steps(const float* in, float* out) {
    __shared__ float s[2][512];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int d = 1; d < 512; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = s[from][t];
}
__global__ void scan_tree(const float* in, float* out) {
    __shared__ float s[1024];
    int t = threadIdx.x, first = blockIdx.x * 1024, offset = 1;
    s[2 * t] = in[first + 2 * t];
    s[2 * t + 1] = in[first + 2 * t + 1];
    for (int d = 512; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[1023] = 0;
    for (int d = 1; d < 1024; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            float was = s[a];
            s[a] = s[b];
            s[b] += was;
        }
    }
    __syncthreads();
    out[first + 2 * t] = s[2 * t];
    out[first + 2 * t + 1] = s[2 * t + 1];
}
__global__ void stencil_1d(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= 3 && i < n - 3) {
        for (int k = -3; k <= 3; ++k) sum += in[i + k];
        out[i] = sum;
    }
}
__global__ void stencil_1d_shared(const float* in, float* out, int n) {
    __shared__ float s[256 + 6];
    int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + 3;
    s[t] = in[i];
    if (threadIdx.x < 3) {
        s[t - 3] = i >= 3 ? in[i - 3] : 0.0f;
        s[t + 256] = i + 256 < n ? in[i + 256] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -3; k <= 3; ++k) sum += s[t + k];
    out[i] = sum;
}
__global__ void stencil_2d(const float* in, float* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= width - 1) return;
    out[y * width + x] = 0.2f * (in[y * width + x] + in[y * width + x - 1] + in[y * width + x + 1] +
                                 in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}
__global__ void stencil_3d(const float* in, float* out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i];
}
__global__ void blur_5x5(const unsigned char* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return;
    int sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += in[(y + dy) * width + x + dx];
    out[y * width + x] = sum / 25;
}
__global__ void convolution_1d(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i + 32 < n) {
        for (int k = 0; k < 32; ++k) sum += weights[k] * in[i + k];
        out[i] = sum;
    }
}
__global__ void grey(const uchar4* in, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (in[i].x * 77 + in[i].y * 151 + in[i].z * 28) >> 8;
}
__global__ void grey_bytes(const unsigned char* in, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (in[3 * i] * 77 + in[3 * i + 1] * 151 + in[3 * i + 2] * 28) >> 8;
}
__global__ void matrix_add(const float* a, const float* b, float* c, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[y * width + x] = a[y * width + x] + b[y * width + x];
}
__global__ void matrix_add_by_columns(const float* a, const float* b, float* c, int width) {
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
    c[y * width + x] = a[y * width + x] + b[y * width + x];
}
__global__ void matvec_thread_per_row(const float* a, const float* x, float* y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
    y[row] = sum;
}
__global__ void matvec_warp_per_row(const float* a, const float* x, float* y, int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < n; k += 32) sum += a[row * n + k] * x[k];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}
__global__ void matvec_transposed(const float* a, const float* x, float* y, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[k * n + col] * x[k];
    y[col] = sum;
}
__global__ void softmax_rows(const float* in, float* out, int n) {
    __shared__ float s[256];
    const float* row = in + blockIdx.x * n;
    float most = row[threadIdx.x];
    for (int i = threadIdx.x; i < n; i += 256) most = fmaxf(most, row[i]);
    s[threadIdx.x] = most;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + d]);
        __syncthreads();
    }
    most = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) sum += __expf(row[i] - most);
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += 256) out[blockIdx.x * n + i] = __expf(row[i] - most) / s[0];
}
__global__ void mean_of_rows(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += in[blockIdx.x * n + i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum / n;
}
__global__ void bodies(const float4* p, float4* force, int n) {
    __shared__ float4 s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = p[i];
    float fx = 0, fy = 0, fz = 0;
    for (int t = 0; t < n; t += 256) {
        s[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; ++k) {
            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = s[k].w * r * r * r;
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
        __syncthreads();
    }
    force[i] = make_float4(fx, fy, fz, 0);
}
__global__ void histogram_global(const unsigned char* in, unsigned* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1);
}
__global__ void scatter_rows(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[(i * 33) & (n - 1)] = in[i];
}
__global__ void hashed_gather(const float* in, float* out, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned from = (i * 2654435761u) & (n - 1);
    out[i] = in[from];
}
__global__ void upsample(const float* in, float* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = in[(y / 2) * (width / 2) + x / 2];
}
__global__ void reverse(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}
__global__ void reverse_in_block(const float* in, float* out) {
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[255 - threadIdx.x];
}
__global__ void polynomial(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i], y = 0;
    for (int k = 0; k < 16; ++k) y = y * x + weights[k];
    out[i] = y;
}
__global__ void to_float(const unsigned char* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] / 255.0f;
}
__global__ void double_axpy(const double* x, double* y, double a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

template <class Launch>
void timed(const char* name, Launch launch) {
    float times[9];
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    launch();
    launch();
    for (float& ms : times) {
        cudaEventRecord(from);
        launch();
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&ms, from, to);
    }
    std::sort(times, times + 9);
    if (cudaGetLastError() != cudaSuccess) std::printf("%s failed\n", name);
    std::printf("%s %.2f\n", name, times[4] * 1000);
}

int main() {
    const int n = 1 << 26, width = 8192, size = 2048, rows = 16384, points = 1 << 24;
    float *in, *in2, *out;
    cudaMalloc(&in, 4ull * n * sizeof(float));
    cudaMalloc(&in2, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, 4ull * n * sizeof(float));
    cudaMemset(in2, 0, n * sizeof(float));
    unsigned char *bytes, *grey_out;
    cudaMalloc(&bytes, 3 * n);
    cudaMalloc(&grey_out, n);
    const dim3 b32(32, 8), b16(16, 16), b1024(32, 32), planes(256 / 32, 256 / 8, 256);
    timed("copy", [&] { copy<<<n / 256, 256>>>(in, out, n); });
    timed("copy_float4", [&] { copy_float4<<<n / 4 / 256, 256>>>((float4*)in, (float4*)out, n / 4); });
    timed("saxpy", [&] { saxpy<<<n / 256, 256>>>(in, out, 2.0f, n); });
    timed("add_grid_stride", [&] { add_grid_stride<<<1056, 256>>>(in, in2, out, n); });
    timed("fill", [&] { fill<<<n / 256, 256>>>(out, 1.0f, n); });
    timed("stride2", [&] { stride2<<<points / 256, 256>>>(in, out, points); });
    timed("stride8", [&] { stride8<<<points / 256, 256>>>(in, out, points); });
    timed("stride32", [&] { stride32<<<(1 << 22) / 256, 256>>>(in, out, 1 << 22); });
    timed("misaligned", [&] { misaligned<<<n / 256, 256>>>(in, out, n); });
    timed("array_of_structures", [&] { array_of_structures<<<points / 256, 256>>>((Particle*)in, out, points); });
    timed("structure_of_arrays", [&] { structure_of_arrays<<<n / 256, 256>>>(in, in2, out, n); });
    timed("blocked_loop", [&] { blocked_loop<<<n / 16 / 256, 256>>>(in, out, n); });
    timed("transpose_reads_rows", [&] { transpose_reads_rows<<<dim3(width / 32, width / 8), b32>>>(in, out, width); });
    timed("transpose_writes_rows", [&] { transpose_writes_rows<<<dim3(width / 32, width / 8), b32>>>(in, out, width); });
    timed("transpose_tile", [&] { transpose_tile<<<dim3(width / 32, width / 32), b32>>>(in, out, width); });
    timed("transpose_padded", [&] { transpose_padded<<<dim3(width / 32, width / 32), b32>>>(in, out, width); });
    timed("multiply_naive", [&] { multiply_naive<<<dim3(size / 16, size / 16), b16>>>(in, in2, out, size); });
    timed("multiply_tile16", [&] { multiply_tile16<<<dim3(size / 16, size / 16), b16>>>(in, in2, out, size); });
    timed("multiply_tile32", [&] { multiply_tile32<<<dim3(size / 32, size / 32), b1024>>>(in, in2, out, size); });
    timed("reduce_interleaved", [&] { reduce_interleaved<<<n / 256, 256>>>(in, out); });
    timed("reduce_divergent", [&] { reduce_divergent<<<n / 256, 256>>>(in, out); });
    timed("reduce_sequential", [&] { reduce_sequential<<<n / 256, 256>>>(in, out); });
    timed("reduce_shuffle", [&] { reduce_shuffle<<<1056, 256>>>(in, out, n); });
    timed("dot", [&] { dot<<<1056, 256>>>(in, in2, out, n); });
    timed("scan_steps", [&] { scan_steps<<<n / 512, 512>>>(in, out); });
    timed("scan_tree", [&] { scan_tree<<<n / 1024, 512>>>(in, out); });
    timed("stencil_1d", [&] { stencil_1d<<<n / 256, 256>>>(in, out, n); });
    timed("stencil_1d_shared", [&] { stencil_1d_shared<<<n / 256, 256>>>(in, out, n); });
    timed("stencil_2d", [&] { stencil_2d<<<dim3(width / 32, width / 8), b32>>>(in, out, width); });
    timed("stencil_3d", [&] { stencil_3d<<<planes, b32>>>(in, out, 256); });
    timed("blur_5x5", [&] { blur_5x5<<<dim3(width / 32, width / 8), b32>>>(bytes, grey_out, width, width); });
    timed("convolution_1d", [&] { convolution_1d<<<n / 256, 256>>>(in, out, n); });
    timed("grey", [&] { grey<<<n / 256, 256>>>((uchar4*)in, grey_out, n); });
    timed("grey_bytes", [&] { grey_bytes<<<n / 256, 256>>>(bytes, grey_out, n); });
    timed("matrix_add", [&] { matrix_add<<<dim3(width / 16, width / 16), b16>>>(in, in2, out, width); });
    timed("matrix_add_by_columns", [&] { matrix_add_by_columns<<<dim3(width / 16, width / 16), b16>>>(in, in2, out, width); });
    timed("matvec_thread_per_row", [&] { matvec_thread_per_row<<<rows / 128, 128>>>(in, in2, out, 4096); });
    timed("matvec_warp_per_row", [&] { matvec_warp_per_row<<<rows / 8, 256>>>(in, in2, out, 4096); });
    timed("matvec_transposed", [&] { matvec_transposed<<<width / 128, 128>>>(in, in2, out, width); });
    timed("softmax_rows", [&] { softmax_rows<<<rows, 256>>>(in, out, 4096); });
    timed("mean_of_rows", [&] { mean_of_rows<<<rows, 32>>>(in, out, 4096); });
    timed("bodies", [&] { bodies<<<32768 / 256, 256>>>((float4*)in, (float4*)out, 32768); });
    timed("histogram_global", [&] { histogram_global<<<points / 256, 256>>>(bytes, (unsigned*)out, points); });
    timed("scatter_rows", [&] { scatter_rows<<<n / 256, 256>>>(in, out, n); });
    timed("hashed_gather", [&] { hashed_gather<<<n / 256, 256>>>(in, out, n); });
    timed("upsample", [&] { upsample<<<dim3(width / 32, width / 8), b32>>>(in, out, width); });
    timed("reverse", [&] { reverse<<<n / 256, 256>>>(in, out, n); });
    timed("reverse_in_block", [&] { reverse_in_block<<<n / 256, 256>>>(in, out); });
    timed("polynomial", [&] { polynomial<<<n / 256, 256>>>(in, out, n); });
    timed("to_float", [&] { to_float<<<n / 256, 256>>>(bytes, out, n); });
    timed("double_axpy", [&] { double_axpy<<<n / 2 / 256, 256>>>((double*)in, (double*)out, 2.0, n / 2); });
}
