#define PRIME 998244353u
#define SIZE 512u

#ifdef MONTGOMERY
#define NEG_INV 998244351u  /* -1 / PRIME mod 2^32 */
#define R2 932051910u       /* 2^64 mod PRIME */
/* a * b / 2^32 mod PRIME */
static uint modmul(uint a, uint b)
{
    uint lo = a * b;
    uint hi = mul_hi(a, b);
    uint m = lo * NEG_INV;
    uint t = hi + mul_hi(m, PRIME) + (lo != 0);
    return t >= PRIME ? t - PRIME : t;
}
#define ENTER(x) modmul(x, R2)
#define LEAVE(x) modmul(x, 1)
#else
static uint modmul(uint a, uint b)
{
    return (uint)((ulong)a * b % PRIME);
}
#define ENTER(x) (x)
#define LEAVE(x) (x)
#endif

static uint modadd(uint a, uint b)
{
    uint s = a + b;
    return s >= PRIME ? s - PRIME : s;
}

static uint modsub(uint a, uint b)
{
    return a >= b ? a - b : a + PRIME - b;
}

static uint modpow(uint base, uint e)
{
    uint r = ENTER(1), b = ENTER(base);
    for (; e; e >>= 1) {
        if (e & 1)
            r = modmul(r, b);
        b = modmul(b, b);
    }
    return r;
}

/* Makes the tables of roots: the first 512 entries are powers of a 512th root of one, the others
 * those of its inverse. */
__kernel void make_roots(__global uint *roots)
{
    uint i = get_global_id(0);
    uint w = 15311432u; /* 3^119: of order 2^23 */
    uint e = i < SIZE ? i : SIZE - (i - SIZE);
    roots[i] = modpow(w, e << 14);
}

/* Forward transform, from natural order to bit-reversed order. */
static void forward(__local uint *v, __global const uint *roots, uint t)
{
    for (uint half_ = SIZE / 2, step = 1; half_; half_ >>= 1, step <<= 1) {
        uint k = t & (half_ - 1);
        uint i = 2 * t - k;
        uint a = v[i], b = v[i + half_];
        v[i] = modadd(a, b);
        v[i + half_] = modmul(modsub(a, b), roots[k * step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Inverse transform, from bit-reversed order to natural order. */
static void backward(__local uint *v, __global const uint *inverse_roots, uint t)
{
    for (uint half_ = 1, step = SIZE / 2; half_ < SIZE; half_ <<= 1, step >>= 1) {
        uint k = t & (half_ - 1);
        uint i = 2 * t - k;
        uint a = v[i], b = modmul(v[i + half_], inverse_roots[k * step]);
        v[i] = modadd(a, b);
        v[i + half_] = modsub(a, b);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void convolve(__global const uint *p, __global const uint *q, __global const uint *roots,
                       __global uint *product)
{
    __local uint a[SIZE];
    __local uint b[SIZE];
    const uint t = get_local_id(0);
    const size_t poly = get_group_id(0);

    a[t] = ENTER(p[poly * 256 + t]);
    b[t] = ENTER(q[poly * 256 + t]);
    a[t + 256] = 0;
    b[t + 256] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    forward(a, roots, t);
    forward(b, roots, t);
    a[t] = modmul(a[t], b[t]);
    a[t + 256] = modmul(a[t + 256], b[t + 256]);
    barrier(CLK_LOCAL_MEM_FENCE);
    backward(a, roots + SIZE, t);
    const uint scale = ENTER(996294657u); /* 1/512 */
    product[poly * 512 + t] = LEAVE(modmul(a[t], scale));
    product[poly * 512 + t + 256] = LEAVE(modmul(a[t + 256], scale));
}
