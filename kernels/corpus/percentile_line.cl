/* Background estimate of a 16-bit scan: the RANK-th smallest (from 0) of 2 * R + 1 samples along the line, ends repeated */
#define R 12
#define SPAN (2 * R + 1)

__kernel void percentile(__global const ushort *scan, __global ushort *background, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global const ushort *line = scan + y * width;

    ushort win[SPAN];
    for (int k = 0; k < SPAN; k++)
        win[k] = line[clamp(x + k - R, 0, width - 1)];

    ushort answer = 0;
    for (int k = 0; k < SPAN; k++) {
        int below = 0, same = 0;
        for (int m = 0; m < SPAN; m++) {
            below += win[m] < win[k];
            same += win[m] == win[k];
        }
        if (below <= RANK && RANK < below + same)
            answer = win[k];
    }
    background[y * width + x] = answer;
}

/* A segment of the line is in local memory. The result is built bit by bit, from the highest
 * bit. */
__kernel void percentile_bits(__global const ushort *scan, __global ushort *background, int width)
{
    __local ushort seg[128 + 2 * R];
    int lid = get_local_id(0), first = get_group_id(0) * 128, y = get_global_id(1);
    for (int k = lid; k < 128 + 2 * R; k += 128)
        seg[k] = scan[y * width + clamp(first + k - R, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint answer = 0;
    for (uint bit = 0x8000; bit; bit >>= 1) {
        uint attempt = answer | bit;
        int below = 0;
        for (int k = 0; k < SPAN; k++)
            below += seg[lid + k] < attempt;
        if (below <= RANK)
            answer = attempt;
    }
    background[y * width + first + lid] = (ushort)answer;
}
