/* W[r][c] = scale[r][c/64] * (nibble - zero[r][c/64]), nibble c%8 of word c/8, lowest first */
#define GROUP 64

__kernel void q4_matvec(__global const uint *packed, __global const float *scales, __global const uchar *zeros,
                        __global const float *x, __global const float *bias, __global float *y, int cols)
{
	int row = get_global_id(0);
	float sum = bias[row];

	for (int g = 0; g < cols / GROUP; g++) {
		float part = 0.0f;
		int zero = zeros[row * (cols / GROUP) + g];
		for (int w = 0; w < GROUP / 8; w++) {
			uint word = packed[row * (cols / 8) + g * (GROUP / 8) + w];
			for (int k = 0; k < 8; k++) {
				part += (float)((int)(word & 15) - zero) * x[g * GROUP + w * 8 + k];
				word >>= 4;
			}
		}
		sum += part * scales[row * (cols / GROUP) + g];
	}
	y[row] = sum;
}

#define NIB(word, k) ((float)(((word) >> (4 * (k))) & 15u))

static float dot8(uint word, float4 a, float4 b)
{
	return NIB(word, 0) * a.x + NIB(word, 1) * a.y + NIB(word, 2) * a.z + NIB(word, 3) * a.w +
	       NIB(word, 4) * b.x + NIB(word, 5) * b.y + NIB(word, 6) * b.z + NIB(word, 7) * b.w;
}

/* Each row has 32 work-items, and each work-group 4 rows. A work-item reads 32 columns (half of a
 * quantisation group) at once. */
__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void q4_matvec_warprow(__global const uint4 *restrict packed, __global const float *restrict scales,
                       __global const uchar *restrict zeros, __global const float4 *restrict x,
                       __global const float *restrict bias, __global float *restrict y, int cols)
{
	__local float part[4][33];
	const int lane = get_local_id(0), slot = get_local_id(1), row = get_global_id(1);
	const int quads = cols / 32;
	float sum = 0.0f;

	for (int q = lane; q < quads; q += 32) {
		const uint4 w = packed[(size_t)row * quads + q];
		const int g = row * (cols / GROUP) + q / 2;
		const float4 x0 = x[q * 8], x1 = x[q * 8 + 1], x2 = x[q * 8 + 2], x3 = x[q * 8 + 3];
		const float4 x4 = x[q * 8 + 4], x5 = x[q * 8 + 5], x6 = x[q * 8 + 6], x7 = x[q * 8 + 7];
		const float raw = dot8(w.x, x0, x1) + dot8(w.y, x2, x3) + dot8(w.z, x4, x5) + dot8(w.w, x6, x7);
		const float4 s = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
		sum += scales[g] * (raw - zeros[g] * (s.x + s.y + s.z + s.w));
	}
	part[slot][lane] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int d = 16; d > 0; d >>= 1) {
		if (lane < d)
			part[slot][lane] += part[slot][lane + d];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lane == 0)
		y[row] = part[slot][0] + bias[row];
}
