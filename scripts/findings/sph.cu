/* A step of smoothed particles as the program of Takada and Ohno (2016) does it: the phases of
 * kernels/sph/sph_aos.cu, where a work-item copies each struct that has something of a particle
 * that it wants, and has it in registers from then on (sections 2.3.2 and 3). Layouts and their
 * structs are those of section 3.1: -DAOS, -DSOA, -DSPLIT_4_4_3, -DSPLIT_3_3_3_2 or -DSPLIT_8_3.
 * With -DALIGNED structs are aligned as in section 3.2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifdef ALIGNED
#define WIDE __align__(16)
/* Structs with two members are aligned to 8 bytes. Structs with three members are padded to 16
 * bytes. The paper's compiler copied such a struct by an access of 8 bytes and one of 4 (section
 * 5.2), and this definition has the same effect. NVIDIA's current compiler also copies the
 * padding. */
#define NARROW __align__(8)
#else
#define WIDE
#define NARROW
#endif

#define POS float pos_x, pos_y, pos_z;
#define VEL float vel_x, vel_y, vel_z;
#define ACCEL float accel_x, accel_y, accel_z;
#define STATE float density, pressure;

/* PARAMETERS: the kernel parameters of a layout, which are its arrays. AT_MEMBER(i): the struct
 * that contains MEMBER of particle i. */
#if defined AOS
struct WIDE First { POS VEL ACCEL STATE };
#define PARAMETERS First *first
#define AT_POS(i) first[i]
#define AT_VEL(i) first[i]
#define AT_ACCEL(i) first[i]
#define AT_DENSITY(i) first[i]
#define AT_PRESSURE(i) first[i]
#elif defined SPLIT_4_4_3
struct WIDE First { POS float density; };
struct WIDE Second { VEL float pressure; };
struct NARROW Third { ACCEL };
#define PARAMETERS First *first, Second *second, Third *third
#define AT_POS(i) first[i]
#define AT_VEL(i) second[i]
#define AT_ACCEL(i) third[i]
#define AT_DENSITY(i) first[i]
#define AT_PRESSURE(i) second[i]
#elif defined SPLIT_3_3_3_2
struct NARROW First { POS };
struct NARROW Second { VEL };
struct NARROW Third { ACCEL };
struct NARROW Fourth { STATE };
#define PARAMETERS First *first, Second *second, Third *third, Fourth *fourth
#define AT_POS(i) first[i]
#define AT_VEL(i) second[i]
#define AT_ACCEL(i) third[i]
#define AT_DENSITY(i) fourth[i]
#define AT_PRESSURE(i) fourth[i]
#elif defined SPLIT_8_3
struct WIDE First { POS VEL STATE };
struct NARROW Second { ACCEL };
#define PARAMETERS First *first, Second *second
#define AT_POS(i) first[i]
#define AT_VEL(i) first[i]
#define AT_ACCEL(i) second[i]
#define AT_DENSITY(i) first[i]
#define AT_PRESSURE(i) first[i]
#else /* an array for each member, so there are no structs to copy */
struct Pos { POS };
struct Vel { VEL };
struct Accel { ACCEL };
struct Density { float density; };
struct Pressure { float pressure; };
#define PARAMETERS                                                                                 \
    float *pos_x, float *pos_y, float *pos_z, float *vel_x, float *vel_y, float *vel_z,            \
        float *accel_x, float *accel_y, float *accel_z, float *density_of, float *pressure_of
#define AT_POS(i) Pos{pos_x[i], pos_y[i], pos_z[i]}
#define AT_VEL(i) Vel{vel_x[i], vel_y[i], vel_z[i]}
#define AT_ACCEL(i) Accel{accel_x[i], accel_y[i], accel_z[i]}
#define AT_DENSITY(i) Density{density_of[i]}
#define AT_PRESSURE(i) Pressure{pressure_of[i]}
#endif

#ifdef SOA
#define SET(array, i, member, value) member[i] = (value)
#define SET_STATE(array, i, member, value) member##_of[i] = (value)
#else
#define SET(array, i, member, value) array(i).member = (value)
#define SET_STATE(array, i, member, value) array(i).member = (value)
#endif

/* mass_poly6: a particle's mass times 315 / (64 pi h^9). */
extern "C" __global__ void __launch_bounds__(GROUP)
    density(PARAMETERS, const int *cell_start, int n, int cells_x, int cells_y, int cells_z,
            float inverse_h, float h, float mass_poly6, float rest_density, float stiffness)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const auto own = AT_POS(i);
    const int cell_x = (int)(own.pos_x * inverse_h);
    const int cell_y = (int)(own.pos_y * inverse_h);
    const int cell_z = (int)(own.pos_z * inverse_h);
    float sum = 0.0f;

    for (int z = max(cell_z - 1, 0); z <= min(cell_z + 1, cells_z - 1); z++)
        for (int y = max(cell_y - 1, 0); y <= min(cell_y + 1, cells_y - 1); y++)
            for (int x = max(cell_x - 1, 0); x <= min(cell_x + 1, cells_x - 1); x++) {
                const int cell = (z * cells_y + y) * cells_x + x;
                const int end = cell_start[cell + 1];

                for (int j = cell_start[cell]; j < end; j++) {
                    const auto other = AT_POS(j);
                    const float dx = own.pos_x - other.pos_x;
                    const float dy = own.pos_y - other.pos_y;
                    const float dz = own.pos_z - other.pos_z;
                    const float r2 = dx * dx + dy * dy + dz * dz;

                    if (r2 < h * h) {
                        const float d = h * h - r2;
                        sum += d * d * d;
                    }
                }
            }

    const float value = mass_poly6 * sum;
    SET_STATE(AT_DENSITY, i, density, value);
    SET_STATE(AT_PRESSURE, i, pressure, fmaxf(stiffness * (value - rest_density), 0.0f));
}

