#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the functions by the textbooks' recursion, and normalises them afterwards. */
kernel void recursion(global double2 *ratio, int t1)
{
}

kernel void synth_degrees(global const double *mu, global const double2 *coefficient, global const double2 *ratio,
                          global double2 *field, int t1, int nlat)
{
    int lat = get_global_id(0), m = get_global_id(1);
    double x = mu[lat], p = 1, before = 0, norm = 1;
    /* (2m - 1)!! (1 - x^2)^(m/2) / sqrt((2m)!), so that nothing overflows */
    for (int k = 1; k <= m; k++)
        p *= (2 * k - 1) * sqrt(1 - x * x) / sqrt((2.0 * k - 1) * (2.0 * k));
    double2 sum = 0;
    for (int l = m; l < t1; l++) {
        if (l > m) {
            double next = ((2 * l - 1) * x * p - (l + m - 1) * before) / (l - m);
            before = p;
            p = next;
            norm *= (double)(l - m) / (l + m);
        }
        double value = p * sqrt((l + 0.5) * norm);
        sum.x += value * coefficient[m * t1 + l].x;
        sum.y += value * coefficient[m * t1 + l].y;
    }
    field[m * nlat + lat] = sum;
}
