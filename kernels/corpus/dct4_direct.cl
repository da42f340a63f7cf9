#define N 128

// X[k] = sqrt(2/N) * sum_n x[n] cos(pi/N (n + 1/2)(k + 1/2)),  row by row
kernel void dct4(global const float * in, global float * out)
{
    const int k   = get_global_id(0);
    const int row = get_global_id(1);
    float sum = 0.0f;

    for (int n = 0; n < N; n++)
        sum += in[row * N + n] * cos(M_PI_F / N * (n + 0.5f) * (k + 0.5f));
    out[row * N + k] = sqrt(2.0f / N) * sum;
}

// The argument is pi/(4N) * (2n+1)(2k+1), so cosines repeat after 8N. Four rows per work-group.
kernel void dct4_lut(global const float * in, global float * out)
{
    local float lut[8 * N];
    local float x[4][N];
    const int k   = get_local_id(0);
    const int r   = get_local_id(1);
    const int row = get_global_id(1);

    for (int i = r * N + k; i < 8 * N; i += 4 * N)
        lut[i] = cospi(i * (1.0f / (4 * N)));
    x[r][k] = in[row * N + k];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    int angle = 2 * k + 1;
    const int step = 2 * angle;
    for (int n = 0; n < N; n++) {
        sum += x[r][n] * lut[angle];
        angle = (angle + step) & (8 * N - 1);
    }
    out[row * N + k] = sqrt(2.0f / N) * sum;
}
