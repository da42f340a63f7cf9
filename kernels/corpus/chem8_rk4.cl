// Eight species, nine reactions, explicit RK4 for every grid cell. conc[s * cells + cell].
#define NS 8

typedef struct { float k[9]; } Rates;

void derivative(const float c[NS], const Rates *r, float out[NS])
{
    float w0 = r->k[0] * c[0] * c[1];            // A + B -> C
    float w1 = r->k[1] * c[2];                   // C -> A + B
    float w2 = r->k[2] * c[2] * c[3];            // C + D -> E + F
    float w3 = r->k[3] * c[4] * c[4];            // 2 E -> G
    float w4 = r->k[4] * c[6];                   // G -> 2 E
    float w5 = r->k[5] * c[5] * c[0];            // F + A -> D + H
    float w6 = r->k[6] * c[7] * c[3];            // H + D -> B + F
    float w7 = r->k[7] * c[6] * c[1];            // G + B -> E + C
    float w8 = r->k[8] * c[7] / (1.0f + c[7]);   // H -> A, saturated

    out[0] = -w0 + w1 - w5 + w8;
    out[1] = -w0 + w1 + w6 - w7;
    out[2] = w0 - w1 - w2 + w7;
    out[3] = -w2 + w5 - w6;
    out[4] = w2 - 2.0f * w3 + 2.0f * w4 + w7;
    out[5] = w2 - w5 + w6;
    out[6] = w3 - w4 - w7;
    out[7] = w5 - w6 - w8;
}

__kernel void react(__global float *conc, __global const float *temperature,
                    __constant float *prefactor, __constant float *activation,
                    int cells, int steps, float dt)
{
    int cell = get_global_id(0);
    if (cell >= cells) return;

    Rates r;
    float inv_t = 1.0f / temperature[cell];
    for (int j = 0; j < 9; ++j)
        r.k[j] = prefactor[j] * exp(-activation[j] * inv_t);

    float c[NS], k1[NS], k2[NS], k3[NS], k4[NS], mid[NS];
    for (int s = 0; s < NS; ++s) c[s] = conc[s * cells + cell];

    for (int n = 0; n < steps; ++n) {
        derivative(c, &r, k1);
        for (int s = 0; s < NS; ++s) mid[s] = c[s] + 0.5f * dt * k1[s];
        derivative(mid, &r, k2);
        for (int s = 0; s < NS; ++s) mid[s] = c[s] + 0.5f * dt * k2[s];
        derivative(mid, &r, k3);
        for (int s = 0; s < NS; ++s) mid[s] = c[s] + dt * k3[s];
        derivative(mid, &r, k4);
        for (int s = 0; s < NS; ++s)
            c[s] += dt / 6.0f * (k1[s] + 2.0f * (k2[s] + k3[s]) + k4[s]);
    }
    for (int s = 0; s < NS; ++s) conc[s * cells + cell] = c[s];
}
