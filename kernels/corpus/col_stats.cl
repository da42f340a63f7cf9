__kernel void column_per_group(__global const float *table, __global float *mean, __global float *sigma,
                               int rows, int cols)
{
    __local float s[256], q[256], m[256];
    int col = get_group_id(0);
    int lid = get_local_id(0);
    int size = get_local_size(0);

    float sum = 0.0f, squares = 0.0f, count = 0.0f;
    for (int r = lid; r < rows; r += size) {
        float v = table[r * cols + col];
        if (v >= 0.0f) {
            sum += v;
            squares += v * v;
            count += 1.0f;
        }
    }
    s[lid] = sum;
    q[lid] = squares;
    m[lid] = count;
    for (int half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < half_size) {
            s[lid] += s[lid + half_size];
            q[lid] += q[lid + half_size];
            m[lid] += m[lid + half_size];
        }
    }
    if (lid == 0) {
        float mu = s[0] / m[0];
        mean[col] = mu;
        sigma[col] = sqrt(q[0] / m[0] - mu * mu);
    }
}

/* partial: [block][3][col] */
__kernel void block_sums(__global const float *table, __global float *partial, int rows, int cols)
{
    int col = get_global_id(0), block = get_global_id(1), blocks = get_global_size(1);
    if (col >= cols)
        return;
    int per = (rows + blocks - 1) / blocks;
    int end = min((block + 1) * per, rows);
    float sum = 0.0f, squares = 0.0f, count = 0.0f;
    for (int r = block * per; r < end; r++) {
        float v = table[r * cols + col];
        bool good = v >= 0.0f;
        v = good ? v : 0.0f;
        sum += v;
        squares = fma(v, v, squares);
        count += good;
    }
    partial[(block * 3 + 0) * cols + col] = sum;
    partial[(block * 3 + 1) * cols + col] = squares;
    partial[(block * 3 + 2) * cols + col] = count;
}

__kernel void add_blocks(__global const float *partial, __global float *mean, __global float *sigma,
                         int cols, int blocks)
{
    int col = get_global_id(0);
    if (col >= cols)
        return;
    float sum = 0.0f, squares = 0.0f, count = 0.0f;
    for (int b = 0; b < blocks; b++) {
        sum += partial[(b * 3 + 0) * cols + col];
        squares += partial[(b * 3 + 1) * cols + col];
        count += partial[(b * 3 + 2) * cols + col];
    }
    float mu = sum / count;
    mean[col] = mu;
    sigma[col] = sqrt(squares / count - mu * mu);
}
