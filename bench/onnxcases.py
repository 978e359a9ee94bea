"""Runs one case with ONNX Runtime: CASE THREADS. Prints one JSON line.

The model is made with the package onnx. The runtime is Python's package
onnxruntime or, without it, Node's package onnxruntime-node (see NODE_PATH), whose
calls take some microseconds more and copy their results.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy
from onnx import TensorProto, helper, numpy_helper

try:
    import onnxruntime
except ImportError:
    onnxruntime = None
    probe = ["node", "-e", "require('onnxruntime-node')"]
    if subprocess.run(probe, stderr=subprocess.DEVNULL).returncode:
        sys.exit("ONNX Runtime is neither in Python nor in Node")

random = numpy.random.default_rng(0)


class Graph:
    """A graph under construction."""

    def __init__(self):
        self.nodes, self.inputs, self.weights, self.names = [], [], [], 0

    def name(self):
        self.names += 1
        return f"t{self.names}"

    def input(self, *shape):
        self.inputs.append((self.name(), shape))
        return self.inputs[-1][0]

    def constant(self, value):
        self.weights.append(numpy_helper.from_array(numpy.ascontiguousarray(value), self.name()))
        return self.weights[-1].name

    def weight(self, *shape):
        fan_in = math.prod(shape[1:]) if len(shape) == 4 else shape[0]
        return self.constant((random.standard_normal(shape) / math.sqrt(fan_in)).astype("float32"))

    def op(self, kind, *inputs, results=1, domain="", **attributes):
        names = [self.name() for _ in range(results)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names[0] if results == 1 else names

    def model(self, result):
        values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, list(s)) for n, s in self.inputs]
        graph = helper.make_graph(self.nodes, "case", values,
                                  [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)], self.weights)
        sets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString()

    # Layers.

    def gemm(self, x, n, m):
        return self.op("Gemm", x, self.weight(n, m), self.weight(m))

    def linear(self, x, n, m):
        return self.op("Add", self.op("MatMul", x, self.weight(n, m)), self.weight(m))

    def relu(self, x):
        return self.op("Relu", x)

    def conv(self, x, n, m, size, stride=1, padding=0, groups=1, bias=True):
        weights = [self.weight(m, n // groups, size, size)] + ([self.weight(m)] if bias else [])
        return self.op("Conv", x, *weights, kernel_shape=[size] * 2, strides=[stride] * 2,
                       pads=[padding] * 4, group=groups)

    def pool(self, x, size=2, stride=2, padding=0):
        return self.op("MaxPool", x, kernel_shape=[size] * 2, strides=[stride] * 2, pads=[padding] * 4)

    def full(self, value, n):
        return self.constant(numpy.full(n, value, "float32"))

    def conv_norm(self, x, n, m, size, stride, padding):
        x = self.conv(x, n, m, size, stride, padding, bias=False)
        return self.op("BatchNormalization", x, *(self.full(v, m) for v in (1, 0, 0, 1)))

    def layer_norm(self, x, n=768):
        return self.op("LayerNormalization", x, self.full(1, n), self.full(0, n), axis=-1)


def mlp(g):
    x = g.relu(g.gemm(g.input(64, 784), 784, 512))
    return g.gemm(g.relu(g.gemm(x, 512, 512)), 512, 10)


def lenet(g):
    x = g.pool(g.relu(g.conv(g.input(64, 1, 28, 28), 1, 6, 5, padding=2)))
    x = g.op("Flatten", g.pool(g.relu(g.conv(x, 6, 16, 5))))
    return g.gemm(g.relu(g.gemm(g.relu(g.gemm(x, 400, 120)), 120, 84)), 84, 10)


def resnet18(g):
    x = g.pool(g.relu(g.conv_norm(g.input(1, 3, 224, 224), 3, 64, 7, 2, 3)), 3, 2, 1)
    n = 64
    for m, first in (64, 1), (128, 2), (256, 2), (512, 2):
        for stride in first, 1:
            y = g.conv_norm(g.relu(g.conv_norm(x, n, m, 3, stride, 1)), m, m, 3, 1, 1)
            if stride != 1 or n != m:
                x = g.conv_norm(x, n, m, 1, stride, 0)
            x, n = g.relu(g.op("Add", y, x)), m
    return g.gemm(g.op("Flatten", g.op("GlobalAveragePool", x)), 512, 1000)


TOKENS, WIDTH, HEADS = 128, 768, 12


def attention(g, x, causal, fused):
    if fused:  # the operator that the runtime's own optimizer makes of the rest
        y = g.op("Attention", x, g.weight(WIDTH, 3 * WIDTH), g.weight(3 * WIDTH), domain="com.microsoft",
                 num_heads=HEADS, unidirectional=int(causal))
        return g.linear(y, WIDTH, WIDTH)
    extents = g.constant(numpy.array([1, TOKENS, HEADS, WIDTH // HEADS]))
    q, k, v = (g.op("Reshape", p, extents) for p in g.op(
        "Split", g.linear(x, WIDTH, 3 * WIDTH), g.constant(numpy.array([WIDTH] * 3)), results=3, axis=2))
    q, v = (g.op("Transpose", p, perm=[0, 2, 1, 3]) for p in (q, v))
    scores = g.op("MatMul", q, g.op("Transpose", k, perm=[0, 2, 3, 1]))
    scores = g.op("Mul", scores, g.constant(numpy.float32(1 / math.sqrt(WIDTH // HEADS))))
    if causal:
        scores = g.op("Add", scores, g.constant(numpy.triu(numpy.full((TOKENS, TOKENS), -1e9, "float32"), 1)))
    y = g.op("Transpose", g.op("MatMul", g.op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
    return g.linear(g.op("Reshape", y, g.constant(numpy.array([1, TOKENS, WIDTH]))), WIDTH, WIDTH)


def block(g, x, causal, fused):
    """GPT-2's layer (pre-norm, causal, tanh GELU) or BERT's."""
    if causal:
        x = g.op("Add", x, attention(g, g.layer_norm(x), True, fused))
        h = g.op("Gelu", g.linear(g.layer_norm(x), WIDTH, 4 * WIDTH), approximate="tanh")
        return g.op("Add", x, g.linear(h, 4 * WIDTH, WIDTH))
    x = g.layer_norm(g.op("Add", x, attention(g, x, False, fused)))
    h = g.op("Gelu", g.linear(x, WIDTH, 4 * WIDTH))
    return g.layer_norm(g.op("Add", x, g.linear(h, 4 * WIDTH, WIDTH)))


def transformer(g, layers, causal, fused):
    x = g.input(1, TOKENS, WIDTH)
    for _ in range(layers):
        x = block(g, x, causal, fused)
    return x


def product(g, name):
    """Returns the product of a case, or None if the case is none."""
    name, dynamic, _ = name.partition("_dyn")
    extents = [1, 4096, 4096] if name == "gemv_4096" else None
    if match := re.fullmatch(r"b?mm_(\d+(?:x\d+)*)", name):
        extents = [int(e) for e in match[1].split("x")]
        if len(extents) == 1:
            extents, dynamic = extents * 3, True
    if not extents:
        return None
    *batch, m, k, n = extents
    x = g.input(*batch, m, k)
    return g.op("MatMul", x, g.input(*batch, k, n) if dynamic or batch else g.weight(k, n))


def pointwise(g, kind, n):
    if kind == "add":
        return g.op("Add", g.input(n), g.input(n))
    if kind == "gelu":
        return g.op("Gelu", g.op("Add", g.op("Mul", g.input(n), g.input(n)), g.input(n)))
    x = g.input(n)
    y = g.op("Mul", g.op("Sigmoid", x), g.op("Tanh", x))
    return g.op("Add", y, g.op("Exp", g.op("Neg", g.op("Mul", x, x))))


def chain100(g):
    x, y = g.input(4), g.input(4)
    for _ in range(50):
        x = g.op("Tanh", g.op("Add", x, y))
    return x


def recurrent(g, name):
    """Returns the output of the layers of a case, or None if the case is none."""
    match = re.fullmatch(r"(gru|lstm)_(\d+)_(\d+)(?:_(\d+))?", name)
    if not match:
        return None
    width, steps, layers = (int(v) for v in match.groups("1")[1:])
    kind, gates, options = ("GRU", 3, {"linear_before_reset": 1}) if match[1] == "gru" else ("LSTM", 4, {})
    x = g.op("Transpose", g.input(1, steps, width), perm=[1, 0, 2])
    for _ in range(layers):
        weights = [g.constant(random.standard_normal((1, gates * width, width)).astype("float32") / math.sqrt(width))
                   for _ in range(2)] + [g.constant(numpy.zeros((1, 2 * gates * width), "float32"))]
        x = g.op("Squeeze", g.op(kind, x, *weights, hidden_size=width, **options), g.constant(numpy.array([1])))
    return g.op("Transpose", x, perm=[1, 0, 2])


CASES = {
    "sum_4096x768": lambda g: g.op("ReduceSum", g.input(4096, 768), g.constant(numpy.array([1])), keepdims=0),
    "softmax_1024": lambda g: g.op("Softmax", g.input(1024, 1024), axis=-1),
    "layernorm_4096x768": lambda g: g.layer_norm(g.input(4096, 768)),
    "conv_3x3": lambda g: g.conv(g.input(1, 64, 56, 56), 64, 64, 3, 1, 1),
    "conv_7x7s2": lambda g: g.conv(g.input(1, 3, 224, 224), 3, 64, 7, 2, 3),
    "conv_dw": lambda g: g.conv(g.input(1, 96, 56, 56), 96, 96, 3, 1, 1, 96),
    "mlp": mlp, "lenet": lenet, "resnet18": resnet18,
    "gpt2_block": lambda g: transformer(g, 1, True, fused),
    "gpt2_12": lambda g: transformer(g, 12, True, fused),
    "bert_layer": lambda g: transformer(g, 1, False, fused),
    "ovh_add4": lambda g: g.op("Add", g.input(4), g.input(4)),
    "ovh_chain100": chain100,
}
TRANSFORMERS = {"gpt2_block", "gpt2_12", "bert_layer"}


def build(g, name):
    """Returns the result of a case, or None if ONNX Runtime does not have it."""
    kind, _, count = name.partition("_")
    if kind in ("add", "gelu", "sig") and count in ("1e3", "1e6", "1e7"):
        return pointwise(g, kind, int(float(count)))
    return CASES[name](g) if name in CASES else recurrent(g, name) or product(g, name)


def in_python(g, model, result, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, shape in g.inputs:
        binding.bind_cpu_input(name, random.standard_normal(shape).astype("float32"))
    binding.bind_output(result)
    session.run_with_iobinding(binding)
    report("onnxruntime", lambda: session.run_with_iobinding(binding), threads)


NODE = r"""
const ort = require('onnxruntime-node')
const [path, name, threads, inputs, result] = JSON.parse(process.argv[1])
const now = () => Number(process.hrtime.bigint()) * 1e-9
const tensor = s => {
  const n = s.reduce((a, b) => a * b, 1)
  return new ort.Tensor('float32', Float32Array.from({length: n}, () => 3.4 * (Math.random() - .5)), s)
}
const main = async () => {
  const session = await ort.InferenceSession.create(path,
    {intraOpNumThreads: threads, interOpNumThreads: 1, graphOptimizationLevel: 'all'})
  const feeds = Object.fromEntries(inputs.map(([n, s]) => [n, tensor(s)]))
  const fetches = await session.run(feeds)
  const budget = parseFloat(process.env.PB_BUDGET || '0.5')
  let start = now(), once = 1e-9
  for (let n = 0; n < 3 || now() - start < budget / 4; n++) {
    const t = now()
    await session.run(feeds, fetches)
    once = now() - t
  }
  const calls = Math.floor(2e-4 / once) + 1, samples = []
  for (start = now(); samples.length < 400 && (samples.length < 5 || now() - start < budget);) {
    const t = now()
    for (let i = 0; i < calls; i++) await session.run(feeds, fetches)
    samples.push((now() - t) / calls)
  }
  samples.sort((a, b) => a - b)
  console.log(JSON.stringify({peer: 'onnxruntime', case: name, threads,
    median_ms: samples[samples.length >> 1] * 1e3, min_ms: samples[0] * 1e3}))
}
main()
"""


def in_node(g, model, result, threads, name):
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(model)
        file.flush()
        arguments = json.dumps([file.name, name, threads, g.inputs, result])
        sys.exit(subprocess.run(["node", "-e", NODE, arguments]).returncode)


if len(sys.argv) < 3:
    sys.exit()  # ONNX Runtime is here
case, threads = arguments()
graph, plain = Graph(), case.removesuffix("_fused")
fused = plain != case
output = None if fused and plain not in TRANSFORMERS else build(graph, plain)
if output is None:
    sys.exit("no case " + case)
if onnxruntime:
    in_python(graph, graph.model(output), output, threads)
else:
    in_node(graph, graph.model(output), output, threads, case)
