static uint draw(uint seed, uint walk, uint step, uint attempt)
{
    uint h = seed ^ walk * 0x9e3779b1u;
    h = (h ^ step * 0x85ebca77u ^ attempt << 20) * 0xc2b2ae3du;
    h ^= h >> 15;
    h *= 0x27d4eb2fu;
    h ^= h >> 13;
    h *= 0x165667b1u;
    return h ^ h >> 16;
}

static bool is_neighbour(global const int *neighbour, int lo, int hi, int x)
{
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        int y = neighbour[mid];
        if (y == x)
            return true;
        if (y < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}

static int step_from(global const int *first, global const int *neighbour, int previous, int here, uint walk, uint s,
                     uint4 accept)
{
    int begin = first[here], degree = first[here + 1] - begin, next = here;
    for (uint attempt = 0; attempt < 16; attempt++) {
        uint pick = draw(accept.w, walk, s, 2 * attempt), dice = draw(accept.w, walk, s, 2 * attempt + 1);
        next = neighbour[begin + (int)mul_hi(pick, (uint)degree)];
        if (previous < 0)
            break;
        uint limit;
        if (next == previous)
            limit = accept.x;
        else if (dice <= accept.z)
            /* the other two limits are at least as large, so the neighbour is accepted in any
             * case */
            break;
        else
            limit = is_neighbour(neighbour, first[previous], first[previous + 1], next) ? accept.y : accept.z;
        if (dice <= limit)
            break;
    }
    return next;
}

kernel void walk_steps(global const int *first, global const int *neighbour, global int *walk, int n, int steps,
                       uint4 accept)
{
    uint w = get_global_id(0);
    int previous = -1, here = (int)mul_hi(w * 2654435769u, (uint)n);
    for (int s = 0; s < steps; s++) {
        int next = step_from(first, neighbour, previous, here, w, s, accept);
        walk[w * steps + s] = next;
        previous = here;
        here = next;
    }
}

#define CHUNK 16
kernel void walk_staged(global const int *first, global const int *neighbour, global int *walk, int n, int steps,
                        uint4 accept)
{
    local int stage[64][CHUNK + 1];
    uint w = get_global_id(0), me = get_local_id(0);
    int previous = -1, here = (int)mul_hi(w * 2654435769u, (uint)n);
    for (int s0 = 0; s0 < steps; s0 += CHUNK) {
        for (int s = 0; s < CHUNK; s++) {
            int next = step_from(first, neighbour, previous, here, w, s0 + s, accept);
            stage[me][s] = next;
            previous = here;
            here = next;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int row = me / CHUNK; row < 64; row += 64 / CHUNK)
            walk[(get_group_id(0) * 64 + row) * steps + s0 + me % CHUNK] = stage[row][me % CHUNK];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
