// A program that uses ViennaCL: a sparse system by conjugate gradients, and a product of matrices.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#define VIENNACL_WITH_OPENCL
#include <iostream>
#include <map>
#include <vector>

#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

int main()
{
    const unsigned n = 10000;
    std::vector<std::map<unsigned, float>> rows(n);
    for (unsigned i = 0; i < n; i++) {
        rows[i][i] = 4;
        if (i > 0)
            rows[i][i - 1] = -1;
        if (i + 1 < n)
            rows[i][i + 1] = -1;
    }
    viennacl::compressed_matrix<float> system(n, n);
    viennacl::copy(rows, system);
    std::vector<float> ones(n, 1.0f);
    viennacl::vector<float> right(n), x(n);
    viennacl::copy(ones, right);
    x = viennacl::linalg::solve(system, right, viennacl::linalg::cg_tag(1e-6, 20));
    std::cout << viennacl::linalg::inner_prod(x, right) << "\n";

    viennacl::matrix<float> a(128, 96), b(96, 64), c(128, 64);
    a = viennacl::scalar_matrix<float>(128, 96, 0.5f);
    b = viennacl::scalar_matrix<float>(96, 64, 2.0f);
    c = viennacl::linalg::prod(a, b);
    viennacl::backend::finish();
    std::cout << c(3, 4) << "\n";
}
