// Matrix products by wmma. nvcc -ptx -arch=sm_80 makes wmma.ptx of them; test_ptx_matrices.c runs that.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

// Computes d = a b + c of one shape by the first warp. Leading dimensions are in elements.
template <int M, int N, int K, class T, class S, class R, class LA, class LB>
static __device__ void multiply(const S *a, const S *b, const R *c, R *d, int lda, int ldb, int ldc, layout_t of_c)
{
    fragment<matrix_a, M, N, K, T, LA> fa;
    fragment<matrix_b, M, N, K, T, LB> fb;
    fragment<accumulator, M, N, K, R> fc;

    load_matrix_sync(fa, a, lda);
    load_matrix_sync(fb, b, ldb);
    load_matrix_sync(fc, c, ldc, of_c);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(d, fc, ldc, of_c);
}

extern "C" __global__ void f16_rows(const half *a, const half *b, const float *c, float *d)
{
    multiply<16, 16, 16, half, half, float, row_major, row_major>(a, b, c, d, 16, 16, 16, mem_row_major);
}

extern "C" __global__ void f16_columns(const half *a, const half *b, const half *c, half *d)
{
    multiply<32, 8, 16, half, half, half, col_major, col_major>(a, b, c, d, 32, 16, 32, mem_col_major);
}

extern "C" __global__ void s8_wide(const signed char *a, const signed char *b, const int *c, int *d)
{
    multiply<8, 32, 16, signed char, signed char, int, row_major, col_major>(a, b, c, d, 16, 16, 32, mem_row_major);
}

extern "C" __global__ void u8_rows(const unsigned char *a, const unsigned char *b, const int *c, int *d)
{
    multiply<16, 16, 16, unsigned char, unsigned char, int, col_major, row_major>(a, b, c, d, 16, 16, 16,
                                                                                 mem_row_major);
}

extern "C" __global__ void tf32_rows(const float *a, const float *b, const float *c, float *d)
{
    multiply<16, 16, 8, precision::tf32, float, float, row_major, row_major>(a, b, c, d, 8, 16, 16, mem_col_major);
}

extern "C" __global__ void f64_rows(const double *a, const double *b, const double *c, double *d)
{
    multiply<8, 8, 4, double, double, double, row_major, col_major>(a, b, c, d, 4, 4, 8, mem_row_major);
}

// A product of two 32 x 32 matrices by four warps, from shared memory.
extern "C" __global__ void shared_tiles(const half *a, const half *b, float *d)
{
    __shared__ half sa[32 * 32], sb[32 * 32];
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    fragment<accumulator, 16, 16, 16, float> sum;

    for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x) {
        sa[i] = a[i];
        sb[i] = b[i];
    }
    __syncthreads();
    fill_fragment(sum, 0.0f);
    for (int k = 0; k < 32; k += 16) {
        fragment<matrix_a, 16, 16, 16, half, row_major> fa;
        fragment<matrix_b, 16, 16, 16, half, row_major> fb;

        load_matrix_sync(fa, sa + row * 32 + k, 32);
        load_matrix_sync(fb, sb + k * 32 + column, 32);
        mma_sync(sum, fa, fb, sum);
    }
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= 2;
    store_matrix_sync(d + row * 32 + column, sum, 32, mem_row_major);
}
