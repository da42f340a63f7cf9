#define NONE 255
#define FAR (1 << 30)

__kernel void row_distance(__global const uchar *mask, __global uchar *across, int w, int h, int reach)
{
	const int x = get_global_id(0), y = get_global_id(1);
	if (x >= w || y >= h)
		return;

	__global const uchar *line = mask + y * w;
	uchar d = 0;
	for (;;) {
		if (x - d >= 0 && line[x - d])
			break;
		if (x + d < w && line[x + d])
			break;
		if (++d > reach) {
			d = NONE;
			break;
		}
	}
	across[y * w + x] = d;
}

static int square(uchar d)
{
	return d == NONE ? FAR : d * d;
}

__kernel void column_minimum(__global const uchar *across, __global int *dist2, int w, int h, int reach)
{
	const int x = get_global_id(0), y = get_global_id(1);
	if (x >= w || y >= h)
		return;

	int best = square(across[y * w + x]);
	for (int d = 1; d <= reach && d * d < best; d++) {
		if (y - d >= 0)
			best = min(best, square(across[(y - d) * w + x]) + d * d);
		if (y + d < h)
			best = min(best, square(across[(y + d) * w + x]) + d * d);
	}
	dist2[y * w + x] = best;
}
