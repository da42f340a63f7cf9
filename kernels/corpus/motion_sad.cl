#define SPAN (2 * REACH + 1)
#define BLOCK 8

// Returns a pixel of a frame. Pixels outside of the frame equal those of its border.
int pixel(__global const uchar *frame, int x, int y, int width, int height)
{
    return frame[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

__kernel void search_block(__global const uchar *before, __global const uchar *now,
                           __global char2 *vector, __global int *sad, int width, int height)
{
    const int bx = get_global_id(0), by = get_global_id(1);
    const int x0 = bx * BLOCK, y0 = by * BLOCK;
    int best = INT_MAX;
    char2 where = (char2)(0, 0);

    if (y0 >= height)
        return;
    for (int dy = -REACH; dy <= REACH; dy++) {
        for (int dx = -REACH; dx <= REACH; dx++) {
            int sum = 0;
            for (int y = y0; y < y0 + BLOCK; y++)
                for (int x = x0; x < x0 + BLOCK; x++)
                    sum += abs(now[y * width + x] - pixel(before, x + dx, y + dy, width, height));
            if (sum < best) {
                best = sum;
                where = (char2)((char)dx, (char)dy);
            }
        }
    }
    vector[by * (width / BLOCK) + bx] = where;
    sad[by * (width / BLOCK) + bx] = best;
}

// costs[displacement][block]
__kernel void block_costs(__global const uchar *before, __global const uchar *now,
                          __global int *costs, int width, int height)
{
    const int blocks_x = width / BLOCK, blocks = blocks_x * (height / BLOCK);
    const int id = get_global_id(0);
    const int block = id % blocks, d = id / blocks;
    const int x0 = block % blocks_x * BLOCK, y0 = block / blocks_x * BLOCK;
    const int dx = d % SPAN - REACH, dy = d / SPAN - REACH;
    int sum = 0;

    if (d >= SPAN * SPAN)
        return;
    for (int y = 0; y < BLOCK; y++)
        for (int x = 0; x < BLOCK; x++)
            sum += abs(now[(y0 + y) * width + x0 + x] -
                       pixel(before, x0 + x + dx, y0 + y + dy, width, height));
    costs[d * blocks + block] = sum;
}

__kernel void least_cost(__global const int *costs, __global char2 *vector, __global int *sad, int blocks)
{
    const int b = get_global_id(0);
    if (b >= blocks)
        return;
    int best = 0, least = costs[b];
    for (int d = 1; d < SPAN * SPAN; d++) {
        const int c = costs[d * blocks + b];
        if (c < least) {
            least = c;
            best = d;
        }
    }
    vector[b] = (char2)((char)(best % SPAN - REACH), (char)(best / SPAN - REACH));
    sad[b] = least;
}

#define SIDE (BLOCK + 2 * REACH)
__kernel void search_window(__global const uchar *before, __global const uchar *now,
                            __global char2 *vector, __global int *sad, int width, int height)
{
    __local uchar window[SIDE * SIDE];
    __local uchar block[BLOCK * BLOCK];
    __local uint best;
    const int lid = get_local_id(0), bx = get_group_id(0), by = get_group_id(1);
    uint mine = UINT_MAX;

    for (int p = lid; p < SIDE * SIDE; p += 128)
        window[p] = pixel(before, bx * BLOCK - REACH + p % SIDE, by * BLOCK - REACH + p / SIDE, width, height);
    if (lid < BLOCK * BLOCK)
        block[lid] = now[(by * BLOCK + lid / BLOCK) * width + bx * BLOCK + lid % BLOCK];
    if (lid == 0)
        best = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = lid; d < SPAN * SPAN; d += 128) {
        __local const uchar *w = window + d / SPAN * SIDE + d % SPAN;
        uint sum = 0;
        for (int y = 0; y < BLOCK; y++)
            for (int x = 0; x < BLOCK; x++)
                sum += abs_diff(block[y * BLOCK + x], w[y * SIDE + x]);
        mine = min(mine, sum << 16 | d); // the first displacement of the least
    }
    atomic_min(&best, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        const int d = best & 0xffff;
        vector[by * get_num_groups(0) + bx] = (char2)((char)(d % SPAN - REACH), (char)(d / SPAN - REACH));
        sad[by * get_num_groups(0) + bx] = best >> 16;
    }
}
