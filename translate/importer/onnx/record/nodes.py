"""Writes testdata/nodes.tar.gz: ONNX's own models of single nodes with inputs and results.

    python3 translate/importer/onnx/record/nodes.py translate/importer/onnx/testdata/nodes.tar.gz

It takes them from the package onnx (Debian's python3-onnx 1.12, operators up to version 17).
"""

import gzip
import io
import sys
import tarfile
import warnings

import numpy as np

# The models of this version ask numpy for names that it no longer has.
np.float, np.int, np.bool, np.object = float, int, bool, object
warnings.simplefilter("ignore")
np.random.seed(7)

from onnx import numpy_helper  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

LARGEST = 100_000  # bytes of a model with its values

LEFT_OUT = {
    "adam_multiple": "its results are of another epsilon than the node's",
    "castlike_BFLOAT16_to_FLOAT": "the values are of another shape than the model's",
    "castlike_FLOAT_to_BFLOAT16": "the values are of another shape than the model's",
}


def left_out(name):
    name = name.removeprefix("test_").removesuffix("_expanded")
    return name in LEFT_OUT or "STRING" in name or "strnorm" in name  # texts are no elements of tensors


def encode(value, info):
    """The bytes of a file such as input_0.pb, or None for what has none."""
    if info.type.HasField("optional_type"):
        return numpy_helper.from_optional(value).SerializeToString()
    if hasattr(value, "SerializeToString"):
        return value.SerializeToString()
    if isinstance(value, list):
        return numpy_helper.from_list(value).SerializeToString()
    if isinstance(value, (np.ndarray, np.generic)):
        return numpy_helper.from_array(np.asarray(value)).SerializeToString()
    return None


def files(case):
    yield "model.onnx", case.model.SerializeToString()
    for i, (inputs, outputs) in enumerate(case.data_sets):
        graph = case.model.graph
        for kind, values, infos in ("input", inputs, graph.input), ("output", outputs, graph.output):
            for k, value in enumerate(values):
                yield f"{i}/{kind}_{k}.pb", encode(value, infos[k])


def main(path):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for case in sorted(collect_testcases(None), key=lambda c: c.name):
            members = list(files(case))
            if left_out(case.name) or any(data is None for _, data in members) or sum(len(d) for _, d in members) > LARGEST:
                print("left out:", case.name)
                continue
            for name, data in members:
                info = tarfile.TarInfo(f"{case.name}/{name}")
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    with open(path, "wb") as out, gzip.GzipFile("", "wb", 9, out, 0) as z:
        z.write(raw.getvalue())


main(sys.argv[1])
