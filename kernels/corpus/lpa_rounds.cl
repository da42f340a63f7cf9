__kernel void propagate(__global const int *row, __global const int *nbr,
                        __global const int *labels, __global int *labels_out,
                        __global int *moved, int round, int n)
{
	int v = get_global_id(0);

	if (v < n) {
		int begin = row[v], end = row[v + 1];
		int best = labels[v], best_votes = 0;

		for (int e = begin; e < end; e++) {
			int l = labels[nbr[e]];
			int votes = 0;
			for (int f = begin; f < end; f++)
				if (labels[nbr[f]] == l)
					votes++;
			if (votes > best_votes || (votes == best_votes && l < best)) {
				best = l;
				best_votes = votes;
			}
		}
		labels_out[v] = best;
		if (best != labels[v])
			atomic_inc(&moved[round]);
	}
}

#define MAX_DEGREE 12

__kernel void propagate_kept(__global const int *row, __global const int *nbr,
                             __global const int *labels, __global int *labels_out,
                             __global int *moved, int round, int n)
{
	int l[MAX_DEGREE];
	int v = get_global_id(0);

	if (v < n) {
		int begin = row[v], degree = row[v + 1] - begin;
		int own = labels[v], best = own, best_votes = 0;

		for (int e = 0; e < MAX_DEGREE; e++)
			l[e] = e < degree ? labels[nbr[begin + e]] : -1;
		for (int e = 0; e < MAX_DEGREE; e++) {
			int votes = 0;
			for (int f = 0; f < MAX_DEGREE; f++)
				votes += l[e] == l[f];
			if (l[e] >= 0 && (votes > best_votes || (votes == best_votes && l[e] < best))) {
				best = l[e];
				best_votes = votes;
			}
		}
		labels_out[v] = best;
		if (best != own)
			atomic_inc(&moved[round]);
	}
}
