// SPDX-License-Identifier: Apache-2.0
// Reads users' features, which are Python objects, into numbered sparse rows: accord._core.tasks.FeatureNames.
//
// A token is a list of texts, or a dictionary from texts to texts, numbers, truth values and lists of texts; such tokens are read here.
// All others go to a function of Python, which gives (name, value) pairs and has the last word on what is refused.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory_resource>

#include "bindings/module.hpp"
#include "core/tasks/sequence/feature_names.hpp"
#include "core/vectorise.hpp"

namespace feature_names_binding {

using namespace accord::tasks;

using Arrays = std::tuple<IndicesOut, IndicesOut, IntegersOut, DoublesOut>;

// Bytes that are kept until they are looked up, with the lead that names have.
class Kept {
 public:
  std::string_view keep(std::string_view text) {
    char* data = reserve(text.size());
    std::ranges::copy(text, data);
    return {data, text.size()};
  }
  char* reserve(size_t size) {
    char* data = static_cast<char*>(memory_.allocate(FeatureNames::lead + size, 1));
    std::memset(data, 0, FeatureNames::lead);
    return data + FeatureNames::lead;
  }
  void forget() { memory_.release(); }

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

// The bytes of a text; what UTF-8 has no bytes for (lone surrogates) is written as if it had. Most texts hold their bytes behind their
// head, which is longer than the lead of a name; all other bytes are copied.
ACCORD_INLINE std::string_view bytes_of(PyObject* text, Kept& kept) {
#ifndef Py_LIMITED_API  // a short cut for most texts, which are ASCII
  static_assert(sizeof(PyASCIIObject) >= FeatureNames::lead);
  if (PyUnicode_IS_COMPACT_ASCII(text))
    return {reinterpret_cast<const char*>(reinterpret_cast<PyASCIIObject*>(text) + 1), static_cast<size_t>(PyUnicode_GET_LENGTH(text))};
#endif
  constexpr uintptr_t longest_head = 128;
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text, &size)) {
    const std::string_view bytes{data, static_cast<size_t>(size)};
    const uintptr_t behind = reinterpret_cast<uintptr_t>(data) - reinterpret_cast<uintptr_t>(text);
    return behind >= FeatureNames::lead && behind <= longest_head ? bytes : kept.keep(bytes);
  }
  PyErr_Clear();
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  return kept.keep({PyBytes_AsString(bytes.ptr()), static_cast<size_t>(PyBytes_Size(bytes.ptr()))});
}

nb::object text_of(std::string_view name) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogatepass"));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

ACCORD_INLINE bool is(PyObject* object, PyTypeObject* type) { return Py_TYPE(object) == type; }

// The items of a list while nothing else runs.
class Items {
 public:
#ifndef Py_LIMITED_API
  explicit Items(PyObject* list) : items_(reinterpret_cast<PyListObject*>(list)->ob_item), size_(PyList_GET_SIZE(list)) {}
  PyObject* operator[](size_t i) const { return items_[i]; }
#else
  explicit Items(PyObject* list) : list_(list), size_(PyList_Size(list)) {}
  PyObject* operator[](size_t i) const { return PyList_GetItem(list_, static_cast<Py_ssize_t>(i)); }
#endif
  size_t size() const { return static_cast<size_t>(size_); }

 private:
#ifndef Py_LIMITED_API
  PyObject** items_;
#else
  PyObject* list_;
#endif
  Py_ssize_t size_;
};

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
      if (s == sample) reserve(static_cast<size_t>(PyList_Size(sequences.ptr())));
    }
    flush();
    return {numpy_vector(std::move(sequences_)), numpy_vector(std::move(tokens_)), numpy_vector(std::move(features_)),
            numpy_vector(std::move(values_))};
  }

 private:
  static constexpr size_t names_together = 512;
  static constexpr Py_ssize_t sample = 32;  // sequences whose length is taken for that of the others

  void reserve(size_t sequences) {
    constexpr size_t most = size_t{1} << 24;  // what comes may be shorter
    const size_t done = sequences_.size() - 1, names = features_.size() + block_.size();
    tokens_.reserve(std::min(most, tokens_.size() / done * sequences * 9 / 8));
    features_.reserve(std::min(most, names / done * sequences * 9 / 8));
  }

  void read_sequence(PyObject* list) {
    for (size_t t = 0; t < Items(list).size(); ++t) {
      PyObject* token = Items(list)[t];  // the function of Python may have changed the list
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
      if (!is(key, &PyUnicode_Type) || !read_entry(bytes_of(key, kept_), value)) return false;
    return true;
  }

  // The texts of a list, each with a prefix where there is one.
  bool read_list(PyObject* list, std::string_view prefix) {
    const Items items(list);
    const size_t begin = block_.size();
    block_.resize(begin + items.size());
    if (!values_.empty()) values_.resize(values_.size() + items.size(), 1.0);
    FeatureNames::Hashed* to = block_.data() + begin;
    for (size_t i = 0; i < items.size(); ++i) {
      PyObject* item = items[i];
      if (!is(item, &PyUnicode_Type)) return false;
      const std::string_view name = bytes_of(item, kept_);
      to[i] = names_.hashed(prefix.data() == nullptr ? name : joined(prefix, name));
    }
    return true;
  }

  bool read_entry(std::string_view name, PyObject* value) {
    if (is(value, &PyUnicode_Type)) push(joined(name, bytes_of(value, kept_)), 1.0);
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
    for (nb::handle pair : pairs) push(bytes_of(nb::handle(pair[0]).ptr(), kept_), nb::cast<double>(pair[1]));
    flush();
  }

  std::string_view joined(std::string_view name, std::string_view value) {
    char* data = kept_.reserve(name.size() + value.size() + 1);
    std::ranges::copy(name, data);
    data[name.size()] = ':';
    std::ranges::copy(value, data + name.size() + 1);
    return {data, name.size() + value.size() + 1};
  }

  void push(std::string_view name, double value) {
    if (values_.empty() && value != 1.0) values_.assign(features_.size() + block_.size(), 1.0);
    block_.push_back(names_.hashed(name));
    if (!values_.empty() || value != 1.0) values_.push_back(value);
  }

  void flush() {
    const size_t first = features_.size();
    features_.resize(first + block_.size());
    if (adds_) names_.add(block_, features_.data() + first);
    else names_.find(block_, features_.data() + first);
    block_.clear();
    kept_.forget();
  }

  FeatureNames& names_;
  bool adds_;
  nb::callable pairs_;
  std::vector<int64_t> sequences_ = {0}, tokens_ = {0};
  std::vector<int32_t> features_;
  std::vector<double> values_;  // empty as long as all are one
  // Of the tokens since the last look into the names:
  std::vector<FeatureNames::Hashed> block_;
  Kept kept_;
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
            Kept kept;
            std::vector<FeatureNames::Hashed> texts;
            for (nb::handle name : names) {
              if (!PyUnicode_Check(name.ptr())) throw nb::type_error("names are texts");
              texts.push_back(self->hashed(bytes_of(name.ptr(), kept)));
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
