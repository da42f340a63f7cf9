/* Returns whether a record is kept: if x * y > z * z + 0.05 * w. The comparison uses integers made
 * of the floats, so that rounding of the product does not decide. */
static uint isHit(float4 r)
{
    int4 q = convert_int4_rtz(r * 4096.0f);
    return q.x * q.y > q.z * q.z / 2 + q.w * 200;
}

kernel void count_hits(global const float4 *records, global uint *group_hits)
{
    local uint hits;
    if (get_local_id(0) == 0)
        hits = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (isHit(records[get_global_id(0)]))
        atomic_inc(&hits);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        group_hits[get_group_id(0)] = hits;
}

kernel void offsets(global uint *group_hits, global uint *total, uint groups)
{
    local uint part[64];
    uint me = get_local_id(0), each = (groups + 63) / 64, s = 0, i;
    uint begin = min(me * each, groups), end = min(begin + each, groups);

    for (i = begin; i < end; i++)
        s += group_hits[i];
    part[me] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
        s = 0;
        for (i = 0; i < 64; i++) {
            uint p = part[i];
            part[i] = s;
            s += p;
        }
        *total = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    s = part[me];
    for (i = begin; i < end; i++) {
        uint h = group_hits[i];
        group_hits[i] = s;
        s += h;
    }
}

kernel void move_hits(global const float4 *records, global const uint *group_hits, global float4 *kept)
{
    local uint scan[256];
    uint lid = get_local_id(0);
    float4 r = records[get_global_id(0)];
    uint hit = isHit(r);

    scan[lid] = hit;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d <<= 1) {
        uint left = lid >= d ? scan[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scan[lid] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (hit)
        kept[group_hits[get_group_id(0)] + scan[lid] - 1] = r;
}

/* The same for 8 neighbouring records a work-item. */
kernel void count_hits8(global const float4 *records, global uint *group_hits)
{
    local uint hits[32];
    uint lid = get_local_id(0), base = get_global_id(0) * 8, h = 0;
    for (uint j = 0; j < 8; j++)
        h += isHit(records[base + j]);
    hits[lid] = h;
    for (uint half_ = 16; half_; half_ >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < half_)
            hits[lid] += hits[lid + half_];
    }
    if (lid == 0)
        group_hits[get_group_id(0)] = hits[0];
}

kernel void move_hits8(global const float4 *records, global const uint *group_hits, global float4 *kept)
{
    local uint scan[32];
    uint lid = get_local_id(0), base = get_global_id(0) * 8, mask = 0;
    float4 r[8];

    for (uint j = 0; j < 8; j++) {
        r[j] = records[base + j];
        mask |= isHit(r[j]) << j;
    }
    scan[lid] = popcount(mask);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 32; d <<= 1) {
        uint left = lid >= d ? scan[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scan[lid] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint to = group_hits[get_group_id(0)] + scan[lid] - popcount(mask);
    for (uint j = 0; j < 8; j++)
        if (mask >> j & 1)
            kept[to++] = r[j];
}
