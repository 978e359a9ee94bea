// SPDX-License-Identifier: Apache-2.0

// Package torchscript reads PyTorch's .pt and .pt2 files and turns a model's forward into ATen calls.
//
// A .pt file that torch.jit.save wrote is a zip archive:
//
//	NAME/data.pkl            the model's objects, a pickle that refers to data/N
//	NAME/constants.pkl       the tensors CONSTANTS.c0, c1, ... of the code, with constants/N
//	NAME/data/N              the elements of tensors, raw
//	NAME/code/**/*.py        TorchScript, a small typed subset of Python
//	NAME/code/**/*.debug_pkl where in the original Python each line comes from (optional)
//	NAME/byteorder           little or big (optional, little)
//
// [Load] reads and checks a file. Pickles are read as data by package pickle, code is parsed by
// package script; nothing of a file is executed by anything but this package's evaluator.
// A file of torch.save that holds tensors only (a state_dict) loads, too: it has
// [Model.Parameters] and no forward.
//
// # Quantized models
//
// What post-training quantization leaves in a file is read, too: quantized tensors, with a scale for all or for each
// channel, packed parameters, and the operators quantized::linear, conv1d to conv3d, add, mul, cat and their like.
// Products of u8 or i8 with i8 are sums of integers (_int_mm, _int_convolution), exactly; scales are applied in f32,
// and results are rounded to the nearest step, ties to even. Biases are added as f32, as the engines of x86 do; where
// all weights have one scale for all channels, QNNPACK's default, they are rounded to a step of the sums first. Other
// engines round in ways of their own, from which a result of one operator is at most one step away. Other operators
// compute with the numbers and round to the quantum of their operand. Dynamic quantization takes 256 steps, whatever
// reduce_range says.
//
// # Programs of torch.export
//
// A .pt2 file holds a graph of calls instead of code (models/model.json, or serialized_exported_program.json in
// files of releases before 2.8). [Model.Forward] runs its nodes on the same evaluator: sizes are numbers, calls
// mean the overload that they name. [Model.InputTypes] says what the program was exported for.
//
// # Forward
//
// [Model.Forward] runs the code of forward with the given tensors as inputs. Numbers, strings,
// lists, dicts and objects are computed, calls, loops and branches are executed, and what is left,
// a straight sequence of operators on tensors, goes to an [importer.Builder]. Shapes are static, so
// that x.size(0) is a number, and so is what a traced model computes from it in tensors without
// dimensions. int(x), or a branch on a tensor, needs its elements: [Model.Specialize] and builders that
// are an [importer.Reader] have them computed, and what follows then holds for these elements. Without
// them it is an error.
//
// Calls such as torch.add(x, 2) are resolved to an overload by [ops.Resolve]: the operator set
// alone decides what a model may use. Operators that are others under a different name, or that
// do nothing outside of training, are replaced if the set does not have them. In-place operators
// and views alias as in PyTorch, by [ops.Ref].
//
// [Model.Import] writes forward as a module of the aten dialect, with parameters as constants
// under their names.
//
// # Files
//
//   - The file: archive.go, storage.go, objects.go, library.go (its code), model.go, debug.go (lines of the Python),
//     error.go.
//   - Forward: evaluator.go with statement.go, expression.go, subscript.go, conversion.go and number.go; value.go and
//     tensor.go are what it computes with. import.go writes a module.
//   - Calls: operator.go resolves them, operators.go has those of the language and builtins.go with builtin_*.go its
//     functions. into.go writes results where out= says. spelling.go and substitute.go say operators by others, as
//     istft.go and window.go do; packed_*.go has packed sequences.
//   - What PyTorch has beside values: wrapped.go has the numbers that tracing wrapped, memory.go how elements lie in memory,
//     mathbits.go tensors that are conjugated without a copy, autocast.go the types of autocast.
//   - Quantized models: quantized.go and quantized_*.go. Programs of torch.export: exported.go and exported_*.go.
//
// # Errors
//
// Files are not trusted. Sizes are checked before memory is allocated, and what a program may do
// is bounded: statements, nesting, lengths. Errors are one line with the file and a position: the
// member and byte offset in pickles and storages, file:line:col in code, as an [*Error] that wraps
// the typed errors of package ops.
package torchscript
