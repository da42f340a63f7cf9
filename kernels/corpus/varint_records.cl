// Seven bits a byte, lowest first; the top bit says that more follow. What a record's last byte leaves open is dropped.
// Values are zigzag coded.
__kernel void parse(__global const uchar *bytes, __global const uint *start,
                    __global int *sums, __global uchar2 *shape, uint records)
{
    uint r = get_global_id(0);
    if (r >= records) return;

    uint at = start[r], end = start[r + 1];
    int sum = 0;
    uchar count = 0, longest = 0;
    while (at < end) {
        uint value = 0, shift = 0;
        uchar length = 0;
        uchar b;
        do {
            b = bytes[at++];
            if (shift < 32)
                value |= (uint)(b & 0x7f) << shift;
            shift += 7;
            length++;
        } while ((b & 0x80) && at < end);
        if (b & 0x80) break;
        sum += (int)(value >> 1) ^ -(int)(value & 1);
        count++;
        longest = max(longest, length);
    }
    sums[r] = sum;
    shape[r] = (uchar2)(count, longest);
}
