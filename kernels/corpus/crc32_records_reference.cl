/* Long division of the message's polynomial, highest coefficient first: bytes are sent lowest bit first, the first 32
 * bits are inverted, 32 zeros follow, and the remainder is reversed and inverted. */
__kernel void crc_division(__global const uint *data, __global uint *crc)
{
    int rec = get_global_id(0);
    uint rest = 0;
    for (int k = 0; k < WORDS * 32 + 32; k++) {
        uint bit = 0;
        if (k < WORDS * 32) bit = data[rec * WORDS + k / 32] >> (k % 32) & 1;
        if (k < 32) bit ^= 1;
        uint out = rest >> 31;
        rest = rest << 1 | bit;
        if (out) rest ^= 0x04C11DB7u;
    }
    uint turned = 0;
    for (int k = 0; k < 32; k++)
        if (rest >> k & 1) turned |= 1u << (31 - k);
    crc[rec] = ~turned;
}
