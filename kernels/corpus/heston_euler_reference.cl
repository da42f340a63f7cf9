typedef struct { float s0, v0, kappa, theta, xi, rho, r, dt, strike; } Model;

uint draw(ulong *state, ulong odd)
{
    const ulong was = *state;
    const uint turned = (uint)((was ^ was >> 18) >> 27);
    *state = was * 6364136223846793005UL + odd;
    return rotate(turned, 32 - (uint)(was >> 59));
}

/* Each work-item simulates 128 paths in double, with steps of the price itself. */
__kernel void priced(__global const Model *m, __global float4 *sums, int steps)
{
    double4 total = (double4)(0);
    for (ulong path = get_global_id(0) * 128; path < (get_global_id(0) + 1) * 128; path++) {
        const ulong odd = 2 * path + 1;
        ulong state = odd * 0x9E3779B97F4A7C15UL * 6364136223846793005UL + odd;
        double price = m->s0, var = m->v0, prices = 0;
        for (int t = 0; t < steps; t++) {
            const double a = ((draw(&state, odd) >> 8) + 0.5) / 16777216;
            const double b = (draw(&state, odd) >> 8) / 16777216.0;
            const double radius = sqrt(-2 * log(a)), first = radius * cos(2 * M_PI * b);
            const double second = m->rho * first + sqrt(1 - (double)m->rho * m->rho) * radius * sin(2 * M_PI * b);
            const double now = var > 0 ? var : 0;
            price *= exp((m->r - now / 2) * m->dt + sqrt(now * m->dt) * first);
            var += m->kappa * ((double)m->theta - now) * m->dt + m->xi * sqrt(now * m->dt) * second;
            prices += price;
        }
        const double discount = exp(-(double)m->r * m->dt * steps);
        const double european = discount * fmax(price - m->strike, 0.0);
        const double asian = discount * fmax(prices / steps - m->strike, 0.0);
        total += (double4)(european, asian, european * european, asian * asian);
    }
    sums[get_global_id(0)] = convert_float4(total);
}

__kernel void heston(__global const Model *model, __global float2 *payoff, int steps) {}
