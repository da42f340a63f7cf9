#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define PI 3.14159265358979323846
double width(double distance)
{
    return (double)1.05f * distance / sqrt(distance * distance - 1);
}

/* Filters a whole row. The filter is 1/4 in the middle, -1/(pi k)^2 at odd distances below TAPS,
 * else 0. */
kernel void ramp_all(global const float *raw, global float *projection, float distance)
{
    int d = get_global_id(0), n = get_global_size(0), view = get_global_id(1);
    double sum = 0;
    for (int j = 0; j < n; j++) {
        int k = abs(j - d);
        double h = k == 0 ? 0.25 : k % 2 == 1 && k < TAPS ? -1 / (PI * PI * k * k) : 0;
        double s = width(distance) * ((2 * j + 1.0) / n - 1);
        sum += h * raw[view * n + j] * cos(atan(s / distance));
    }
    projection[view * n + d] = (float)sum;
}

/* Finds the point of the detector on the straight line through the source and the pixel. */
kernel void backproject_view_by_view(global const float *projection, global float *image, int views, int detectors,
                                     float distance)
{
    int x = get_global_id(0), y = get_global_id(1), side = get_global_size(0);
    double px = (x + 0.5) * 2 / side - 1, py = (y + 0.5) * 2 / side - 1, sum = 0;
    int dx = 2 * x + 1 - side, dy = 2 * y + 1 - side;
    for (int view = 0; view < views && dx * dx + dy * dy <= side * side; view++) {
        double beta = 2 * PI * view / views;
        double sx = -distance * sin(beta), sy = distance * cos(beta);
        /* source + t (pixel - source) has no component towards the source */
        double t = distance * distance / (distance * distance - (px * sx + py * sy));
        double along = (sx + t * (px - sx)) * cos(beta) + (sy + t * (py - sy)) * sin(beta);
        double at = (along / width(distance) + 1) / 2 * detectors - 0.5;
        int low = min(max((int)floor(at), 0), detectors - 2);
        double a = projection[view * detectors + low], b = projection[view * detectors + low + 1];
        sum += t * t * (a + (at - low) * (b - a));
    }
    image[y * side + x] = (float)(sum / views);
}
