# SPDX-License-Identifier: Apache-2.0
"""What clients send, read with care: packed bytes, JSON and forms. Whatever is wrong with them is a refusal."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from accord.app.service.limits import RefusalError

_BOUNDARY = re.compile(r'boundary="?([^";,]+)"?', re.IGNORECASE)
_NAME = re.compile(rb'content-disposition:[^\r\n]*?[;\s]name="?([^";\r\n]*)"?', re.IGNORECASE)


def unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """The bytes of a body, which may be packed by gzip; no more than ``most`` of them are ever unpacked."""
    if encoding in ("", "identity"):
        return body
    if encoding != "gzip":
        raise RefusalError(415, f"Content-Encoding {encoding[:40]!r}: expected gzip or none")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(body, most + 1)
    except zlib.error:
        raise RefusalError(400, "the body is not gzip") from None
    if len(plain) > most:
        raise too_large(most)
    if not unpacker.eof:
        raise RefusalError(400, "the body is not gzip: it ends too early")
    return plain


def too_large(most: int) -> RefusalError:
    return RefusalError(413, f"a request may have {most} bytes")


def json_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body. Strings must be text that UTF-8 can write, and numbers must be finite."""
    try:
        found = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeDecodeError:
        raise RefusalError(400, "the body is not UTF-8") from None
    except UnicodeEncodeError:
        raise RefusalError(400, "a string of the body has half of a surrogate pair") from None
    except (ValueError, RecursionError) as error:
        raise RefusalError(400, f"the body is not JSON: {str(error).splitlines()[0][:200]}") from None
    if not isinstance(found, dict):
        raise RefusalError(400, "expected a JSON object")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def fields_of_form(body: bytes, content_type: str) -> dict[str, str]:
    """The fields of a form: ``application/x-www-form-urlencoded`` or ``multipart/form-data``."""
    kind = content_type.split(";", 1)[0].strip().lower()
    if kind == "multipart/form-data":
        boundary = _BOUNDARY.search(content_type)
        if boundary is None:
            raise RefusalError(400, "multipart/form-data without a boundary")
        return _parts(body, boundary[1].encode("latin-1", errors="replace"))
    if kind in ("", "application/x-www-form-urlencoded"):
        return fields_of_query(_text(body))
    raise RefusalError(415, f"Content-Type {kind[:60]!r}: expected a form")


def fields_of_query(query: str) -> dict[str, str]:
    """The fields of a query; a field without a value is an empty string."""
    try:
        return dict(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=100))
    except UnicodeDecodeError:
        raise RefusalError(400, "the query is not UTF-8") from None
    except ValueError:
        raise RefusalError(400, "the query has too many fields") from None


def _parts(body: bytes, boundary: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in re.split(rb"(?:^|\r?\n)--" + re.escape(boundary), body)[1:]:
        if part.startswith(b"--"):
            return fields
        head = re.search(rb"\r?\n\r?\n", part)
        if head is None:
            break
        name = _NAME.search(part[: head.start()])
        if name is None:
            raise RefusalError(400, "a part of the form has no name")
        fields[_text(name[1])] = _text(part[head.end() :])
    raise RefusalError(400, "the form is cut short")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusalError(400, "the form is not UTF-8") from None


def chosen(request: Mapping[str, Any], known: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """The members of a request, checked: a name that is not known or a value of another type is refused.

    ``None`` counts as not given. True and False are no numbers.
    """
    if unknown := sorted(request.keys() - known.keys()):
        raise RefusalError(400, f"request: unknown {unknown[0][:60]!r}; there are: {', '.join(sorted(known))}")
    found = {name: value for name, value in request.items() if value is not None}
    for name, value in found.items():
        kinds = known[name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            expected = " or ".join(_TYPES[kind] for kind in kinds)
            raise RefusalError(400, f"request: expected {expected} as {name!r}")
    return found


_TYPES: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
