#define GAMMA 1.4f

typedef struct {
    float rho, mx, my, en;
} State;

static float pressureOf(State s)
{
    return (GAMMA - 1.0f) * (s.en - 0.5f * (s.mx * s.mx + s.my * s.my) / s.rho);
}

/* Returns the speed of the fastest wave along the axis of the momentum component m. */
static float fastest(State s, float m)
{
    return fabs(m / s.rho) + sqrt(GAMMA * pressureOf(s) / s.rho);
}

static State fluxX(State l, State r)
{
    float pl = pressureOf(l), pr = pressureOf(r);
    float ul = l.mx / l.rho, ur = r.mx / r.rho;
    float a = 0.5f * fmax(fastest(l, l.mx), fastest(r, r.mx));
    State f;
    f.rho = 0.5f * (l.mx + r.mx) - a * (r.rho - l.rho);
    f.mx = 0.5f * (l.mx * ul + pl + r.mx * ur + pr) - a * (r.mx - l.mx);
    f.my = 0.5f * (l.my * ul + r.my * ur) - a * (r.my - l.my);
    f.en = 0.5f * ((l.en + pl) * ul + (r.en + pr) * ur) - a * (r.en - l.en);
    return f;
}

static State turned(State s)
{
    float m = s.mx;
    s.mx = s.my;
    s.my = m;
    return s;
}

static State fluxY(State b, State t)
{
    return turned(fluxX(turned(b), turned(t)));
}

static State advance(State c, State west, State east, State south, State north, float ratio)
{
    State w = fluxX(west, c), e = fluxX(c, east), s = fluxY(south, c), n = fluxY(c, north);
    c.rho -= ratio * (e.rho - w.rho + n.rho - s.rho);
    c.mx -= ratio * (e.mx - w.mx + n.mx - s.mx);
    c.my -= ratio * (e.my - w.my + n.my - s.my);
    c.en -= ratio * (e.en - w.en + n.en - s.en);
    return c;
}

#define INDEX(x, y) ((y) * NX + (x))
#define EAST INDEX(x == NX - 1 ? 0 : x + 1, y)
#define WEST INDEX(x == 0 ? NX - 1 : x - 1, y)
#define NORTH INDEX(x, y == NY - 1 ? 0 : y + 1)
#define SOUTH INDEX(x, y == 0 ? NY - 1 : y - 1)

__kernel void pack(__global const float *rho, __global const float *mx, __global const float *my,
                   __global const float *en, __global State *cells)
{
    int i = get_global_id(0);
    State s = { rho[i], mx[i], my[i], en[i] };
    cells[i] = s;
}

__kernel void stepAos(__global const State *now, __global State *next, float ratio)
{
    int x = get_global_id(0), y = get_global_id(1);
    next[INDEX(x, y)] = advance(now[INDEX(x, y)], now[WEST], now[EAST], now[SOUTH], now[NORTH], ratio);
}

static State fetch(__global const float *rho, __global const float *mx, __global const float *my,
                   __global const float *en, int i)
{
    State s = { rho[i], mx[i], my[i], en[i] };
    return s;
}

__kernel void stepSoa(__global const float *rho, __global const float *mx, __global const float *my,
                      __global const float *en, __global float *rhoNext, __global float *mxNext,
                      __global float *myNext, __global float *enNext, float ratio)
{
    int x = get_global_id(0), y = get_global_id(1);
    int i = INDEX(x, y);
    State s = advance(fetch(rho, mx, my, en, i), fetch(rho, mx, my, en, WEST),
                      fetch(rho, mx, my, en, EAST), fetch(rho, mx, my, en, SOUTH),
                      fetch(rho, mx, my, en, NORTH), ratio);
    rhoNext[i] = s.rho;
    mxNext[i] = s.mx;
    myNext[i] = s.my;
    enNext[i] = s.en;
}

static float machOf(State s)
{
    return sqrt((s.mx * s.mx + s.my * s.my) / (GAMMA * pressureOf(s) * s.rho));
}

__kernel void inspectAos(__global const State *cells, __global float *pressure, __global float *mach)
{
    int i = get_global_id(0);
    pressure[i] = pressureOf(cells[i]);
    mach[i] = machOf(cells[i]);
}

__kernel void inspectSoa(__global const float *rho, __global const float *mx, __global const float *my,
                         __global const float *en, __global float *pressure, __global float *mach)
{
    int i = get_global_id(0);
    State s = fetch(rho, mx, my, en, i);
    pressure[i] = pressureOf(s);
    mach[i] = machOf(s);
}
