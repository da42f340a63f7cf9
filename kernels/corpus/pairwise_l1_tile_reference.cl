__kernel void dist_one(__global const float *A, __global const float *B, __global float *D,
                       int rows, int cols, int feat)
{
    int id = get_global_id(0), r = id / cols, c = id % cols;
    double sum = 0;
    for (int f = 0; f < feat; f++) {
        double d = (double)A[r * feat + f] - B[c * feat + f];
        sum += d < 0 ? -d : d;
    }
    D[id] = (float)sum;
}
