__kernel void update_h(__global float *hx, __global float *hy, __global const float *ez,
                       int nx, int ny, float ch)
{
	int i = get_global_id(0);
	int j = get_global_id(1);
	int p = j * nx + i;
	float e = ez[p];

	if (j < ny - 1)
		hx[p] -= ch * (ez[p + nx] - e);
	if (i < nx - 1)
		hy[p] += ch * (ez[p + 1] - e);
}

/* Updates ez inside of the grid. The rim is metal, so that ez does not change there. */
__kernel void update_e(__global float *ez, __global const float *hx, __global const float *hy,
                       __global const uchar *medium, __constant float *ca, __constant float *cb,
                       int nx, int ny)
{
	int i = get_global_id(0);
	int j = get_global_id(1);
	int p = j * nx + i;

	if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1)
		return;
	uchar m = medium[p];
	ez[p] = ca[m] * ez[p] + cb[m] * ((hy[p] - hy[p - 1]) - (hx[p] - hx[p - nx]));
}

__kernel void feed(__global float *ez, int where, int step)
{
	ez[where] += sin(0.3f * step);
}
