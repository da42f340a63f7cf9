#define SWEEPS 5

/* upper triangle, row by row: 00 01 02 03 11 12 13 22 23 33; plane k of matrix m is at planes[k * n + m] */
kernel void eig4(global const float *planes, global float4 *lambda, global float *resid, uint n)
{
    uint m = get_global_id(0);
    if (m < n) {
        float a[4][4], v[4][4];
        uint k = 0;
        for (uint i = 0; i < 4; i++)
            for (uint j = i; j < 4; j++) {
                a[i][j] = a[j][i] = planes[k * n + m];
                k++;
            }
        for (uint i = 0; i < 4; i++)
            for (uint j = 0; j < 4; j++)
                v[i][j] = (i == j);

        for (uint sweep = 0; sweep < SWEEPS; sweep++) {
            #pragma unroll
            for (uint p = 0; p < 3; p++) {
                #pragma unroll
                for (uint q = p + 1; q < 4; q++) {
                    float apq = a[p][q];
                    float theta = 0.5f * (a[q][q] - a[p][p]);
                    /* t = sign(theta) apq / (|theta| + sqrt(theta^2 + apq^2)), 0 / 0 kept away */
                    float h = fabs(theta) + sqrt(theta * theta + apq * apq) + 1e-30f;
                    float t = (theta < 0.0f ? -apq : apq) / h;
                    float c = rsqrt(1.0f + t * t);
                    float s = t * c;
                    a[p][p] -= t * apq;
                    a[q][q] += t * apq;
                    a[p][q] = a[q][p] = 0.0f;
                    #pragma unroll
                    for (uint r = 0; r < 4; r++) {
                        if (r != p && r != q) {
                            float x = a[r][p], y = a[r][q];
                            a[r][p] = a[p][r] = c * x - s * y;
                            a[r][q] = a[q][r] = s * x + c * y;
                        }
                        float vx = v[r][p], vy = v[r][q];
                        v[r][p] = c * vx - s * vy;
                        v[r][q] = s * vx + c * vy;
                    }
                }
            }
        }
        float4 l = (float4)(a[0][0], a[1][1], a[2][2], a[3][3]);
        /* vector of the largest one */
        float big = l.x, e[4] = { v[0][0], v[1][0], v[2][0], v[3][0] };
        if (l.y > big) { big = l.y; e[0] = v[0][1]; e[1] = v[1][1]; e[2] = v[2][1]; e[3] = v[3][1]; }
        if (l.z > big) { big = l.z; e[0] = v[0][2]; e[1] = v[1][2]; e[2] = v[2][2]; e[3] = v[3][2]; }
        if (l.w > big) { big = l.w; e[0] = v[0][3]; e[1] = v[1][3]; e[2] = v[2][3]; e[3] = v[3][3]; }
        /* Rayleigh quotient of it from the input */
        float rq = 0.0f;
        k = 0;
        for (uint i = 0; i < 4; i++)
            for (uint j = i; j < 4; j++, k++)
                rq += (i == j ? 1.0f : 2.0f) * planes[k * n + m] * e[i] * e[j];
        /* sort, ascending */
        float4 s;
        s.xz = fmin(l.xz, l.yw);
        s.yw = fmax(l.xz, l.yw);
        l.xy = fmin(s.xy, s.zw);
        l.zw = fmax(s.xy, s.zw);
        s = l;
        l.y = fmin(s.y, s.z);
        l.z = fmax(s.y, s.z);
        lambda[m] = l;
        resid[m] = rq;
    }
}
