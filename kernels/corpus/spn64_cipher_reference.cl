/* Four 16-bit planes: plane b holds bit b of all nibbles, and is what the permutation makes the quarter b of the next
 * state. The S-box is the union of its minterms. */
__kernel void encrypt_by_bits(__global const ulong *plain, __global const ulong *roundKeys, __global ulong *cipher)
{
    size_t me = get_global_id(0);
    ulong state = plain[me];
    for (int round = 0; round < 31; round++) {
        state ^= roundKeys[round];
        uint in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0};
        for (int n = 0; n < 16; n++)
            for (int b = 0; b < 4; b++)
                in[b] |= (uint)(state >> (4 * n + b) & 1) << n;
        ulong packed = 0x21748FE3DA09B65CUL;
        for (int value = 0; value < 16; value++) {
            uint here = 0xffff;
            for (int b = 0; b < 4; b++) here &= value >> b & 1 ? in[b] : ~in[b];
            for (int b = 0; b < 4; b++)
                if (packed >> (4 * value + b) & 1) out[b] |= here;
        }
        state = 0;
        for (int b = 3; b >= 0; b--) state = state << 16 | (out[b] & 0xffff);
    }
    cipher[me] = state ^ roundKeys[31];
}
