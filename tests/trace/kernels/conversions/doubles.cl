/* Converts a number to double and back: two conversions around a product of doubles. */
kernel void doubles(global int *a, global int *b, global int *out)
{
    const size_t i = get_global_id(0);

    out[i] = as_int((float)((double)as_float(a[i]) * 1.1));
}
/* 64-bit integers: this is not a conversion of doubles. */
kernel void longs(global int *a, global int *b, global int *out)
{
    const size_t i = get_global_id(0);

    out[i] = as_int((float)((long)a[i] << b[i]));
}
