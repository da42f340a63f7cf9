/* kernels/cfd/cfd_aos.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define NNB 4 /* neighbours of an element: one for each face */
#define WALL (-1)
#define FAR_FIELD (-2)
#define STAGES 3
#define GAMMA 1.4f
#define SMOOTHING 0.2f

typedef struct {
    float density;
    float momentum_x, momentum_y, momentum_z;
    float energy;
} Cell;

typedef struct {
    float x, y, z;
} Vector;

/* Quantities that are computed from the variables of a cell. */
typedef struct {
    float pressure;
    float signal_speed;            /* speed of the fastest wave */
    Vector flux_x, flux_y, flux_z; /* flux of each component of the momentum */
    Vector flux_energy;
} State;

static __device__ Vector velocity_of(float density, Vector momentum)
{
    Vector velocity;

    velocity.x = momentum.x / density;
    velocity.y = momentum.y / density;
    velocity.z = momentum.z / density;
    return velocity;
}

static __device__ float speed_squared_of(Vector velocity)
{
    return velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z;
}

static __device__ float pressure_of(float density, float energy, float speed_squared)
{
    return (GAMMA - 1.0f) * (energy - 0.5f * density * speed_squared);
}

static __device__ float speed_of_sound(float density, float pressure)
{
    return sqrtf(GAMMA * pressure / density);
}

static __device__ State state_of(float density, Vector momentum, float energy)
{
    const Vector velocity = velocity_of(density, momentum);
    const float speed_squared = speed_squared_of(velocity);
    State state;

    state.pressure = pressure_of(density, energy, speed_squared);
    state.signal_speed = sqrtf(speed_squared) + speed_of_sound(density, state.pressure);

    state.flux_x.x = velocity.x * momentum.x + state.pressure;
    state.flux_x.y = velocity.x * momentum.y;
    state.flux_x.z = velocity.x * momentum.z;
    state.flux_y.x = state.flux_x.y;
    state.flux_y.y = velocity.y * momentum.y + state.pressure;
    state.flux_y.z = velocity.y * momentum.z;
    state.flux_z.x = state.flux_x.z;
    state.flux_z.y = state.flux_y.z;
    state.flux_z.z = velocity.z * momentum.z + state.pressure;

    state.flux_energy.x = velocity.x * (energy + state.pressure);
    state.flux_energy.y = velocity.y * (energy + state.pressure);
    state.flux_energy.z = velocity.z * (energy + state.pressure);
    return state;
}

/* Returns the mean of two fluxes, times the normal of a face. */
static __device__ float through(Vector normal, Vector a, Vector b)
{
    return 0.5f * (normal.x * (a.x + b.x) + normal.y * (a.y + b.y) + normal.z * (a.z + b.z));
}

__global__ void __launch_bounds__(GROUP) copy_variables(const Cell *variables, Cell *old_variables)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    old_variables[i] = variables[i];
}

__global__ void __launch_bounds__(GROUP)
    compute_step_factor(const Cell *variables, const float *areas, float *step_factors)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float density = variables[i].density;
    Vector momentum;

    momentum.x = variables[i].momentum_x;
    momentum.y = variables[i].momentum_y;
    momentum.z = variables[i].momentum_z;

    const float energy = variables[i].energy;
    const float speed_squared = speed_squared_of(velocity_of(density, momentum));
    const float pressure = pressure_of(density, energy, speed_squared);

    step_factors[i] =
        0.5f / (areas[i] * (sqrtf(speed_squared) + speed_of_sound(density, pressure)));
}

__global__ void __launch_bounds__(GROUP)
    compute_flux(int nelr, const int *neighbours, const float *normals, const Cell *variables,
                 Cell *fluxes, float far_density, float far_momentum_x, float far_momentum_y,
                 float far_momentum_z, float far_energy)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float density = variables[i].density;
    const float energy = variables[i].energy;
    Vector momentum;
    Cell flux = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};

    momentum.x = variables[i].momentum_x;
    momentum.y = variables[i].momentum_y;
    momentum.z = variables[i].momentum_z;

    const State state = state_of(density, momentum, energy);

    for (int j = 0; j < NNB; j++) {
        const int neighbour = neighbours[i + j * nelr];
        Vector normal;

        normal.x = normals[i + (j + 0 * NNB) * nelr];
        normal.y = normals[i + (j + 1 * NNB) * nelr];
        normal.z = normals[i + (j + 2 * NNB) * nelr];

        if (neighbour == WALL) {
            flux.momentum_x += normal.x * state.pressure;
            flux.momentum_y += normal.y * state.pressure;
            flux.momentum_z += normal.z * state.pressure;
            continue;
        }

        float other_density, other_energy;
        Vector other_momentum;

        if (neighbour == FAR_FIELD) {
            other_density = far_density;
            other_momentum.x = far_momentum_x;
            other_momentum.y = far_momentum_y;
            other_momentum.z = far_momentum_z;
            other_energy = far_energy;
        } else {
            other_density = variables[neighbour].density;
            other_momentum.x = variables[neighbour].momentum_x;
            other_momentum.y = variables[neighbour].momentum_y;
            other_momentum.z = variables[neighbour].momentum_z;
            other_energy = variables[neighbour].energy;
        }

        const State other = state_of(other_density, other_momentum, other_energy);

        flux.density += through(normal, momentum, other_momentum);
        flux.momentum_x += through(normal, state.flux_x, other.flux_x);
        flux.momentum_y += through(normal, state.flux_y, other.flux_y);
        flux.momentum_z += through(normal, state.flux_z, other.flux_z);
        flux.energy += through(normal, state.flux_energy, other.flux_energy);

        if (neighbour != FAR_FIELD) {
            /* Add artificial viscosity, which reduces differences between neighbours. */
            const float length = sqrtf(speed_squared_of(normal));
            const float factor =
                length * SMOOTHING * 0.5f * (state.signal_speed + other.signal_speed);

            flux.density += factor * (other_density - density);
            flux.momentum_x += factor * (other_momentum.x - momentum.x);
            flux.momentum_y += factor * (other_momentum.y - momentum.y);
            flux.momentum_z += factor * (other_momentum.z - momentum.z);
            flux.energy += factor * (other_energy - energy);
        }
    }

    fluxes[i].density = flux.density;
    fluxes[i].momentum_x = flux.momentum_x;
    fluxes[i].momentum_y = flux.momentum_y;
    fluxes[i].momentum_z = flux.momentum_z;
    fluxes[i].energy = flux.energy;
}

__global__ void __launch_bounds__(GROUP)
    time_step(int stage, const Cell *old_variables, Cell *variables, const float *step_factors,
              const Cell *fluxes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float factor = step_factors[i] / (float)(STAGES + 1 - stage);

    variables[i].density = old_variables[i].density + factor * fluxes[i].density;
    variables[i].momentum_x = old_variables[i].momentum_x + factor * fluxes[i].momentum_x;
    variables[i].momentum_y = old_variables[i].momentum_y + factor * fluxes[i].momentum_y;
    variables[i].momentum_z = old_variables[i].momentum_z + factor * fluxes[i].momentum_z;
    variables[i].energy = old_variables[i].energy + factor * fluxes[i].energy;
}
