/* Terms lie by order m, degree n within it: g and h of the field, and the two factors that lead from the functions of
   the degrees before (Schmidt's semi-normalisation). The first of each order has the factor from the order before. */
#define TERMS ((DEGREE + 1) * (DEGREE + 2) / 2)

#ifdef PLAIN
#define TABLE __global const
#else
#define TABLE __constant
#endif

__kernel void prepare_terms(__global const float2 *gauss, __global float4 *terms)
{
    int id = get_global_id(0), n = id / (DEGREE + 1), m = id % (DEGREE + 1);
    if (n > DEGREE || m > n)
        return;
    float scale = 30000.0f * exp2(-(float)n);
    float2 gh = gauss[n * (DEGREE + 1) + m] * scale;
    float root = sqrt((float)(n * n - m * m));
    float one, two = 0;
    if (n == m) {
        one = n > 1 ? sqrt((2 * n - 1) / (2.0f * n)) : 1.0f;
    } else {
        one = (2 * n - 1) / root;
        two = sqrt((float)((n - 1) * (n - 1) - m * m)) / root;
    }
    terms[m * (DEGREE + 1) - m * (m - 1) / 2 + n - m] = (float4)(gh.x, gh.y, one, two);
}

__kernel void evaluate(TABLE float4 *terms, __global const float *colatitude, __global const float *longitude,
                       __global const float *radius, __global float *field, int places)
{
#ifdef COPIED
    __local float4 table[TERMS];
    for (int k = get_local_id(0); k < TERMS; k += get_local_size(0))
        table[k] = terms[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#else
#define table terms
#endif
    int id = get_global_id(0), k = 0;
    float cost, sint = sincos(colatitude[id], &cost), cosl, sinl = sincos(longitude[id], &cosl);
    float ratio = 1.0f / radius[id], inverse = 1.0f / sint;
    float up = 0, south = 0, east = 0;
    float diagonal = 1, cosm = 1, sinm = 0, start = ratio * ratio;

    for (int m = 0; m <= DEGREE; m++) {
        float before = 0, last = 0, power = start;
        for (int n = m; n <= DEGREE; n++, k++) {
            float4 t = table[k];
            float p = n == m ? (m ? diagonal * t.z * sint : 1.0f) : t.z * cost * last - t.w * before;
            if (n == m)
                diagonal = p;
            /* sqrt(n n - m m) times the function of the degree before, from the factor of this degree */
            float slope = (n * cost * p - (n == m ? 0.0f : (2 * n - 1) / t.z * last)) * inverse;
            float even = t.x * cosm + t.y * sinm, odd = t.x * sinm - t.y * cosm;
            up += (n + 1) * power * even * p;
            south -= power * even * slope;
            east += power * m * odd * p * inverse;
            before = last;
            last = p;
            power *= ratio;
        }
        start *= ratio;
        float c = cosm * cosl - sinm * sinl;
        sinm = sinm * cosl + cosm * sinl;
        cosm = c;
    }
    field[id] = up;
    field[places + id] = south;
    field[2 * places + id] = east;
}
