/* rates: diffusion of u, diffusion of v, feed, kill */
static float2 step_of(float2 c, float2 sides, float2 corners, float4 rates)
{
    float2 lap = 0.2f * sides + 0.05f * corners - c;
    float uvv = c.x * c.y * c.y;
    return (float2)(c.x + rates.x * lap.x - uvv + rates.z * (1.0f - c.x),
                    c.y + rates.y * lap.y + uvv - (rates.z + rates.w) * c.y);
}

kernel void react(global const float *restrict u, global const float *restrict v, global float *restrict un,
                  global float *restrict vn, float4 rates)
{
    int x = get_global_id(0), y = get_global_id(1);
    int xl = x == 0 ? W - 1 : x - 1, xr = x == W - 1 ? 0 : x + 1;
    int up = (y == 0 ? H - 1 : y - 1) * W, down = (y == H - 1 ? 0 : y + 1) * W, mid = y * W;
    float2 c = (float2)(u[mid + x], v[mid + x]);
    float2 sides = (float2)(u[mid + xl] + u[mid + xr] + u[up + x] + u[down + x],
                            v[mid + xl] + v[mid + xr] + v[up + x] + v[down + x]);
    float2 corners = (float2)(u[up + xl] + u[up + xr] + u[down + xl] + u[down + xr],
                              v[up + xl] + v[up + xr] + v[down + xl] + v[down + xr]);
    float2 r = step_of(c, sides, corners, rates);
    un[mid + x] = r.x;
    vn[mid + x] = r.y;
}

kernel void react_tile(global const float *restrict u, global const float *restrict v, global float *restrict un,
                       global float *restrict vn, float4 rates)
{
    local float tu[10][34], tv[10][34];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x0 = get_group_id(0) * 32 - 1, y0 = get_group_id(1) * 8 - 1;
    for (int s = ly * 32 + lx; s < 340; s += 256) {
        int from = (y0 + s / 34 + H) % H * W + (x0 + s % 34 + W) % W;
        tu[s / 34][s % 34] = u[from];
        tv[s / 34][s % 34] = v[from];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 c = (float2)(tu[ly + 1][lx + 1], tv[ly + 1][lx + 1]);
    float2 sides = (float2)(tu[ly + 1][lx] + tu[ly + 1][lx + 2] + tu[ly][lx + 1] + tu[ly + 2][lx + 1],
                            tv[ly + 1][lx] + tv[ly + 1][lx + 2] + tv[ly][lx + 1] + tv[ly + 2][lx + 1]);
    float2 corners = (float2)(tu[ly][lx] + tu[ly][lx + 2] + tu[ly + 2][lx] + tu[ly + 2][lx + 2],
                              tv[ly][lx] + tv[ly][lx + 2] + tv[ly + 2][lx] + tv[ly + 2][lx + 2]);
    float2 r = step_of(c, sides, corners, rates);
    int to = get_global_id(1) * W + get_global_id(0);
    un[to] = r.x;
    vn[to] = r.y;
}

/* Returns the middle value and the sum of both horizontal neighbours, for both species. */
static float4 row_at(global const float *u, global const float *v, int y, int xl, int x, int xr)
{
    int row = (y + H) % H * W;
    return (float4)(u[row + x], v[row + x], u[row + xl] + u[row + xr], v[row + xl] + v[row + xr]);
}

kernel void react_strip(global const float *restrict u, global const float *restrict v, global float *restrict un,
                        global float *restrict vn, float4 rates)
{
    int x = get_global_id(0), y0 = get_global_id(1) * 8;
    int xl = (x + W - 1) % W, xr = (x + 1) % W;
    float4 above = row_at(u, v, y0 - 1, xl, x, xr), here = row_at(u, v, y0, xl, x, xr);
    for (int y = y0; y < y0 + 8; y++) {
        float4 below = row_at(u, v, y + 1, xl, x, xr);
        float2 r = step_of(here.xy, here.zw + above.xy + below.xy, above.zw + below.zw, rates);
        un[y * W + x] = r.x;
        vn[y * W + x] = r.y;
        above = here;
        here = below;
    }
}
