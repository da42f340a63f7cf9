// GARCH(1,1) filter, log likelihood, largest drawdown and longest run of losses.
// p.x -> omega, p.y -> alpha, p.z -> beta, p.w -> start
#define DAILY 1e-4f

__kernel void assetRisk(__global const float* returns, __global const float4* param,
                        __global float* sigma, __global float* loglik, __global float* drawdown,
                        __global int* streak, int assets, int days)
{
    const int id = get_global_id(0);
    if (id < assets) {
        const float4 p = param[id];
        const float omega = p.x * DAILY;
        const float alpha = 0.5f * p.y;
        const float beta = 0.6f + p.z;
        float var = DAILY * (1.0f + p.w);
        float ll = 0.0f;
        float price = 1.0f, high = 1.0f, worst = 0.0f;
        int run = 0, longest = 0;

        for (int day = 0; day < days; ++day) {
            const float r = returns[day * assets + id];
            const float r2 = r * r;

            ll -= native_log(var) + r2 / var;
            var = omega + alpha * r2 + beta * var;

            price *= native_exp(r);
            high = max(high, price);
            worst = max(worst, 1.0f - price / high);

            if (r < 0.0f) {
                ++run;
                longest = max(longest, run);
            } else {
                run = 0;
            }
        }
        sigma[id] = sqrt(var * 252.0f);
        loglik[id] = 0.5f * ll / days;
        drawdown[id] = worst;
        streak[id] = longest;
    }
}
