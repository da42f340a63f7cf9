/* Computes the curl as a sum along a loop. For each component of H, tests whether its edge
 * exists. */
__kernel void update_h(__global float *hx, __global float *hy, __global const float *ez,
                       int nx, int ny, float ch)
{
	int i = get_global_id(0), j = get_global_id(1);
	if (j + 1 < ny)
		hx[i + nx * j] = (float)(hx[i + nx * j] +
			(double)ch * ((double)ez[i + nx * j] - ez[i + nx * (j + 1)]));
	if (i + 1 < nx)
		hy[i + nx * j] = (float)(hy[i + nx * j] -
			(double)ch * ((double)ez[i + nx * j] - ez[i + 1 + nx * j]));
}

__kernel void update_e(__global float *ez, __global const float *hx, __global const float *hy,
                       __global const uchar *medium, __global const float *ca,
                       __global const float *cb, int nx, int ny)
{
	int i = get_global_id(0), j = get_global_id(1);
	if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1) {
		double loop = 0;
		loop += hy[i + nx * j];
		loop += hx[i + nx * (j - 1)];
		loop -= hy[i - 1 + nx * j];
		loop -= hx[i + nx * j];
		int m = medium[i + nx * j];
		ez[i + nx * j] = (float)(ca[m] * (double)ez[i + nx * j] + cb[m] * loop);
	}
}

__kernel void feed(__global float *ez, int where, int step)
{
	ez[where] = (float)(ez[where] + sin(0.3 * step));
}
