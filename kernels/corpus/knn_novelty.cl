#define DIM 8
#define K 4

/* Novelty of each query: mean distance to its K nearest training rows, and the radius that holds them. */
__kernel void knn_score(__global const float *train, const int train_rows,
                        __global const float *query, const int query_rows,
                        __global float *score, __global float *radius)
{
    int q = get_global_id(0);
    if (q >= query_rows) return;

    float feature[DIM];
    for (int d = 0; d < DIM; d++)
        feature[d] = query[q * DIM + d];

    float best[K];
    for (int j = 0; j < K; j++)
        best[j] = FLT_MAX;

    for (int row = 0; row < train_rows; row++) {
        float dist = 0.0f;
        for (int d = 0; d < DIM; d++) {
            float diff = feature[d] - train[row * DIM + d];
            dist += diff * diff;
        }
        if (dist < best[K - 1]) {
            /* Move the new distance up to its position in the sorted list. */
            best[K - 1] = dist;
            for (int j = K - 1; j > 0; j--) {
                if (best[j] < best[j - 1]) {
                    float tmp = best[j];
                    best[j] = best[j - 1];
                    best[j - 1] = tmp;
                }
            }
        }
    }

    float sum = 0.0f;
    for (int j = 0; j < K; j++)
        sum += sqrt(best[j]);
    score[q] = sum / K;
    radius[q] = sqrt(best[K - 1]);
}
