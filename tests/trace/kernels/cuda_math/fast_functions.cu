// Applies one function to a number between 1 and 2. No call has an unused result.
__global__ void fast_functions(int *a, int *b, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = __int_as_float(0x3f800000 | a[i]), y = __int_as_float(b[i]);

    out[i] = __float_as_int(FUNCTION);
}
