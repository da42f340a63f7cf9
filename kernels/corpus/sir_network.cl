__kernel void spread(__global const float *infected, __global float *next, __global float *susceptible,
                     __global const int *neighbour, int nodes, float beta, float gamma, float dt)
{
    int node = get_global_id(0);
    float pressure = 0.0f;
    for (int k = 0; k < 5; ++k)
        pressure += infected[neighbour[k * nodes + node]];
    float mine = infected[node], s = susceptible[node];
    float caught = s * (1.0f - exp(-dt * beta * (0.16f * pressure + 0.2f * mine)));
    susceptible[node] = s - caught;
    next[node] = mine + caught - dt * gamma * mine;
}

/* Each district is computed by a work-group of 32 work-items. */
__kernel void district(__global const float *infected, __global float *curve, int each, int step)
{
    __local float part[32];
    int lid = get_local_id(0), group = get_group_id(0);
    float sum = 0.0f;
    for (int k = lid; k < each; k += 32)
        sum += infected[group * each + k];
    part[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_n = 16; half_n > 0; half_n /= 2) {
        if (lid < half_n)
            part[lid] += part[lid + half_n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        curve[step * 64 + group] = part[0];
}
