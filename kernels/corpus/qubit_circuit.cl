// Returns the k-th number whose bit b is 0: inserts a zero bit into k.
size_t insert_zero(size_t k, int b)
{
    size_t low = k & (((size_t)1 << b) - 1);
    return ((k ^ low) << 1) | low;
}

float2 turn(float2 a, float angle)
{
    float c = cos(angle), s = sin(angle);
    return (float2)(c * a.x - s * a.y, s * a.x + c * a.y);
}

kernel void ry_gate(global float2 *state, int target, float theta)
{
    size_t i = insert_zero(get_global_id(0), target);
    size_t j = i | ((size_t)1 << target);
    float c = cos(theta / 2), s = sin(theta / 2);
    float2 zero = state[i], one = state[j];
    state[i] = c * zero - s * one;
    state[j] = s * zero + c * one;
}

kernel void controlled_phase(global float2 *state, int control, int target, float phi)
{
    size_t i = insert_zero(insert_zero(get_global_id(0), min(control, target)), max(control, target));
    i |= ((size_t)1 << control) | ((size_t)1 << target);
    state[i] = turn(state[i], phi);
}

kernel void ry_then_phase(global float2 *state, int target, int partner, float2 angle)
{
    size_t i = insert_zero(get_global_id(0), target);
    size_t j = i | ((size_t)1 << target);
    float c = cos(angle.x / 2), s = sin(angle.x / 2);
    float2 zero = state[i], one = state[j];
    state[i] = c * zero - s * one;
    one = s * zero + c * one;
    if (j >> partner & 1)
        one = turn(one, angle.y);
    state[j] = one;
}
