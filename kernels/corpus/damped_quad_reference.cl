// Simpson's rule in doubles with 200 panels. Sine and cosine go on by a recurrence of second differences:
// the phase b t^2 grows by a constant more at each node.
__kernel void simpson(__global const float *a, __global const float *b, __global const float *c,
                      __global float *re, __global float *im, unsigned n)
{
    unsigned i = get_global_id(0);
    if (i >= n) return;
    const int N = 200;
    double h = 1.0 / N, p = b[i] * h * h;
    double zr = 1, zi = 0;                      // exp(i b t^2)
    double dr = cos(p), di = sin(p);            // from one node to the next
    double er = cos(2 * p), ei = sin(2 * p);    // of that
    double decay = exp(-(double)a[i] * h), e = 1, sr = 0, si = 0;
    for (int k = 0; k <= N; k++) {
        double f = (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) * e / (1 + c[i] * h * k);
        sr += f * zr;
        si += f * zi;
        e *= decay;
        double t = zr * dr - zi * di;
        zi = zr * di + zi * dr;
        zr = t;
        t = dr * er - di * ei;
        di = dr * ei + di * er;
        dr = t;
    }
    re[i] = (float)(sr * h / 3);
    im[i] = (float)(si * h / 3);
}
