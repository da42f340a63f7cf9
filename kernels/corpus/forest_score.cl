// Node 1 is a tree's root, 2k and 2k + 1 are the children of k, 256 + j is leaf j.
// features: 16 columns of get_global_size(0) samples
#define DEPTH 8

__kernel void score_samples(__global const float *features, __constant uchar *feature_of,
                            __constant float *threshold, __constant float *leaf,
                            __global float *score, __global int *path_sum)
{
    uint sample = get_global_id(0);
    uint samples = get_global_size(0);
    float total = 0.0f;
    int paths = 0;
    for (uint tree = 0; tree < TREES; tree++) {
        uint node = 1;
        while (node < 256) {
            uint at = tree * 256 + node;
            float value = features[feature_of[at] * samples + sample];
            node = 2 * node + (value > threshold[at] ? 1 : 0);
        }
        total += leaf[tree * 256 + node - 256];
        paths += node;
    }
    score[sample] = total;
    path_sum[sample] = paths;
}
