/* By the standard's sentences: constants are computed from the roots of primes in 64-bit integers, majority is by
 * counting, choose by ?: per bit mask, the eight words are an array that shifts. */
ulong root_fraction(uint p, int cube)
{
    /* floor(p^(1/2 or 1/3) * 2^32), by bits; 128-bit products are avoided by splitting */
    ulong r = 0;
    for (int bit = 35; bit >= 0; bit--) {
        ulong t = r | ((ulong)1 << bit);
        /* is t^2 <= p * 2^64, or t^3 <= p * 2^96 */
        ulong hi = mul_hi(t, t), lo = t * t;
        int le;
        if (!cube) {
            le = hi < p || (hi == p && lo == 0);
        } else {
            ulong lo2 = lo * t, mid = mul_hi(lo, t);
            ulong hi2 = hi * t + mid;               /* t < 2^36, hi < 2^8: fits */
            le = hi2 < ((ulong)p << 32) || (hi2 == ((ulong)p << 32) && lo2 == 0);
        }
        if (le) r = t;
    }
    return r;
}

uint turn(uint x, int n) { return (x >> n) | (x << (32 - n)); }

__kernel void sha_plain(__global const uint *header, __global uint *digestWord, __global uchar *zeroBits)
{
    uint nonce = get_global_id(0);
    uint k[64], w[64], h0[8], v[8];
    uint p = 2;
    for (int i = 0; i < 64; p++) {
        int prime = 1;
        for (uint q = 2; q * q <= p; q++)
            if (p % q == 0) prime = 0;
        if (!prime) continue;
        k[i] = (uint)root_fraction(p, 1);
        if (i < 8) h0[i] = (uint)root_fraction(p, 0);
        i++;
    }
    for (int i = 0; i < 64; i++) {
        if (i < 15) w[i] = header[i];
        else if (i == 15) w[i] = nonce;
        else {
            uint x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
        }
    }
    for (int i = 0; i < 8; i++) v[i] = h0[i];
    for (int i = 0; i < 64; i++) {
        uint choose = (v[4] & v[5]) | (~v[4] & v[6]);
        uint most = (v[0] & v[1]) | (v[0] & v[2]) | (v[1] & v[2]);
        uint big1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
        uint big0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
        uint t1 = v[7] + big1 + choose + k[i] + w[i];
        for (int j = 7; j > 0; j--) v[j] = v[j - 1];
        v[4] += t1;
        v[0] = t1 + big0 + most;
    }
    uint first = v[0] + h0[0];
    digestWord[nonce] = first ^ (v[7] + h0[7]);
    int zeros = 0;
    while (zeros < 32 && !(first >> (31 - zeros) & 1)) zeros++;
    zeroBits[nonce] = (uchar)zeros;
}
