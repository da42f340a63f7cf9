#define STEP 0.03f
#define THICK 5.0f
#define DARK 0.002f

typedef float3 vec3;

kernel void trace_fog(global const float *bx, global const float *by, global const float *bz,
                      global const float *radius, global const float4 *colour, global float4 *image,
                      int w, int h)
{
    int px = get_global_id(0), py = get_global_id(1);
    vec3 dir = normalize((vec3)((2.0f * px - w) / w, (2.0f * py - h) / w, 1.8f));

    vec3 light = (vec3)(0.0f);
    float through = 1.0f;

    for (int b = 0; b < BALLS; b++) {
        vec3 centre = (vec3)(bx[b], by[b], bz[b]);
        float r = radius[b];

        float tca = dot(centre, dir);
        if (tca < 0.0f)
            continue;
        vec3 off = centre - tca * dir;
        float d2 = dot(off, off);
        if (d2 >= r * r)
            continue;

        // Step along the chord through the ball. The fog's density decreases from the ball's
        // centre.
        float half_chord = sqrt(r * r - d2);
        int steps = max(8, (int)(2.0f * half_chord / STEP));
        float dt = 2.0f * half_chord / steps;
        float depth = 0.0f;
        for (int s = 0; s < steps; s++) {
            float t = -half_chord + (s + 0.5f) * dt;
            depth += (1.0f - (d2 + t * t) / (r * r)) * dt;
        }
        float keep = exp(-THICK * depth);
        light += through * (1.0f - keep) * colour[b].xyz;
        through *= keep;
        if (through < DARK)
            break;
    }
    image[py * w + px] = (float4)(light, 1.0f - through);
}
