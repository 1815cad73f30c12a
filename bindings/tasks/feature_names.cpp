// SPDX-License-Identifier: Apache-2.0
// Reads users' features, which are Python objects, into numbered sparse rows: accord._core.tasks.FeatureNames.
//
// A token is a list of texts, or a dictionary from texts to texts, numbers, truth values and lists of texts; such tokens are read here.
// All others go to a function of Python, which gives (name, value) pairs and has the last word on what is refused.
#include <algorithm>
#include <cmath>
#include <memory_resource>

#include "bindings/module.hpp"
#include "core/tasks/sequence/feature_names.hpp"
#include "core/vectorise.hpp"

namespace feature_names_binding {

using namespace accord::tasks;

using Arrays = std::tuple<IndicesOut, IndicesOut, IntegersOut, DoublesOut>;

// The bytes of a text; what UTF-8 has no bytes for (lone surrogates) is written as if it had. `made` keeps what had to be made.
inline std::string_view bytes_of(PyObject* text, std::vector<nb::object>& made) {
#ifndef Py_LIMITED_API  // a short cut for most texts, which are ASCII
  if (PyUnicode_IS_COMPACT_ASCII(text))
    return {static_cast<const char*>(PyUnicode_DATA(text)), static_cast<size_t>(PyUnicode_GET_LENGTH(text))};
#endif
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text, &size)) return {data, static_cast<size_t>(size)};
  PyErr_Clear();
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  made.push_back(bytes);
  return {PyBytes_AsString(bytes.ptr()), static_cast<size_t>(PyBytes_Size(bytes.ptr()))};
}

nb::object text_of(std::string_view name) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogatepass"));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

bool is(PyObject* object, PyTypeObject* type) { return Py_TYPE(object) == type; }

class Reader {
 public:
  Reader(FeatureNames& names, bool adds, nb::callable pairs) : names_(names), adds_(adds), pairs_(std::move(pairs)) {}

  Arrays read(const nb::list& sequences) {
    for (Py_ssize_t s = 0; s < PyList_Size(sequences.ptr()); ++s) {
      nb::object sequence = nb::borrow(PyList_GetItem(sequences.ptr(), s));
      if (!is(sequence.ptr(), &PyList_Type)) {
        flush();
        sequence = nb::steal(PySequence_List(sequence.ptr()));
        if (!sequence.is_valid()) throw nb::python_error();
        read_sequence(sequence.ptr());
        flush();
      } else read_sequence(sequence.ptr());
      sequences_.push_back(static_cast<int64_t>(tokens_.size()) - 1);
    }
    flush();
    return {numpy_vector(std::move(sequences_)), numpy_vector(std::move(tokens_)), numpy_vector(std::move(features_)),
            numpy_vector(std::move(values_))};
  }

 private:
  static constexpr size_t names_together = 4096, items_together = 32;

  void read_sequence(PyObject* tokens) {
    for (Py_ssize_t t = 0; t < PyList_Size(tokens); ++t) {
      PyObject* token = PyList_GetItem(tokens, t);
      const size_t begin = block_.size();
      if (!read_plain(token)) {
        block_.resize(begin);
        if (!values_.empty()) values_.resize(features_.size() + begin);
        flush();
        read_other(nb::borrow(token));
      }
      tokens_.push_back(static_cast<int64_t>(features_.size() + block_.size()));
      if (block_.size() >= names_together) flush();
    }
  }

