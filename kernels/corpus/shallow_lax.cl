#define G 9.81f
#define IDX(xx, yy) ((yy) * w + (xx))

/* u and v are momenta (depth times speed); ratio is dt / dx */
__kernel void lax_friedrichs(__global const float *h, __global const float *u,
                             __global const float *v, __global float *hn, __global float *un,
                             __global float *vn, float ratio)
{
    int w = get_global_size(0), rows = get_global_size(1);
    int x = get_global_id(0), y = get_global_id(1);
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
    un[IDX(x, y)] = 0.25f * (uw + ue + ut + us) -
        half_ratio * ((ue * ue / he + 0.5f * G * he * he) - (uw * uw / hw + 0.5f * G * hw * hw) +
                      us * vs / hs - ut * vt / ht);
    vn[IDX(x, y)] = 0.25f * (vw + ve + vt + vs) -
        half_ratio * (ue * ve / he - uw * vw / hw +
                      (vs * vs / hs + 0.5f * G * hs * hs) - (vt * vt / ht + 0.5f * G * ht * ht));
}
