/* Blocked ELLPACK times a panel of NV vectors.
 *   cols[slot * nbr + br]            block column, -1 where the block row has no more
 *   vals[(slot * nbr + br) * 16 ..]  4x4 block, row major
 *   X, Y: row major, NV wide
 */
#define NV 8

__kernel void bell_scalar(__global const int *cols, __global const float *vals,
                          __global const float *X, __global float *Y, int nbr, int slots)
{
	const int v  = get_global_id(0);
	const int r  = get_global_id(1);
	const int br = r >> 2, in = r & 3;
	float acc = 0.f;

	for (int s = 0; s < slots; ++s) {
		const int bc = cols[s * nbr + br];
		if (bc < 0)
			break;
		__global const float *b = vals + (s * nbr + br) * 16 + in * 4;
		__global const float *x = X + bc * 4 * NV + v;
		acc += b[0] * x[0] + b[1] * x[NV] + b[2] * x[2 * NV] + b[3] * x[3 * NV];
	}
	Y[r * NV + v] = acc;
}

/* Each work-item computes a block row for four vectors, with 16 sums in registers. */
__kernel void bell_block(__global const int *cols, __global const float4 *vals,
                         __global const float4 *X, __global float4 *Y, int nbr, int slots)
{
	const int q  = get_global_id(0) & 1;
	const int br = get_global_id(0) >> 1;
	float4 a0 = 0.f, a1 = 0.f, a2 = 0.f, a3 = 0.f;

	if (br >= nbr)
		return;
	for (int s = 0; s < slots; ++s) {
		const int bc = cols[s * nbr + br];
		if (bc < 0)
			break;
		__global const float4 *b = vals + (s * nbr + br) * 4;
		__global const float4 *x = X + bc * 8 + q;
		const float4 x0 = x[0], x1 = x[2], x2 = x[4], x3 = x[6];
		const float4 b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
		a0 += b0.x * x0 + b0.y * x1 + b0.z * x2 + b0.w * x3;
		a1 += b1.x * x0 + b1.y * x1 + b1.z * x2 + b1.w * x3;
		a2 += b2.x * x0 + b2.y * x1 + b2.z * x2 + b2.w * x3;
		a3 += b3.x * x0 + b3.y * x1 + b3.z * x2 + b3.w * x3;
	}
	Y[br * 8 + q] = a0;
	Y[br * 8 + 2 + q] = a1;
	Y[br * 8 + 4 + q] = a2;
	Y[br * 8 + 6 + q] = a3;
}
