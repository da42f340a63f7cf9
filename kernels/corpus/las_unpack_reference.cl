#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
	int at[3];
	ushort intensity;
	uchar flags, cls;
	uint time;
} Point;

__kernel void unpack_struct(__global const Point *raw, __global float *px, __global float *py, __global float *pz,
                            __global ushort *intensity, __global uchar *kind, uint points)
{
	uint i = get_global_id(0);
	if (i >= points)
		return;
	Point p = raw[i];
	px[i] = (float)(p.at[0] / 1000.0);
	py[i] = (float)(p.at[1] / 1000.0);
	pz[i] = (float)(p.at[2] / 1000.0);
	intensity[i] = p.intensity;
	kind[i] = p.flags % 8 == p.flags / 8 % 8 ? p.cls % 32 : 31;
}
