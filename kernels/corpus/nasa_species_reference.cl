#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the sums of powers of the temperature, and their integrals. */
__kernel void thermo(__global const uchar *species, __global const float *kelvin, __constant float *table,
                     __global float *cp, __global float *enthalpy, __global float *entropy, int n)
{
    int p = get_global_id(0);
    if (p >= n)
        return;
    int from = species[p] * 14;
    if (kelvin[p] >= 1000)
        from += 7;
    double t = kelvin[p] / 1000.0, c = 0, h = 0, s = 0, power = 1;
    for (int k = 0; k < 5; k++) {
        c += table[from + k] * power;
        h += table[from + k] * power / (k + 1);
        if (k)
            s += table[from + k] * power / k;
        power *= t;
    }
    cp[p] = c;
    enthalpy[p] = h + table[from + 5] / t;
    entropy[p] = s + table[from] * log(t) + table[from + 6];
}
