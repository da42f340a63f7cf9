/*
 * record: int x, y, z; ushort intensity; uchar flags; uchar class; uint time
 * flags: bits 0-2 return number, 3-5 number of returns, 6 scan direction, 7 edge
 * class 31 where the point is not the last return
 */
#define SCALE 0.001f
#define RECORD 20

inline uchar kind_of(uint flags, uint cls)
{
	return (flags & 7) == ((flags >> 3) & 7) ? (cls & 31) : 31;
}

__kernel void unpack_bytes(__global const uchar *raw, __global float *px, __global float *py, __global float *pz,
                           __global ushort *intensity, __global uchar *kind, uint points)
{
	uint i = get_global_id(0);
	if (i >= points)
		return;
	__global const uchar *r = raw + i * RECORD;

	int x = r[0] | r[1] << 8 | r[2] << 16 | (int)((uint)r[3] << 24);
	int y = r[4] | r[5] << 8 | r[6] << 16 | (int)((uint)r[7] << 24);
	int z = r[8] | r[9] << 8 | r[10] << 16 | (int)((uint)r[11] << 24);
	px[i] = x * SCALE;
	py[i] = y * SCALE;
	pz[i] = z * SCALE;
	intensity[i] = r[12] | r[13] << 8;
	kind[i] = kind_of(r[14], r[15]);
}

__kernel void unpack_words(__global const uint *raw, __global float *px, __global float *py, __global float *pz,
                           __global ushort *intensity, __global uchar *kind, uint points)
{
	uint i = get_global_id(0);
	if (i >= points)
		return;
	raw += i * (RECORD / 4);
	px[i] = (int)raw[0] * SCALE;
	py[i] = (int)raw[1] * SCALE;
	pz[i] = (int)raw[2] * SCALE;
	uint rest = raw[3];
	intensity[i] = rest & 0xffff;
	kind[i] = kind_of((rest >> 16) & 255, rest >> 24);
}

/* Stages records in local memory. The last group's records are padded to 256. A stride of 5 words
 * causes no bank conflicts. */
__kernel void unpack_staged(__global const uint *raw, __global float *px, __global float *py, __global float *pz,
                            __global ushort *intensity, __global uchar *kind, uint points)
{
	__local uint stage[256 * RECORD / 4];
	uint i = get_global_id(0), me = get_local_id(0);
	uint from = get_group_id(0) * (256 * RECORD / 4);

	#pragma unroll
	for (uint k = 0; k < RECORD / 4; k++)
		stage[me + k * 256] = raw[from + me + k * 256];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < points) {
		__local uint *r = stage + me * (RECORD / 4);
		px[i] = (int)r[0] * SCALE;
		py[i] = (int)r[1] * SCALE;
		pz[i] = (int)r[2] * SCALE;
		intensity[i] = r[3] & 0xffff;
		kind[i] = kind_of((r[3] >> 16) & 255, r[3] >> 24);
	}
}
