/* Computes dense 4 x 4 products in double. Slots of a block row are read only up to the first empty
 * one. */
__kernel void bell_scalar(__global const int *cols, __global const float *vals,
                          __global const float *X, __global float *Y, int nbr, int slots)
{
	const size_t v = get_global_id(0), r = get_global_id(1);
	int used = 0;
	while (used < slots && cols[(size_t)used * nbr + r / 4] >= 0)
		used++;
	double sum = 0;
	for (int e = 4 * used - 1; e >= 0; e--) {
		size_t block = (size_t)(e / 4) * nbr + r / 4;
		size_t column = (size_t)cols[block] * 4 + e % 4;
		sum += (double)vals[block * 16 + r % 4 * 4 + e % 4] * X[column * 8 + v];
	}
	Y[r * 8 + v] = (float)sum;
}
