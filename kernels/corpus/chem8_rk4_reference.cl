/* Tables of the species that each reaction consumes and produces. Everything is in double, and
 * stages follow Butcher's table. */
constant int takes[9][2] = { {0, 1}, {2, -1}, {2, 3}, {4, 4}, {6, -1}, {5, 0}, {7, 3}, {6, 1}, {7, -1} };
constant int makes[9][2] = { {2, -1}, {0, 1}, {4, 5}, {6, -1}, {4, 4}, {3, 7}, {1, 5}, {4, 2}, {0, -1} };
constant double weight[4] = { 1, 2, 2, 1 }, ahead[4] = { 0.5, 0.5, 1, 0 };

kernel void by_table(global float *conc, global const float *temperature, constant float *prefactor,
                     constant float *activation, int cells, int steps, float dt)
{
    size_t cell = get_global_id(0);
    double c[8], at[8], total[8], rate[8];
    for (int s = 0; s < 8; s++) c[s] = conc[s * cells + cell];
    for (int n = 0; n < steps; n++) {
        for (int s = 0; s < 8; s++) { at[s] = c[s]; total[s] = 0; }
        for (int stage = 0; stage < 4; stage++) {
            for (int s = 0; s < 8; s++) rate[s] = 0;
            for (int j = 0; j < 9; j++) {
                double w = prefactor[j] * exp(-(double)activation[j] / temperature[cell]);
                for (int e = 0; e < 2; e++) if (takes[j][e] >= 0) w *= at[takes[j][e]];
                if (j == 8) w /= 1 + at[7];
                for (int e = 0; e < 2; e++) {
                    if (takes[j][e] >= 0) rate[takes[j][e]] -= w;
                    if (makes[j][e] >= 0) rate[makes[j][e]] += w;
                }
            }
            for (int s = 0; s < 8; s++) {
                total[s] += weight[stage] * rate[s] * dt / 6;
                at[s] = c[s] + ahead[stage] * dt * rate[s];
            }
        }
        for (int s = 0; s < 8; s++) c[s] += total[s];
    }
    for (int s = 0; s < 8; s++) conc[s * cells + cell] = (float)c[s];
}
