/* table: pairs of key and count; key 0 means empty */
#define MASK ((1u << BITS) - 1)

static inline uint slotOf(uint key)
{
    key ^= key >> 16;
    key *= 0x7feb352du;
    key ^= key >> 15;
    key *= 0x846ca68bu;
    return (key ^ key >> 16) & MASK;
}

__kernel void insert(__global const uint *keys, volatile __global uint *table, volatile __global uint *distinct)
{
    const uint key = keys[get_global_id(0)];
    uint slot = slotOf(key);
    for (;;) {
        const uint old = atomic_cmpxchg(&table[2 * slot], 0u, key);
        if (old == 0u)
            atomic_inc(distinct);
        if (old == 0u || old == key) {
            atomic_inc(&table[2 * slot + 1]);
            return;
        }
        slot = (slot + 1) & MASK;
    }
}

__kernel void lookup(__global const uint *queries, __global const uint2 *table, __global uint *hits)
{
    const uint key = queries[get_global_id(0)];
    uint slot = slotOf(key);
    uint2 entry = table[slot];
    while (entry.x != key && entry.x != 0u) {
        slot = (slot + 1) & MASK;
        entry = table[slot];
    }
    hits[get_global_id(0)] = entry.x == key ? entry.y : 0u;
}
