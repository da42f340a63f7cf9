int mirrored(int p, int w)
{
    if (p < 0)
        p = -p;
    return p < w ? p : 2 * w - 2 - p;
}

__kernel void median_insertion(__global const ushort *raw, __global ushort *clean)
{
    const int w = get_global_size(0);
    const int x = get_global_id(0);
    __global const ushort *line = raw + get_global_id(1) * w;
    ushort sorted[9];

    for (int k = 0; k < 9; k++) {
        const ushort v = line[mirrored(x + k - 4, w)];
        int at = k;
        while (at > 0 && sorted[at - 1] > v) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = v;
    }
    clean[get_global_id(1) * w + x] = sorted[4];
}

#define SORT(a, b) { ushort lo = min(a, b); b = max(a, b); a = lo; }
#define SORT3(a, b, c) SORT(a, b) SORT(b, c) SORT(a, b)

/* Sorts three triples. The median is the median of the largest low, the middle mid and the smallest
 * high value. */
__kernel void median_network(__global const ushort *raw, __global ushort *clean)
{
    const int w = get_global_size(0);
    const int x = get_global_id(0);
    const int row = get_global_id(1) * w;
    ushort v[9];

#pragma unroll
    for (int k = 0; k < 9; k++)
        v[k] = raw[row + mirrored(x + k - 4, w)];
    SORT3(v[0], v[1], v[2])
    SORT3(v[3], v[4], v[5])
    SORT3(v[6], v[7], v[8])
    ushort low = max(max(v[0], v[3]), v[6]);
    SORT3(v[1], v[4], v[7])
    ushort high = min(min(v[2], v[5]), v[8]);
    SORT3(low, v[4], high)
    clean[row + x] = v[4];
}
