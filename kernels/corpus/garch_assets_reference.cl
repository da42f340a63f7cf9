__kernel void assetRisk(__global const float* returns, __global const float4* param,
                        __global float* sigma, __global float* loglik, __global float* drawdown,
                        __global int* streak, int assets, int days)
{
    int id = get_global_id(0);
    if (id >= assets)
        return;
    double omega = param[id].x * 1e-4, alpha = param[id].y * 0.5, beta = param[id].z + 0.6;
    double var = 1e-4 * (1 + (double)param[id].w), sum = 0;
    for (int d = 0; d < days; d++) {
        double r = returns[d * assets + id];
        sum += -0.5 * log(var) - 0.5 * r * r / var;
        var = omega + alpha * r * r + beta * var;
    }
    sigma[id] = (float)(sqrt(var) * sqrt(252.0));
    loglik[id] = (float)(sum / days);

    /* Use the logarithm of the price instead of the price. */
    double level = 0, top = 0, deepest = 0;
    for (int d = 0; d < days; d++) {
        level += returns[d * assets + id];
        top = fmax(top, level);
        deepest = fmin(deepest, level - top);
    }
    drawdown[id] = (float)(1 - exp(deepest));

    /* count the days since the last gain */
    int best = 0, last = -1;
    for (int d = 0; d < days; d++) {
        if (!(returns[d * assets + id] < 0))
            last = d;
        if (d - last > best)
            best = d - last;
    }
    streak[id] = best;
}
