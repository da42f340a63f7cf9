static uint hash32(uint k) {
    k ^= k >> 16;
    k *= 0x7feb352du;
    k ^= k >> 15;
    k *= 0x846ca68bu;
    return k ^ (k >> 16);
}

kernel void build(global const uint *order_key, volatile global int *head, global int *next,
                  uint mask, int orders) {
    int row = get_global_id(0);
    if (row < orders) {
        uint bucket = hash32(order_key[row]) & mask;
        next[row] = atomic_xchg(head + bucket, row);
    }
}

kernel void probe(global const uint *item_key, global const uint *order_key, global const uint *order_cents,
                  global const int *head, global const int *next, global uint *item_cents,
                  volatile global uint *matches, uint mask, int items) {
    int i = get_global_id(0);
    if (i >= items) return;
    uint key = item_key[i], cents = 0, found = 0;
    for (int row = head[hash32(key) & mask]; row >= 0; row = next[row]) {
        if (order_key[row] == key) {
            cents += order_cents[row];
            found++;
        }
    }
    item_cents[i] = cents;
    if (found) atomic_add(matches, found);
}

// A slot of the hash table has the number of a row. Rows with equal keys are in different slots.
kernel void build_linear(global const uint *order_key, volatile global int *slots, uint mask, int orders) {
    int row = get_global_id(0);
    if (row < orders) {
        uint at = hash32(order_key[row]) & mask;
        while (atomic_cmpxchg(slots + at, -1, row) != -1) at = (at + 1) & mask;
    }
}

kernel void probe_linear(global const uint *item_key, global const uint *order_key,
                         global const uint *order_cents, global const int *slots, global uint *item_cents,
                         volatile global uint *matches, uint mask, int items) {
    int i = get_global_id(0);
    if (i >= items) return;
    uint key = item_key[i], cents = 0, found = 0;
    for (uint at = hash32(key) & mask; ; at = (at + 1) & mask) {
        int row = slots[at];
        if (row < 0) break;
        if (order_key[row] == key) {
            cents += order_cents[row];
            found++;
        }
    }
    item_cents[i] = cents;
    if (found) atomic_add(matches, found);
}
