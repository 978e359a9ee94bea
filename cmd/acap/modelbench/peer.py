"""Runs a model file with ONNX Runtime, PyTorch or inductor: PEER MODEL THREADS FOLDER.

Inputs are input_N.npy of the folder, results become output_N.npy there. The first line that is printed is a JSON object
of the runtime's version, of the seconds that reading the model and the first run took, and of whether inductor compiles
for single numbers because it finds no vector instructions, or of an error. For each line of input,
a number of seconds, a line follows: the median and the least time of a run in about so many seconds.
"""
import glob
import json
import os
import sys
import time

import numpy


def measure(step, budget):
    """Returns the times of step in order, in seconds, for about a budget of seconds behind a quarter of it to warm up."""
    times, start, warm = [], time.perf_counter(), True
    while len(times) < 3 or time.perf_counter() - start < budget:
        before = time.perf_counter()
        step()
        after = time.perf_counter()
        if not warm:
            times.append(after - before)
        elif after - start >= budget / 4:
            start, warm = after, False
    return sorted(times)


def onnx(model, threads, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for value, x in zip(session.get_inputs(), inputs, strict=True):
        binding.bind_cpu_input(value.name, x)
    for value in session.get_outputs():
        binding.bind_output(value.name)
    return lambda: session.run_with_iobinding(binding), binding.copy_outputs_to_cpu


def pytorch(model, threads, inputs, compiles):
    torch.set_num_threads(threads)
    inputs = [torch.from_numpy(x) for x in inputs]
    module = torch.export.load(model).module() if model.endswith(".pt2") else torch.jit.load(model).eval()
    module = torch.compile(module) if compiles else module
    results = []

    def step():
        with torch.inference_mode():
            results[:] = [module(*inputs)]

    def flat(value):
        if isinstance(value, (list, tuple)):
            return [y for x in value for y in flat(x)]
        if isinstance(value, dict):
            return [y for x in value.values() for y in flat(x)]
        if not isinstance(value, torch.Tensor):
            return [numpy.array(value)]
        return [(value.float() if value.dtype == torch.bfloat16 else value).numpy()]

    return step, lambda: flat(results)


def main(peer, model, threads, folder):
    names = sorted(glob.glob(os.path.join(folder, "input_*.npy")), key=lambda n: int(n.split("_")[-1][:-4]))
    inputs = [numpy.load(n) for n in names]
    start = time.perf_counter()
    if peer == "onnxruntime":
        step, results = onnx(model, threads, inputs)
    else:
        step, results = pytorch(model, threads, inputs, peer == "inductor")
    read = time.perf_counter()
    step()
    ran = time.perf_counter()
    for n, value in enumerate(results()):
        numpy.save(os.path.join(folder, f"output_{n}.npy"), value)
    print(json.dumps({"version": version, "read": read - start, "first": ran - read,
                      "scalar": peer == "inductor" and not pick_vec_isa()}), flush=True)
    for line in sys.stdin:
        times = measure(step, float(line))
        print(json.dumps({"median": times[len(times) // 2], "least": times[0]}), flush=True)


peer = sys.argv[1]
if peer == "onnxruntime":
    import onnxruntime
    version = onnxruntime.__version__
else:
    import torch
    import torch._inductor.config
    from torch._inductor.cpu_vec_isa import pick_vec_isa
    torch._inductor.config.freezing = True  # weights are constants
    version = torch.__version__
if len(sys.argv) > 2:
    try:
        main(peer, sys.argv[2], int(sys.argv[3]), sys.argv[4])
    except Exception as e:
        print(json.dumps({"error": (str(e).strip() or type(e).__name__).splitlines()[-1]}), flush=True)
