#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Each work-item computes in double what a work-group of the simulation computes. The random
 * generator Philox uses 64-bit products. */
void four(uint path, uint step, uint2 seed, double *z)
{
    ulong x = path, y = step, w = 0, v = 0; /* words 0, 1, 2, 3 */
    uint k0 = seed.x, k1 = seed.y;
    for (int round = 0; round < 10; round++) {
        ulong a = x * 0xD2511F53ul, b = w * 0xCD9E8D57ul;
        x = (b >> 32) ^ y ^ k0;
        y = b & 0xffffffff;
        w = (a >> 32) ^ v ^ k1;
        v = a & 0xffffffff;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    double u[4] = { (x >> 8) + 0.5, (y >> 8) + 0.5, (w >> 8) + 0.5, (v >> 8) + 0.5 };
    for (int p = 0; p < 4; p += 2) {
        double r = sqrt(-2 * log(u[p] / 16777216));
        z[p] = r * cos(2 * M_PI * u[p + 1] / 16777216);
        z[p + 1] = r * sin(2 * M_PI * u[p + 1] / 16777216);
    }
}

__kernel void simulate_plain(__global float2 *partial, int steps, float4 market, uint2 seed)
{
    double sum = 0, square = 0, sigma = market.w, rate = market.z;
    for (uint p = 0; p < 256; p++) {
        double price = market.x, mean = 0, z[4];
        for (int s = 0; s < steps; s++) {
            if (s % 4 == 0)
                four(get_global_id(0) * 256 + p, s, seed, z);
            price *= exp((rate - sigma * sigma / 2) / steps + sigma * sqrt(1.0 / steps) * z[s % 4]);
            mean += price / steps;
        }
        double payoff = mean > market.y ? (mean - market.y) * exp(-rate) : 0;
        sum += payoff;
        square += payoff * payoff;
    }
    partial[get_global_id(0)] = (float2)((float)sum, (float)square);
}

__kernel void finish_plain(__global const float2 *partial, __global float2 *price, int count, int paths)
{
    double s = 0, q = 0;
    for (int i = 0; i < count; i++) {
        s += partial[i].x;
        q += partial[i].y;
    }
    price[0] = (float2)((float)(s / paths), (float)sqrt((q / paths - s / paths * (s / paths)) / paths));
}
