__constant uint K[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u
};
__constant uint IV[8] = { 0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                          0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u };

#define ROR(x, n)   rotate((uint)(x), (uint)(32 - (n)))
#define CH(x, y, z) bitselect((z), (y), (x))
#define MAJ(x, y, z) bitselect((x), (y), (z) ^ (x))
#define S0(x) (ROR(x, 2) ^ ROR(x, 13) ^ ROR(x, 22))
#define S1(x) (ROR(x, 6) ^ ROR(x, 11) ^ ROR(x, 25))
#define s0(x) (ROR(x, 7) ^ ROR(x, 18) ^ ((x) >> 3))
#define s1(x) (ROR(x, 17) ^ ROR(x, 19) ^ ((x) >> 10))

#define STEP(w, k) do { \
        uint t1 = h + S1(e) + CH(e, f, g) + (k) + (w); \
        uint t2 = S0(a) + MAJ(a, b, c); \
        h = g; g = f; f = e; e = d + t1; \
        d = c; c = b; b = a; a = t1 + t2; \
    } while (0)

__kernel void mine(__global const uint *header, __global uint *digestWord, __global uchar *zeroBits)
{
    const uint nonce = get_global_id(0);
    uint w[16];
    for (int i = 0; i < 15; i++) w[i] = header[i];
    w[15] = nonce;

    uint a = IV[0], b = IV[1], c = IV[2], d = IV[3], e = IV[4], f = IV[5], g = IV[6], h = IV[7];
#pragma unroll
    for (int i = 0; i < 16; i++) STEP(w[i], K[i]);
#pragma unroll 1
    for (int r = 16; r < 64; r += 16) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            w[i] += s0(w[(i + 1) & 15]) + w[(i + 9) & 15] + s1(w[(i + 14) & 15]);
            STEP(w[i], K[r + i]);
        }
    }
    a += IV[0];
    digestWord[nonce] = a ^ (h + IV[7]);
    zeroBits[nonce] = (uchar)clz(a);
}

__kernel void mine_expanded(__global const uint *header, __global uint *digestWord, __global uchar *zeroBits)
{
    const uint nonce = get_global_id(0);
    uint w[64];
    for (int i = 0; i < 15; i++) w[i] = header[i];
    w[15] = nonce;
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + s0(w[i - 15]) + w[i - 7] + s1(w[i - 2]);
    uint a = IV[0], b = IV[1], c = IV[2], d = IV[3], e = IV[4], f = IV[5], g = IV[6], h = IV[7];
    for (int i = 0; i < 64; i++) STEP(w[i], K[i]);
    a += IV[0];
    digestWord[nonce] = a ^ (h + IV[7]);
    zeroBits[nonce] = (uchar)clz(a);
}
