#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* of normalised functions: P(l) = x P(l-1) ratio.x - P(l-2) ratio.y; on the diagonal ratio.x takes P(m-1, m-1) to
 * P(m, m), and right of it ratio.y is 0 */
kernel void recursion(global double2 *ratio, int t1)
{
    int l = get_global_id(0), m = get_global_id(1);
    double2 r = (double2)(0.0);
    if (l == m)
        r.x = l == 0 ? M_SQRT1_2 : sqrt((2 * l + 1) / (2.0 * l));
    else if (l > m) {
        double ll = l, mm = m, under = (ll - mm) * (ll + mm);
        r.x = sqrt((2 * ll - 1) * (2 * ll + 1) / under);
        if (l > m + 1)
            r.y = sqrt((2 * ll + 1) * (ll - 1 - mm) * (ll - 1 + mm) / ((2 * ll - 3) * under));
    }
    ratio[m * t1 + l] = r;
}

static double diagonal(global const double2 *ratio, int t1, int m, double x)
{
    double p = ratio[0].x, c = sqrt((1.0 - x) * (1.0 + x));
    for (int k = 1; k <= m; k++)
        p *= ratio[k * t1 + k].x * c;
    return p;
}

kernel void synth(global const double *mu, global const double2 *coefficient, global const double2 *ratio,
                  global double2 *field, int t1, int nlat)
{
    int lat = get_global_id(0), m = get_global_id(1);
    double x = mu[lat], p = diagonal(ratio, t1, m, x), before = 0.0;
    double2 sum = p * coefficient[m * t1 + m];
    for (int l = m + 1; l < t1; l++) {
        double2 r = ratio[m * t1 + l];
        double next = r.x * x * p - r.y * before;
        before = p;
        p = next;
        sum += p * coefficient[m * t1 + l];
    }
    field[m * nlat + lat] = sum;
}

kernel void synth_mirrored(global const double *mu, global const double2 *coefficient, global const double2 *ratio,
                           global double2 *field, int t1, int nlat)
{
    int lat = get_global_id(0), m = get_global_id(1);
    double x = mu[lat], p = diagonal(ratio, t1, m, x), before = 0.0;
    double2 even = p * coefficient[m * t1 + m], odd = (double2)(0.0);
    for (int l = m + 1; l < t1; l += 2) {
        double2 r = ratio[m * t1 + l];
        before = r.x * x * p - r.y * before;
        odd += before * coefficient[m * t1 + l];
        if (l + 1 < t1) {
            r = ratio[m * t1 + l + 1];
            p = r.x * x * before - r.y * p;
            even += p * coefficient[m * t1 + l + 1];
        }
    }
    field[m * nlat + lat] = even + odd;
    field[m * nlat + nlat - 1 - lat] = even - odd;
}

#define CHUNK 32
kernel void synth_staged(global const double *mu, global const double2 *coefficient, global const double2 *ratio,
                         global double2 *field, int t1, int nlat)
{
    local double2 part[2][CHUNK];
    int lat = get_global_id(0), m = get_global_id(1), me = get_local_id(0);
    double x = mu[lat], p = diagonal(ratio, t1, m, x), before = 0.0;
    double2 sum = p * coefficient[m * t1 + m];
    for (int l0 = m + 1; l0 < t1; l0 += CHUNK) {
        int many = min(CHUNK, t1 - l0);
        if (me < many)
            part[0][me] = ratio[m * t1 + l0 + me];
        else if (me >= 64 && me - 64 < many)
            part[1][me - 64] = coefficient[m * t1 + l0 + me - 64];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 0; s < many; s++) {
            double next = part[0][s].x * x * p - part[0][s].y * before;
            before = p;
            p = next;
            sum += p * part[1][s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    field[m * nlat + lat] = sum;
}
