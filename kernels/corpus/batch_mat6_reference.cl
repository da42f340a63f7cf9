#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes each element by its definition: s_rc = q_rc + sum over i and j of f_ri p_ij f_cj. */
__kernel void element(__global const float *F, __global const float *P,
                      __constant float *Q, __global float *S, const int count)
{
    const size_t at = get_global_id(0), m = at / 36 * 36, r = at % 36 / 6, c = at % 6;
    double s = Q[at % 36];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            s += (double)F[m + 6 * r + i] * P[m + 6 * i + j] * F[m + 6 * c + j];
    S[at] = (float)s;
}
