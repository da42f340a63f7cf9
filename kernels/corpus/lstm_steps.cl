// Weights are [input][unit] of the four gates: i, f, g, o. h has zeros before the first step.

float sigmoid(float v) { return 1.0f / (1.0f + exp(-v)); }

void cell(float4 gate, __global float *c, __global float *h_out)
{
    float now = sigmoid(gate.y) * *c + sigmoid(gate.x) * tanh(gate.z);
    *c = now;
    *h_out = sigmoid(gate.w) * tanh(now);
}

float4 recurrent(__global const float *h_in, __global const float4 *Wh, int u)
{
    float4 sum = (float4)(0.0f);
    for (int k = 0; k < H; k++)
        sum += h_in[k] * Wh[k * H + u];
    return sum;
}

float4 from_input(__global const float *x, __global const float4 *Wx, int u)
{
    float4 sum = (float4)(0.0f);
    for (int k = 0; k < X; k++)
        sum += x[k] * Wx[k * H + u];
    return sum;
}

__kernel void lstm_step(__global const float *x, __global const float4 *Wx, __global const float4 *Wh,
                        __global const float4 *b, __global float *h, __global float *c, int t, int batch)
{
    int u = get_global_id(0), s = get_global_id(1);
    int row = t * batch + s;
    float4 gate = b[u] + from_input(x + row * X, Wx, u) + recurrent(h + row * H, Wh, u);
    cell(gate, c + s * H + u, h + (row + batch) * H + u);
}

__kernel void input_gates(__global const float *x, __global const float4 *Wx, __global const float4 *b,
                          __global float4 *gates)
{
    int u = get_global_id(0), row = get_global_id(1);
    gates[row * H + u] = b[u] + from_input(x + row * X, Wx, u);
}

__kernel void lstm_step_pre(__global const float4 *gates, __global const float4 *Wh, __global float *h,
                            __global float *c, int t, int batch)
{
    int u = get_global_id(0), s = get_global_id(1);
    int row = t * batch + s;
    cell(gates[row * H + u] + recurrent(h + row * H, Wh, u), c + s * H + u, h + (row + batch) * H + u);
}
