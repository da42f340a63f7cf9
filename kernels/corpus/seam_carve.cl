kernel void gradient(global const uchar *image, global ushort *energy, global uint *cost, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w)
        return;
    int left = image[y * w + max(x - 1, 0)], right = image[y * w + min(x + 1, w - 1)];
    int up = image[max(y - 1, 0) * w + x], down = image[min(y + 1, h - 1) * w + x];
    int e = (int)abs(right - left) + (int)abs(down - up);
    energy[y * w + x] = e;
    if (y == 0)
        cost[x] = e;
}

kernel void next_row(global const ushort *energy, global uint *cost, int w, int y)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    global const uint *above = cost + (y - 1) * w;
    uint least = above[x];
    if (x > 0)
        least = min(least, above[x - 1]);
    if (x + 1 < w)
        least = min(least, above[x + 1]);
    cost[y * w + x] = least + energy[y * w + x];
}

#define BAND 16
/* Computes rows y0 + 1 to y0 + BAND. A work-group computes 256 columns, of which the middle 224 are
 * valid in the last row. */
kernel void next_band(global const ushort *energy, global uint *cost, int w, int y0)
{
    local uint line[2][258];
    int me = get_local_id(0), x = (int)get_group_id(0) * (256 - 2 * BAND) + me - BAND;
    bool inside = x >= 0 && x < w, mine = inside && me >= BAND && me < 256 - BAND;
    line[0][me + 1] = inside ? cost[y0 * w + x] : UINT_MAX;
    if (me < 4)
        line[me & 1][me / 2 * 257] = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s <= BAND; s++) {
        local const uint *above = line[~s & 1];
        uint next = UINT_MAX;
        if (inside) {
            next = min(above[me + 1], min(above[me], above[me + 2])) + energy[(y0 + s) * w + x];
            if (mine)
                cost[(y0 + s) * w + x] = next;
        }
        line[s & 1][me + 1] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void way_back(global const uint *cost, global int *seam, int w, int h)
{
    local uint least[256];
    local int where[256];
    int me = get_local_id(0), at = me;
    global const uint *last = cost + (h - 1) * w;
    for (int x = me; x < w; x += 256)
        if (last[x] < last[at])
            at = x;
    least[me] = last[at];
    where[me] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = 128; half_of > 0; half_of >>= 1) {
        if (me < half_of) {
            uint a = least[me], b = least[me + half_of];
            if (b < a || (b == a && where[me + half_of] < where[me])) {
                least[me] = b;
                where[me] = where[me + half_of];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me != 0)
        return;
    int x = where[0];
    seam[h - 1] = x;
    for (int y = h - 2; y >= 0; y--) {
        global const uint *row = cost + y * w;
        int next = max(x - 1, 0);
        if (row[x] < row[next])
            next = x;
        if (x + 1 < w && row[x + 1] < row[next])
            next = x + 1;
        x = next;
        seam[y] = x;
    }
}
