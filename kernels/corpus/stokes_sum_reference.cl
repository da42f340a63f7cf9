/* Each work-item computes one number, from powers of sums: U and V are differences of the power in
 * rotated receivers. */
kernel void one_parameter(global const float *px, global const float *py, global const float *gain,
                          global float *iquv, int channels)
{
    int k = get_global_id(0), cell = k / 4;
    double s = 0;
    for (int t = cell * LEN; t < cell * LEN + LEN; t++) {
        double a = px[2 * t], b = px[2 * t + 1], c = py[2 * t], d = py[2 * t + 1];
        switch (k % 4) {
        case 0: s += a * a + b * b + c * c + d * d; break;
        case 1: s += a * a + b * b - c * c - d * d; break;
        case 2: s += ((a + c) * (a + c) + (b + d) * (b + d) - (a - c) * (a - c) - (b - d) * (b - d)) / 2; break;
        default: s += ((b + c) * (b + c) + (a - d) * (a - d) - (b - c) * (b - c) - (a + d) * (a + d)) / 2;
        }
    }
    iquv[k] = (float)(s * gain[cell % channels]);
}
