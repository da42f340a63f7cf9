__kernel void definition(__global const float *scores, __global float *prob, int cols,
                         float temperature)
{
    int first = get_global_id(0) * cols;
    double sum = 0;

    for (int c = cols - 1; c >= 0; c--)
        sum += exp(scores[first + c] / (double)temperature);
    for (int c = 0; c < cols; c++)
        prob[first + c] = (float)(exp(scores[first + c] / (double)temperature) / sum);
}
