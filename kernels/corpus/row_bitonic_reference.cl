// Position of each element = number of those of its row which are smaller. Keys are read of a row by one
// work-group, and written after a barrier.
__kernel void rankRows(__global uint *keys, __global const uint *vals, __global uint *digest)
{
    const uint per_row = 512;
    const uint t = get_local_id(0), size = get_local_size(0);
    __local uint row[512];
    const uint groups = per_row / size;
    const uint base = get_group_id(0) / groups * per_row;
    uint j;

    // the first group of each row does it all
    if (get_group_id(0) % groups)
        return;
    for (j = t; j < per_row; j += size)
        row[j] = keys[base + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (j = t; j < per_row; j += size) {
        uint rank = 0;
        for (uint o = 0; o < per_row; o++)
            rank += row[o] < row[j] || (row[o] == row[j] && o < j);
        keys[base + rank] = row[j];
        digest[base + rank] = (base + j) * 2654435761u ^ row[j];
    }
}
