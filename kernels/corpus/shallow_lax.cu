/* kernels/corpus/shallow_lax.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define G 9.81f
#define IDX(xx, yy) ((yy)*w + (xx))

/* u and v are momenta (depth times speed); ratio is dt / dx */
__global__ void lax_friedrichs(const float *h, const float *u, const float *v, float *hn, float *un,
                               float *vn, float ratio)
{
    int w = gridDim.x * blockDim.x, rows = gridDim.y * blockDim.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int W = IDX(x == 0 ? w - 1 : x - 1, y);
    int E = IDX(x == w - 1 ? 0 : x + 1, y);
    int N = IDX(x, y == 0 ? rows - 1 : y - 1);
    int S = IDX(x, y == rows - 1 ? 0 : y + 1);

    float hw = h[W], uw = u[W], vw = v[W];
    float he = h[E], ue = u[E], ve = v[E];
    float ht = h[N], ut = u[N], vt = v[N];
    float hs = h[S], us = u[S], vs = v[S];

    float half_ratio = 0.5f * ratio;

    hn[IDX(x, y)] = 0.25f * (hw + he + ht + hs) - half_ratio * (ue - uw + vs - vt);
    un[IDX(x, y)] =
        0.25f * (uw + ue + ut + us) -
        half_ratio * ((ue * ue / he + 0.5f * G * he * he) - (uw * uw / hw + 0.5f * G * hw * hw) +
                      us * vs / hs - ut * vt / ht);
    vn[IDX(x, y)] =
        0.25f * (vw + ve + vt + vs) -
        half_ratio * (ue * ve / he - uw * vw / hw + (vs * vs / hs + 0.5f * G * hs * hs) -
                      (vt * vt / ht + 0.5f * G * ht * ht));
}
