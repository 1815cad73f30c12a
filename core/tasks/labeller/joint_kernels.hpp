// SPDX-License-Identifier: Apache-2.0
// The vector kernels of JointSums: sums and products over rows of S segment labels times a pitch of tags (T, filled up to whole lanes).
// Letters as in joint_sums.hpp: s', t' of the token before, s, t of the token.
#pragma once
#include <cstddef>

namespace accord::tasks::joint_kernels {

struct Sizes {
  size_t S, T, pitch;
};

// A of a token: before[s][t'] = sum over s' of forward[s'][t'] F[s'][s][t'] f[s'][s].
void step_segments(Sizes n, const double* forward, const double* cliques, const char* used, const double* pairs, double* before);

// M of a token before it is scaled; returns its sum.
double step_tags(Sizes n, const double* before, const double* cliques, const char* narrow, const double* pairs, const double* diagonal,
                 const double* local, double* forward);

// B of a token, and what its tables of (t', t) expect, in pair_sums and clique_sums.
void back_tags(Sizes n, const double* weights, const double* before, const double* cliques, const char* narrow, const double* pairs,
               const double* diagonal, double* reached, double* pair_sums, double* diagonal_sums, double* clique_sums);

// N of the token before, and what its tables of (s', s) expect: pairs into `out`, cliques into clique_sums.
void back_segments(Sizes n, const double* reached, const double* forward, const double* cliques, const char* used, const double* pairs,
                   double* backward, double scale, double* out, double* clique_sums);

// out[c] = sum over rows r of x[r] table[r][c].
void multiply_table(double* out, const double* table, const double* x, size_t rows, size_t pitch);

// sums[p][c] += sum over i of left[i * step + p] right[i * step + c], for rows p and whole lanes of columns.
void add_outer(double* sums, const double* left, const double* right, size_t count, size_t step, size_t rows, size_t pitch);

// forward *= local; returns the sum of the products.
double weigh(double* forward, const double* local, size_t n);

// here *= factor; whether a number is positive and too small afterwards.
bool scale_shares(double* here, double factor, size_t n);

// out = a * b * factor
void multiply(double* out, const double* a, const double* b, double factor, size_t n);

// out += factor * values
void add_scaled(double* out, const double* values, double factor, size_t n);

}  // namespace accord::tasks::joint_kernels
