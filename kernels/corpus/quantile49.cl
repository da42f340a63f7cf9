// HALF samples to either side; RANK counts from 0

__kernel void background(__global const ushort* restrict adc,
                         __global ushort* restrict floor_level,
                         int width)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width) return;

    __global const ushort* line = adc + (size_t)y * width;
    uint q = 0;
    for (uint bit = 1u << 11; bit != 0; bit >>= 1) {
        const uint trial = q | bit;
        int below = 0;
        for (int d = -HALF; d <= HALF; ++d) {
            const int p = min(max(x + d, 0), width - 1);
            below += line[p] < trial;
        }
        if (below <= RANK) q = trial;
    }
    floor_level[(size_t)y * width + x] = (ushort)q;
}

__kernel void background_tile(__global const ushort* restrict adc,
                              __global ushort* restrict floor_level,
                              int width, __local ushort* tile)
{
    const int lx = get_local_id(0);
    const int span = get_local_size(0);
    const int first = get_group_id(0) * span - HALF;
    __global const ushort* line = adc + (size_t)get_global_id(1) * width;

    for (int k = lx; k < span + 2 * HALF; k += span)
        tile[k] = line[clamp(first + k, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint q = 0;
    for (uint bit = 1u << 11; bit != 0; bit >>= 1) {
        const uint trial = q | bit;
        int below = 0;
        #pragma unroll 7
        for (int d = 0; d <= 2 * HALF; ++d)
            below += tile[lx + d] < trial;
        if (below <= RANK) q = trial;
    }
    if (get_global_id(0) < width)
        floor_level[(size_t)get_global_id(1) * width + get_global_id(0)] = (ushort)q;
}
