typedef ulong u64;
typedef uint  u32;

#define P61 ((1UL << 61) - 1)
#define RADIX 1099511628211UL

inline u64 fold(u64 x)
{
    x = (x & P61) + (x >> 61);
    return x >= P61 ? x - P61 : x;
}

inline u64 mulmod(u64 a, u64 b)
{
    u64 lo = a * b;
    u64 hi = mul_hi(a, b);
    return fold((lo & P61) + ((hi << 3) | (lo >> 61)));
}

inline u64 addmod(u64 a, u64 b)
{
    u64 s = a + b;
    return s >= P61 ? s - P61 : s;
}

/* Returns the hash of the K words at w, by Horner's scheme. */
inline u64 shingle(const u32 w0, const u32 w1, const u32 w2, const u32 w3)
{
    u64 h = w0;
    h = addmod(mulmod(h, RADIX), w1);
    h = addmod(mulmod(h, RADIX), w2);
    return addmod(mulmod(h, RADIX), w3);
}

__kernel void sketch(__global const u32 *text, __constant u64 *seeds, __global u64 *signature, int docs)
{
    int doc = get_global_id(0);
    if (doc < docs) {
        __global const u32 *w = text + WORDS * doc;
        u64 least[4] = { P61, P61, P61, P61 };
        u32 w0 = w[0], w1 = w[1], w2 = w[2];

        for (int i = 3; i < WORDS; ++i) {
            u32 w3 = w[i];
            u64 h = shingle(w0, w1, w2, w3);
            for (int f = 0; f < 4; ++f)
                least[f] = min(least[f], addmod(mulmod(seeds[2 * f], h), seeds[2 * f + 1]));
            w0 = w1;
            w1 = w2;
            w2 = w3;
        }
        vstore4((ulong4)(least[0], least[1], least[2], least[3]), doc, signature);
    }
}

__kernel void sketch_quad(__global const u32 *text, __constant u64 *seeds, __global u64 *signature, int docs)
{
    int doc = get_global_id(0) >> 2, f = get_global_id(0) & 3;
    if (doc >= docs)
        return;
    __global const uint4 *w = (__global const uint4 *)(text + WORDS * doc);
    u64 a = seeds[2 * f], b = seeds[2 * f + 1], least = P61;
    uint4 p = w[0];

#define TRY(x0, x1, x2, x3) least = min(least, addmod(mulmod(a, shingle(x0, x1, x2, x3)), b));
    TRY(p.x, p.y, p.z, p.w)
    for (int i = 1; i < WORDS / 4; ++i) {
        uint4 q = w[i];
        TRY(p.y, p.z, p.w, q.x)
        TRY(p.z, p.w, q.x, q.y)
        TRY(p.w, q.x, q.y, q.z)
        TRY(q.x, q.y, q.z, q.w)
        p = q;
    }
    signature[get_global_id(0)] = least;
}