/* mass_spiky: a particle's mass times 45 / (pi h^6). */
extern "C" __global__ void __launch_bounds__(GROUP)
    force(PARAMETERS, const int *cell_start, int n, int cells_x, int cells_y, int cells_z,
          float inverse_h, float h, float mass_spiky, float viscosity, float gravity)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const auto own = AT_POS(i);
    const auto moving = AT_VEL(i);
    const float own_density = AT_DENSITY(i).density;
    const float own_pressure = AT_PRESSURE(i).pressure;
    const int cell_x = (int)(own.pos_x * inverse_h);
    const int cell_y = (int)(own.pos_y * inverse_h);
    const int cell_z = (int)(own.pos_z * inverse_h);
    float force_x = 0.0f, force_y = 0.0f, force_z = 0.0f;

    for (int z = max(cell_z - 1, 0); z <= min(cell_z + 1, cells_z - 1); z++)
        for (int y = max(cell_y - 1, 0); y <= min(cell_y + 1, cells_y - 1); y++)
            for (int x = max(cell_x - 1, 0); x <= min(cell_x + 1, cells_x - 1); x++) {
                const int cell = (z * cells_y + y) * cells_x + x;
                const int end = cell_start[cell + 1];

                for (int j = cell_start[cell]; j < end; j++) {
                    const auto at = AT_POS(j);
                    const auto going = AT_VEL(j);
                    const auto dense = AT_DENSITY(j);
                    const auto pressed = AT_PRESSURE(j);
                    const float dx = own.pos_x - at.pos_x;
                    const float dy = own.pos_y - at.pos_y;
                    const float dz = own.pos_z - at.pos_z;
                    const float r2 = dx * dx + dy * dy + dz * dz;

                    if (j != i && r2 < h * h) {
                        const float r = sqrtf(r2);
                        const float w = mass_spiky * (h - r) / dense.density;
                        const float push =
                            0.5f * (own_pressure + pressed.pressure) * w * (h - r) / r;
                        const float drag = viscosity * w;

                        force_x += push * dx + drag * (going.vel_x - moving.vel_x);
                        force_y += push * dy + drag * (going.vel_y - moving.vel_y);
                        force_z += push * dz + drag * (going.vel_z - moving.vel_z);
                    }
                }
            }

    SET(AT_ACCEL, i, accel_x, force_x / own_density);
    SET(AT_ACCEL, i, accel_y, force_y / own_density - gravity);
    SET(AT_ACCEL, i, accel_z, force_z / own_density);
}

/* Stops a particle that would pass a wall at the wall, and reflects its velocity with a loss. */
static __device__ void collide(float *pos, float *vel, float low, float high, float bounce)
{
    if (*pos < low) {
        *pos = low;
        *vel *= -bounce;
    } else if (*pos > high) {
        *pos = high;
        *vel *= -bounce;
    }
}

extern "C" __global__ void __launch_bounds__(GROUP)
    position(PARAMETERS, int n, float dt, float low, float high_x, float high_y, float high_z,
             float bounce)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const auto own = AT_POS(i);
    const auto moving = AT_VEL(i);
    const auto pushed = AT_ACCEL(i);
    float new_vel_x = moving.vel_x + dt * pushed.accel_x;
    float new_vel_y = moving.vel_y + dt * pushed.accel_y;
    float new_vel_z = moving.vel_z + dt * pushed.accel_z;
    float new_pos_x = own.pos_x + dt * new_vel_x;
    float new_pos_y = own.pos_y + dt * new_vel_y;
    float new_pos_z = own.pos_z + dt * new_vel_z;

    collide(&new_pos_x, &new_vel_x, low, high_x, bounce);
    collide(&new_pos_y, &new_vel_y, low, high_y, bounce);
    collide(&new_pos_z, &new_vel_z, low, high_z, bounce);
    SET(AT_POS, i, pos_x, new_pos_x);
    SET(AT_POS, i, pos_y, new_pos_y);
    SET(AT_POS, i, pos_z, new_pos_z);
    SET(AT_VEL, i, vel_x, new_vel_x);
    SET(AT_VEL, i, vel_y, new_vel_y);
    SET(AT_VEL, i, vel_z, new_vel_z);
}
