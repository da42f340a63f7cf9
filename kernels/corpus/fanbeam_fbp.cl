/* Lengths are in radii of the image's circle. The source runs on a circle of radius distance, and the detector, seen
 * as through the centre, covers the circle with some to spare. */
kernel void angles(global float2 *angle)
{
    int view = get_global_id(0);
    float turn = 2.0f * view / get_global_size(0);
    angle[view] = (float2)(cospi(turn), sinpi(turn));
}

static float half_width(float distance)
{
    return 1.05f * distance / sqrt(distance * distance - 1.0f);
}

static float weight_at(int detector, int detectors, float distance)
{
    float s = half_width(distance) * ((2 * detector + 1.0f) / detectors - 1.0f);
    return distance * rsqrt(distance * distance + s * s);
}

static float tap(int k)
{
    return -1.0f / (M_PI_F * M_PI_F * k * k);
}

kernel void ramp(global const float *raw, global float *projection, float distance)
{
    int d = get_global_id(0), detectors = get_global_size(0);
    global const float *row = raw + get_global_id(1) * detectors;
    float sum = 0.25f * row[d] * weight_at(d, detectors, distance);
    for (int k = 1; k < TAPS; k += 2) {
        if (d >= k)
            sum += tap(k) * row[d - k] * weight_at(d - k, detectors, distance);
        if (d + k < detectors)
            sum += tap(k) * row[d + k] * weight_at(d + k, detectors, distance);
    }
    projection[get_global_id(1) * detectors + d] = sum;
}

kernel void ramp_local(global const float *raw, global float *projection, float distance)
{
    local float part[128 + 2 * TAPS], taps[TAPS];
    int d = get_global_id(0), detectors = get_global_size(0), me = get_local_id(0);
    global const float *row = raw + get_global_id(1) * detectors;
    for (int s = me; s < 128 + 2 * TAPS; s += 128) {
        int from = d - me + s - TAPS;
        part[s] = from >= 0 && from < detectors ? row[from] * weight_at(from, detectors, distance) : 0.0f;
    }
    if (me < TAPS)
        taps[me] = me == 0 ? 0.25f : tap(me);
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = taps[0] * part[me + TAPS];
    for (int k = 1; k < TAPS; k += 2)
        sum += taps[k] * (part[me + TAPS - k] + part[me + TAPS + k]);
    projection[get_global_id(1) * detectors + d] = sum;
}

/* Returns what a view contributes to a pixel: the filtered projection at the detector position
 * behind the pixel, interpolated and weighted. */
static float seen(global const float *row, float2 cs, float2 place, int detectors, float distance, float scale)
{
    float nearer = distance / (distance + place.x * cs.y - place.y * cs.x);
    float at = (place.x * cs.x + place.y * cs.y) * nearer * scale + 0.5f * detectors - 0.5f;
    int low = clamp((int)at, 0, detectors - 2);
    return nearer * nearer * mix(row[low], row[low + 1], at - low);
}

static float2 place_of(int x, int y, int side)
{
    return (float2)((2 * x + 1.0f) / side - 1.0f, (2 * y + 1.0f) / side - 1.0f);
}

static bool outside(int x, int y, int side)
{
    int dx = 2 * x + 1 - side, dy = 2 * y + 1 - side;
    return dx * dx + dy * dy > side * side;
}

kernel void backproject(global const float *projection, constant float2 *angle, global float *image, int views,
                        int detectors, float distance)
{
    int x = get_global_id(0), y = get_global_id(1), side = get_global_size(0);
    float sum = 0.0f, scale = detectors / (2.0f * half_width(distance));
    if (!outside(x, y, side)) {
        float2 place = place_of(x, y, side);
        for (int view = 0; view < views; view++)
            sum += seen(projection + view * detectors, angle[view], place, detectors, distance, scale);
    }
    image[y * side + x] = sum / views;
}

kernel void backproject_inline(global const float *projection, global float *image, int views, int detectors,
                               float distance)
{
    int x = get_global_id(0), y = get_global_id(1), side = get_global_size(0);
    float sum = 0.0f, scale = detectors / (2.0f * half_width(distance));
    if (!outside(x, y, side)) {
        float2 place = place_of(x, y, side);
        for (int view = 0; view < views; view++) {
            float c, s = sincos(2.0f * M_PI_F * view / views, &c);
            sum += seen(projection + view * detectors, (float2)(c, s), place, detectors, distance, scale);
        }
    }
    image[y * side + x] = sum / views;
}

kernel void backproject_quad(global const float *projection, constant float2 *angle, global float *image, int views,
                             int detectors, float distance)
{
    int x = get_global_id(0), y = get_global_id(1) * 4, side = get_global_size(0);
    float scale = detectors / (2.0f * half_width(distance));
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int view = 0; view < views; view++) {
        float2 cs = angle[view];
        global const float *row = projection + view * detectors;
#pragma unroll
        for (int q = 0; q < 4; q++)
            sum[q] += seen(row, cs, place_of(x, y + q, side), detectors, distance, scale);
    }
#pragma unroll
    for (int q = 0; q < 4; q++)
        image[(y + q) * side + x] = outside(x, y + q, side) ? 0.0f : sum[q] / views;
}
