// x and y are independent of each other, so each has its own filter with two states, by the
// textbook's formulas in double.
__kernel void track_information(__global const float2 *z, __global float4 *state, __global float *spread,
                                float dt, float q, float r)
{
    size_t id = get_global_id(0);
    double pos[2], vel[2], trace = 0;
    for (int axis = 0; axis < 2; axis++) {
        double x = 0, v = 0, pxx = 10, pxv = 0, pvv = 10;
        for (int t = 0; t < STEPS; t++) {
            float2 both = z[id * STEPS + t];
            double m = axis ? both.y : both.x;
            x = x + dt * v;
            pxx = pxx + 2 * dt * pxv + (double)dt * dt * pvv;
            pxv = pxv + dt * pvv;
            pvv = pvv + q;
            double S = pxx + r, kx = pxx / S, kv = pxv / S, e = m - x;
            x += kx * e;
            v += kv * e;
            double oldxv = pxv;
            pxx = pxx * r / S;
            pxv = pxv * r / S;
            pvv = pvv - oldxv * oldxv / S;
        }
        pos[axis] = x;
        vel[axis] = v;
        trace += pxx + pvv;
    }
    state[id] = (float4)((float)pos[0], (float)pos[1], (float)vel[0], (float)vel[1]);
    spread[id] = (float)trace;
}
