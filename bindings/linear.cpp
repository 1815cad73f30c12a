// Forwards core/graph/linear_program to Python: accord._core.graph.LinearProgram. Its arrays are views of the
// native ones and live as long as anybody holds them.
#include "bindings/module.hpp"
#include "core/graph/linear_program.hpp"

namespace {

using accord::graph::LinearProgram;

template <typename T>
auto array_of(std::vector<T> LinearProgram::*member) {
  return [member](LinearProgram& program) {
    std::vector<T>& values = program.*member;
    return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, nb::find(program));
  };
}

}  // namespace

void bind_linear(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<LinearProgram>(module, "LinearProgram")
      .def_ro("variables", &LinearProgram::variables)
      .def_ro("constant", &LinearProgram::constant)
      .def_prop_ro("scores", array_of(&LinearProgram::scores))
      .def_prop_ro("low", array_of(&LinearProgram::low))
      .def_prop_ro("high", array_of(&LinearProgram::high))
      .def_prop_ro("integral", array_of(&LinearProgram::integral))
      .def_prop_ro("row_starts", array_of(&LinearProgram::row_starts))
      .def_prop_ro("columns", array_of(&LinearProgram::columns))
      .def_prop_ro("coefficients", array_of(&LinearProgram::coefficients))
      .def_prop_ro("row_low", array_of(&LinearProgram::row_low))
      .def_prop_ro("row_high", array_of(&LinearProgram::row_high));
}
