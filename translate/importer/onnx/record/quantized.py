"""Writes quantized.tar.gz: models with weights of few bits, an input each, and what ONNX Runtime gives for it.

    python3 translate/importer/onnx/record/quantized.py tensor/nn/testdata/onnx/quantized.tar.gz

ONNX Runtime was 1.23. The name of a model is the format in which its weights are to stay, or "plain", and what it has.
"""

import io
import sys
import tarfile

import numpy as np
import onnxruntime as ort
from onnx import helper as h, TensorProto as T, numpy_helper as nh

rng = np.random.default_rng(7)
archive = tarfile.open(sys.argv[1], "w:gz")


def add(name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


def npy(a):
    out = io.BytesIO()
    np.save(out, a)
    return out.getvalue()


def model(name, nodes, inits, x, n):
    t = h.np_dtype_to_tensor_dtype(x.dtype)
    g = h.make_graph(nodes, "g", [h.make_tensor_value_info("x", t, x.shape)],
                     [h.make_tensor_value_info("y", t, list(x.shape[:-1]) + [n])], inits)
    m = h.make_model(g, opset_imports=[h.make_opsetid("", 21), h.make_opsetid("com.microsoft", 1)], ir_version=10)
    o = ort.SessionOptions()
    o.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    y = ort.InferenceSession(m.SerializeToString(), o).run(None, {"x": x})[0]
    for file, data in (("model.onnx", m.SerializeToString()), ("x.npy", npy(x)), ("y.npy", npy(y))):
        add(name + "/" + file, data)


def pack(q, bits):
    per = 8 // bits
    q = np.pad(q, [(0, 0)] * (q.ndim - 1) + [(0, -q.shape[-1] % per)]).reshape(q.shape[:-1] + (-1, per))
    return sum(q[..., i].astype(np.uint8) << (i * bits) for i in range(per)).astype(np.uint8)


# MatMulNBits: the format, bits, block, K, rows, zero points, order, bias, type.
for want, bits, block, k, rows, zero, order, bias, t in [
    ("q4_g32", 4, 32, 96, 1, None, False, True, np.float32), ("q4_g128_zero", 4, 128, 256, 3, np.uint8, False, False, np.float32),
    ("q4_g32_zero", 4, 64, 100, 2, np.float32, False, True, np.float32), ("q8_g128", 8, 256, 256, 1, None, False, False, np.float32),
    ("q8_g32_zero", 8, 32, 64, 9, np.uint8, False, False, np.float32), ("plain", 4, 16, 64, 2, np.uint8, False, False, np.float32),
    ("q4_g32", 4, 32, 96, 2, None, True, False, np.float32), ("q8_g32", 8, 64, 64, 1, None, False, False, np.float16)]:
    n, blocks = 5, -(-k // block)
    inits = [nh.from_array(pack(rng.integers(0, 1 << bits, (n, blocks, block)), bits), "b"),
             nh.from_array((rng.normal(size=n * blocks) / 8).astype(t), "s")]
    inputs = ["x", "b", "s", "", "", ""]
    if zero is np.uint8:
        inits.append(nh.from_array(pack(rng.integers(0, 1 << bits, (n, blocks)), bits).reshape(-1), "z"))
    elif zero:
        inits.append(nh.from_array((rng.random(n * blocks) * 15).astype(t), "z"))
    if zero:
        inputs[3] = "z"
    if order:
        inits.append(nh.from_array(rng.permutation(np.arange(k) // block).astype(np.int32), "g"))
        inputs[4] = "g"
    if bias:
        inits.append(nh.from_array(rng.normal(size=n).astype(t), "c"))
        inputs[5] = "c"
    while not inputs[-1]:
        inputs.pop()
    node = h.make_node("MatMulNBits", inputs, ["y"], domain="com.microsoft", K=k, N=n, bits=bits, block_size=block)
    name = f"{want}/bits{bits}_block{block}_rows{rows}" + "_order" * order + (f"_{np.dtype(zero).name}" if zero else "") + "_" + np.dtype(t).name
    model(name, [node], inits, rng.normal(size=(rows, k)).astype(t), n)

# DequantizeLinear: the format, type, transposed, block (0: a scale for each column, -1: one), zero points.
for want, t, transposed, block, zero in [
    ("q4_g32", T.INT4, False, 32, False), ("q4_g32_zero", T.UINT4, True, 32, True), ("q8_g128", T.INT8, False, 0, False),
    ("q8_g128_zero", T.UINT8, True, 0, True), ("q8_g128", T.INT8, True, -1, False), ("plain", T.INT8, False, 16, False)]:
    k, n, bits, signed = 128, 6, 4 if t in (T.INT4, T.UINT4) else 8, t in (T.INT4, T.INT8)
    low = -(1 << bits - 1) if signed else 0
    dims = [n, k] if transposed else [k, n]
    along = 1 if transposed else 0
    scales, attributes = [n], {"axis": 1 - along}
    if block > 0:
        scales, attributes = [d // block if i == along else d for i, d in enumerate(dims)], {"axis": along, "block_size": block}
    elif block < 0:
        scales, attributes = [], {}

    def codes(name, dims):
        q = rng.integers(low, low + (1 << bits), dims)
        raw = q.astype(np.uint8).tobytes() if bits == 8 else pack(q.reshape(-1) & 15, 4).tobytes()
        return h.make_tensor(name, t, dims, raw, raw=True)

    inits = [codes("q", dims), nh.from_array(np.asarray(rng.normal(size=scales) / 8, np.float32), "s")]
    if zero:
        inits.append(codes("z", scales))
    nodes = [h.make_node("DequantizeLinear", ["q", "s"] + ["z"] * zero, ["w"], **attributes),
             h.make_node("Gemm", ["x", "w"], ["y"], transB=1) if transposed else h.make_node("MatMul", ["x", "w"], ["y"])]
    kind = "block" if block > 0 else "column" if block == 0 else "one"
    model(f"{want}/{T.DataType.Name(t).lower()}_{kind}" + "_transposed" * transposed, nodes, inits, rng.normal(size=(2, k)).astype(np.float32), n)
archive.close()
