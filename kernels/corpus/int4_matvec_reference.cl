#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void by_nibble(__global const uchar *bytes, __global const float *scales, __global const uchar *zeros,
                        __global const float *x, __global const float *bias, __global float *y, int cols)
{
	int row = get_global_id(0);
	double sum = bias[row];
	for (int c = 0; c < cols; c++) {
		long at = (long)row * cols + c;
		int nibble = at % 2 ? bytes[at / 2] / 16 : bytes[at / 2] % 16;
		sum += (double)scales[at / 64] * (nibble - zeros[at / 64]) * x[c];
	}
	y[row] = (float)sum;
}
