#define ROW 512

// Ties are broken by the payload, so the order is total.
static int goesAfter(uint ka, uint va, uint kb, uint vb)
{
    return ka > kb || (ka == kb && va > vb);
}

__kernel void sortRowsGlobal(__global uint *keys, __global uint *vals)
{
    const uint t = get_local_id(0);
    __global uint *k = keys + get_group_id(0) * ROW;
    __global uint *v = vals + get_group_id(0) * ROW;

    for (uint width = 2; width <= ROW; width <<= 1) {
        for (uint gap = width >> 1; gap > 0; gap >>= 1) {
            const uint a = 2 * t - (t & (gap - 1));
            const uint b = a + gap;
            const int up = (a & width) == 0;
            const uint ka = k[a], kb = k[b], va = v[a], vb = v[b];
            if (goesAfter(ka, va, kb, vb) == up) {
                k[a] = kb;
                k[b] = ka;
                v[a] = vb;
                v[b] = va;
            }
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
    }
}

__kernel void sortRowsLocal(__global uint *keys, __global uint *vals)
{
    __local uint k[ROW];
    __local uint v[ROW];
    const uint t = get_local_id(0);
    const uint base = get_group_id(0) * ROW;

    k[t] = keys[base + t];
    v[t] = vals[base + t];
    k[t + ROW / 2] = keys[base + t + ROW / 2];
    v[t + ROW / 2] = vals[base + t + ROW / 2];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint width = 2; width <= ROW; width <<= 1) {
        for (uint gap = width >> 1; gap > 0; gap >>= 1) {
            const uint a = 2 * t - (t & (gap - 1));
            const uint b = a + gap;
            const int up = (a & width) == 0;
            const uint ka = k[a], kb = k[b], va = v[a], vb = v[b];
            if (goesAfter(ka, va, kb, vb) == up) {
                k[a] = kb;
                k[b] = ka;
                v[a] = vb;
                v[b] = va;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    keys[base + t] = k[t];
    vals[base + t] = v[t];
    keys[base + t + ROW / 2] = k[t + ROW / 2];
    vals[base + t + ROW / 2] = v[t + ROW / 2];
}

// Stores a number for each element, made of its key and its payload, with which results are
// compared.
__kernel void digestRows(__global const uint *keys, __global const uint *vals, __global uint *digest)
{
    const uint i = get_global_id(0);
    digest[i] = vals[i] * 2654435761u ^ keys[i];
}
