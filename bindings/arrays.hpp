// SPDX-License-Identifier: Apache-2.0
// The arrays that cross between numpy and the core, named once.
//
// Arguments are views: contiguous, read-only, in the memory of the process. Where an argument has another type, nanobind converts it
// into a temporary array that lives as long as the call. Memory that the core goes on reading after the call must therefore be
// borrowed without conversion: by nb::arg(...).noconvert(), or by borrowed() where the array comes inside another object.
#pragma once
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

template <typename T>
using Row = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Grid = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using Doubles = Row<double>;
using Floats = Row<float>;
using Halves = Row<uint16_t>;  // IEEE half precision, as bits
using Chars = Row<int8_t>;
using Shorts = Row<int16_t>;
using Integers = Row<int32_t>;
using Bits = Row<uint8_t>;         // 0 or 1
using Bytes = Row<uint8_t>;        // memory
using Marks = Row<uint32_t>;       // fingerprints of features
using CodePoints = Row<uint32_t>;  // characters
using Keys = Row<uint64_t>;        // hashed strings
using Heads = Row<int32_t>;        // of each word; entry 0 is the root's
using Indices = Row<int64_t>;      // of variables, or where pieces begin
using Order = Row<int64_t>;        // numbers of sentences
using Lengths = Row<int64_t>;      // of the sentences of a batch
using Numbers = Row<double>;       // scores of variables and factors

using HeadTable = Grid<int32_t>;  // heads of many sentences, one row each
using DoubleRows = Grid<double>;
using ByteRows = Grid<int8_t>;
using ArcPairs = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;  // (head, dependent)
using DoubleTables = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;    // a square table a sentence

template <typename T>
using Numpy = nb::ndarray<nb::numpy, T>;  // what is handed to Python
using DoublesOut = Numpy<double>;
using IntegersOut = Numpy<int32_t>;
using HeadsOut = Numpy<int32_t>;
using IndicesOut = Numpy<int64_t>;

template <typename Array>
auto view(const Array& array) {
  return std::span(array.data(), array.size());
}

template <typename T>
auto copied(const Row<T>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

// An array whose memory the core keeps. std::invalid_argument where it would have to be converted; `what` names it.
template <typename Array>
Array borrowed(nb::handle array, const std::string& what) {
  Array out;
  if (!nb::try_cast(array, out, false)) throw std::invalid_argument(what + ": an array of another type or shape is needed");
  return out;
}

// A vector handed to numpy without a copy: the array owns it.
template <typename T>
Numpy<T> to_numpy(std::vector<T>&& values, std::vector<size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Numpy<T>(data, shape.size(), shape.data(), owner);
}

template <typename T>
Numpy<T> numpy_vector(std::vector<T>&& values) {
  const size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

// One array a vector.
template <typename T>
std::vector<Numpy<T>> numpy_vectors(std::vector<std::vector<T>>&& rows) {
  std::vector<Numpy<T>> arrays;
  for (std::vector<T>& row : rows) arrays.push_back(numpy_vector(std::move(row)));
  return arrays;
}
