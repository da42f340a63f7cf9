kernel void spmv_csr_scalar(global const int *ptr, global const int *col, global const float *val,
                            global const float *x, global float *y, int n)
{
    int row = get_global_id(0);
    if (row < n) {
        float dot = 0;
        int end = ptr[row + 1];
        for (int k = ptr[row]; k < end; k++)
            dot += val[k] * x[col[k]];
        y[row] = dot;
    }
}

#define WIDTH 32

kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void spmv_csr_vector(global const int *ptr, global const int *col, global const float *val,
                     global const float *x, global float *y, int n)
{
    local float part[128];
    int tid = get_local_id(0);
    int lane = tid % WIDTH;
    int row = get_global_id(0) / WIDTH;
    float dot = 0;

    if (row < n)
        for (int k = ptr[row] + lane; k < ptr[row + 1]; k += WIDTH)
            dot += val[k] * x[col[k]];
    part[tid] = dot;
    for (int step = WIDTH / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step)
            part[tid] += part[tid + step];
    }
    if (lane == 0 && row < n)
        y[row] = part[tid];
}
