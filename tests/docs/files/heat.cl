typedef struct { float conductivity, capacity; } Cell;

__kernel void diffuse(__global const float *restrict now, __global float *restrict next, __global const Cell *cells, int width)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == width - 1)
        return;
    float flow = now[i - 1] + now[i + 1] + now[i - width] + now[i + width] - 4 * now[i];
    next[i] = now[i] + cells[i].conductivity * flow / cells[i].capacity;
}
