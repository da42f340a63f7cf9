// Does not walk down the trees: passes the winners upwards from all leaves of a tree.
__kernel void score_upwards(__global const float *features, __global const uchar *feature_of,
                            __global const float *threshold, __global const float *leaf,
                            __global float *score, __global int *path_sum)
{
    int s = get_global_id(0), n = get_global_size(0), sum = 0;
    double total = 0;
    int winner[256];
    for (int t = 0; t < TREES; t++) {
        for (int k = 0; k < 256; k++) winner[k] = k;
        for (int level = 128; level > 0; level /= 2)
            for (int k = 0; k < level; k++) {
                int f = feature_of[t * 256 + level + k];
                float limit = threshold[t * 256 + level + k];
                winner[k] = features[f * n + s] > limit ? winner[2 * k + 1] : winner[2 * k];
            }
        total += leaf[t * 256 + winner[0]];
        sum += 256 + winner[0];
    }
    score[s] = (float)total;
    path_sum[s] = sum;
}
