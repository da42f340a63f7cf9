#define POLY 0xEDB88320u

__kernel void crc32(__global const uint *data, __global uint *crc)
{
    size_t rec = get_global_id(0);
    __global const uint *p = data + rec * WORDS;
    uint c = ~0u;
    for (int w = 0; w < WORDS; ++w) {
        c ^= p[w];
        for (int bit = 0; bit < 32; ++bit)
            c = (c >> 1) ^ (POLY & -(c & 1));
    }
    crc[rec] = ~c;
}

__kernel void crc32_table(__global const uint *data, __global uint *crc)
{
    __local uint table[256];
    for (uint t = get_local_id(0); t < 256; t += get_local_size(0)) {
        uint c = t;
        for (int bit = 0; bit < 8; ++bit)
            c = (c >> 1) ^ (POLY & -(c & 1));
        table[t] = c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    size_t rec = get_global_id(0);
    uint c = ~0u;
    for (int w = 0; w < WORDS; ++w) {
        uchar4 bytes = as_uchar4(data[rec * WORDS + w]);
        c = table[(c ^ bytes.x) & 0xff] ^ (c >> 8);
        c = table[(c ^ bytes.y) & 0xff] ^ (c >> 8);
        c = table[(c ^ bytes.z) & 0xff] ^ (c >> 8);
        c = table[(c ^ bytes.w) & 0xff] ^ (c >> 8);
    }
    crc[rec] = ~c;
}
