#define SPECIES   53
#define T_MID     1000.0f

#define EVALUATE(a, t, c_, h_, s_)                                                        \
    do {                                                                                  \
        c_ = a[0] + t * (a[1] + t * (a[2] + t * (a[3] + t * a[4])));                      \
        h_ = a[0] + t * (a[1] / 2 + t * (a[2] / 3 + t * (a[3] / 4 + t * a[4] / 5)))       \
           + a[5] / t;                                                                    \
        s_ = a[0] * log(t)                                                                \
           + t * (a[1] + t * (a[2] / 2 + t * (a[3] / 3 + t * a[4] / 4))) + a[6];          \
    } while (0)

__kernel void thermo(__global const uchar *species, __global const float *kelvin, __constant float *table,
                     __global float *cp, __global float *enthalpy, __global float *entropy, int n)
{
    int p = get_global_id(0);
    if (p >= n) return;
    float tk = kelvin[p];
    __constant float *a = table + 14 * species[p] + (tk < T_MID ? 0 : 7);
    /* the coefficients are for temperatures in units of 1000 K */
    float t = tk * 1e-3f, c, h, s;
    EVALUATE(a, t, c, h, s);
    cp[p] = c;
    enthalpy[p] = h;
    entropy[p] = s;
}

__kernel void thermo_staged(__global const uchar *species, __global const float *kelvin, __constant float *table,
                            __global float *cp, __global float *enthalpy, __global float *entropy, int n)
{
    __local float mine[14 * SPECIES];
    for (int k = get_local_id(0); k < 14 * SPECIES; k += get_local_size(0))
        mine[k] = table[k];
    barrier(CLK_LOCAL_MEM_FENCE);

    int p = get_global_id(0);
    if (p >= n) return;
    float tk = kelvin[p];
    __local float *a = mine + 14 * species[p] + (tk < T_MID ? 0 : 7);
    float t = tk * 1e-3f, c, h, s;
    EVALUATE(a, t, c, h, s);
    cp[p] = c;
    enthalpy[p] = h;
    entropy[p] = s;
}
