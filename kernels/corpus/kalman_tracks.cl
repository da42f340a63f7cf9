// Constant velocity filter, state (x, y, vx, vy), positions are measured.
// Noise of the model goes to the velocities only.
__kernel void track(__global const float2 *z, __global float4 *state, __global float *spread,
                    float dt, float q, float r)
{
    const size_t id = get_global_id(0);
    float s[4] = {0, 0, 0, 0};
    float P[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            P[i][j] = (i == j) ? 10.0f : 0.0f;

    for (int t = 0; t < STEPS; t++) {
        // predict: s = F s, P = F P F' + Q
        s[0] += dt * s[2];
        s[1] += dt * s[3];
        for (int j = 0; j < 4; j++) {
            P[0][j] += dt * P[2][j];
            P[1][j] += dt * P[3][j];
        }
        for (int i = 0; i < 4; i++) {
            P[i][0] += dt * P[i][2];
            P[i][1] += dt * P[i][3];
        }
        P[2][2] += q;
        P[3][3] += q;

        // Update with the two measured components one after another, so that no matrix must be
        // inverted.
        const float2 m = z[id * STEPS + t];
        const float meas[2] = {m.x, m.y};
        for (int c = 0; c < 2; c++) {
            const float w = 1.0f / (P[c][c] + r);
            const float innov = meas[c] - s[c];
            float K[4], row[4];
            for (int i = 0; i < 4; i++) {
                K[i] = P[i][c] * w;
                row[i] = P[c][i];
            }
            for (int i = 0; i < 4; i++) {
                s[i] += K[i] * innov;
                for (int j = 0; j < 4; j++)
                    P[i][j] -= K[i] * row[j];
            }
        }
    }
    state[id] = (float4)(s[0], s[1], s[2], s[3]);
    spread[id] = P[0][0] + P[1][1] + P[2][2] + P[3][3];
}
