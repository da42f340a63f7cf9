// Searches the last byte of each number and goes back to the number before, so that high digits
// come first.
__kernel void parse_from_ends(__global const uchar *bytes, __global const uint *start,
                              __global int *sums, __global uchar2 *shape, uint records)
{
    uint r = get_global_id(0);
    if (r >= records) return;
    long first = start[r], end = start[r + 1];
    uint sum = 0;
    int count = 0, longest = 0;
    for (long last = first; last < end; last++) {
        if (bytes[last] >= 128) continue;
        long from = last;
        while (from > first && bytes[from - 1] >= 128) from--;
        ulong value = 0;
        for (long k = last; k >= from; k--) value = (value * 128 + bytes[k] % 128) & 0xffffffffUL;
        sum += (uint)(value % 2 ? 0xffffffffUL - value / 2 : value / 2);
        count++;
        if (last - from + 1 > longest) longest = (int)(last - from + 1);
    }
    sums[r] = (int)sum;
    shape[r].x = (uchar)count;
    shape[r].y = (uchar)longest;
}