  bool read_plain(PyObject* token) {
    if (is(token, &PyList_Type)) return read_list(token, {});
    if (!is(token, &PyDict_Type)) return false;
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(token, &at, &key, &value))
      if (!is(key, &PyUnicode_Type) || !read_entry(bytes_of(key, made_), value)) return false;
    return true;
  }

  // The texts of a list, each with a prefix where there is one.
  bool read_list(PyObject* list, std::string_view prefix) {
    const auto size = static_cast<size_t>(PyList_Size(list)), begin = block_.size();
    block_.resize(begin + size);
    if (!values_.empty()) values_.resize(values_.size() + size, 1.0);
    PyObject* items[items_together];
    for (size_t first = 0; first < size; first += items_together) {
      const size_t count = std::min(items_together, size - first);
      for (size_t i = 0; i < count; ++i) {
        items[i] = PyList_GetItem(list, static_cast<Py_ssize_t>(first + i));
        ACCORD_PREFETCH(items[i]);
      }
      for (size_t i = 0; i < count; ++i) {
        if (!is(items[i], &PyUnicode_Type)) return false;
        const std::string_view name = bytes_of(items[i], made_);
        block_[begin + first + i] = prefix.data() == nullptr ? name : joined(prefix, name);
      }
    }
    return true;
  }

  bool read_entry(std::string_view name, PyObject* value) {
    if (is(value, &PyUnicode_Type)) push(joined(name, bytes_of(value, made_)), 1.0);
    else if (is(value, &PyBool_Type)) push(name, value == Py_True ? 1.0 : 0.0);
    else if (is(value, &PyList_Type)) return read_list(value, name);
    else if (is(value, &PyFloat_Type) || is(value, &PyLong_Type)) {
      const double number = PyFloat_AsDouble(value);
      if (PyErr_Occurred()) PyErr_Clear();
      else if (std::isfinite(number)) return push(name, number), true;
      return false;
    } else return false;
    return true;
  }

  void read_other(const nb::object& token) {
    const nb::list pairs(pairs_(token));
    for (nb::handle pair : pairs) push(bytes_of(nb::handle(pair[0]).ptr(), made_), nb::cast<double>(pair[1]));
    flush();
  }

  std::string_view joined(std::string_view name, std::string_view value) {
    char* data = static_cast<char*>(memory_.allocate(name.size() + value.size() + 1, 1));
    std::ranges::copy(name, data);
    data[name.size()] = ':';
    std::ranges::copy(value, data + name.size() + 1);
    return {data, name.size() + value.size() + 1};
  }

  void push(std::string_view name, double value) {
    if (values_.empty() && value != 1.0) values_.assign(features_.size() + block_.size(), 1.0);
    block_.push_back(name);
    if (!values_.empty() || value != 1.0) values_.push_back(value);
  }

  void flush() {
    const size_t first = features_.size();
    features_.resize(first + block_.size());
    if (adds_) names_.add(block_, features_.data() + first);
    else names_.find(block_, features_.data() + first);
    block_.clear();
    made_.clear();
    memory_.release();
  }

  FeatureNames& names_;
  bool adds_;
  nb::callable pairs_;
  std::vector<int64_t> sequences_ = {0}, tokens_ = {0};
  std::vector<int32_t> features_;
  std::vector<double> values_;  // empty as long as all are one
  // Of the tokens since the last look into the names:
  std::vector<std::string_view> block_;
  std::vector<nb::object> made_;
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace feature_names_binding

void bind_feature_names(nb::module_& module) {
  using namespace feature_names_binding;
  constexpr const char* signature =
      "(self, sequences: list[typing.Any], pairs: collections.abc.Callable[[typing.Any], collections.abc.Iterable[tuple[str, float]]]) -> "
      "tuple[typing.Annotated[numpy.typing.NDArray[numpy.int64], dict()], typing.Annotated[numpy.typing.NDArray[numpy.int64], dict()], "
      "typing.Annotated[numpy.typing.NDArray[numpy.int32], dict()], typing.Annotated[numpy.typing.NDArray[numpy.float64], dict()]]";
  static const std::string read = std::string("def read") + signature, learn = std::string("def learn") + signature;
  nb::class_<FeatureNames>(module, "FeatureNames", "The numbers of named features.")
      .def(
          "__init__",
          [](FeatureNames* self, const nb::list& names) {
            new (self) FeatureNames();
            std::vector<nb::object> made;
            std::vector<std::string_view> texts;
            for (nb::handle name : names) {
              if (!PyUnicode_Check(name.ptr())) throw nb::type_error("names are texts");
              texts.push_back(bytes_of(name.ptr(), made));
            }
            std::vector<int32_t> numbers(texts.size());
            self->add(texts, numbers.data());
          },
          nb::arg("names"), nb::sig("def __init__(self, names: list[str]) -> None"))
      .def("__len__", &FeatureNames::size)
      .def(
          "names",
          [](const FeatureNames& names) {
            nb::list found;
            for (size_t number = 0; number < names.size(); ++number) found.append(text_of(names.name(number)));
            return found;
          },
          nb::sig("def names(self) -> list[str]"))
      .def(
          "read",
          [](FeatureNames& names, const nb::list& sequences, nb::callable pairs) { return Reader(names, false, pairs).read(sequences); },
          nb::arg("sequences"), nb::arg("pairs"), nb::sig(read.c_str()),
          "Where sequences and tokens begin, numbers of features (-1: not known), and values, which are empty where all are one.")
      .def(
          "learn",
          [](FeatureNames& names, const nb::list& sequences, nb::callable pairs) { return Reader(names, true, pairs).read(sequences); },
          nb::arg("sequences"), nb::arg("pairs"), nb::sig(learn.c_str()), "The same; names that are not known get the next numbers.");
}
