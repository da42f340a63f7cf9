/* Renders from back to front with the "over" operator, one component at a time. */
__kernel void render_back(__global const uchar *voxels, __global const float *tf, __global float *image, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    double alpha = 0, c[3] = {0, 0, 0};
    for (int z = depth - 1; z >= 0; z--) {
        int value = voxels[x + w * (y + h * z)];
        double a = tf[4 * value + 3];
        for (int k = 0; k < 3; k++) c[k] = a * tf[4 * value + k] + (1 - a) * c[k];
        alpha = a + (1 - a) * alpha;
    }
    for (int k = 0; k < 3; k++) image[4 * (y * w + x) + k] = (float)c[k];
    image[4 * (y * w + x) + 3] = (float)alpha;
}
