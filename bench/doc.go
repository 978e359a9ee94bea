// SPDX-License-Identifier: Apache-2.0

// Command bench measures the engine: the cases of a published comparison with
// the best CPU runtimes, under the names used there.
//
//	go run ./bench                          all cases, one thread
//	go run ./bench -case 'mm_|conv' -threads 1,2 -json
//	go run ./bench one mm_512 1             one JSON line
//	go run ./bench factors -case lenet      how much longer each level of kernels takes than the highest
//	go run ./bench factors -reproducible    what the same bits everywhere cost
//	go run ./bench digests                  digests of kernels and machine code
//	go run ./bench generators               what it costs to compile a kernel, by generator of code
//	go run ./bench -peers -plot ratios.svg  beside other runtimes, with a plot
//
// # Figures
//
// A time is the median of samples, and of rounds if there are several. As in the
// sessions of other runtimes a compiled program runs again and again into the same
// results; names that end in _build or _train include recording and the search for
// the program. A share compares with the multiply-add peak, measured right before and
// after, or with the bandwidth of copies of as many bytes, measured in the same run;
// these are medians, too. Allocations are those on the heap in one run.
//
// # Peers
//
// With -peers, gonum, PyTorch and ONNX Runtime run between our cases as far as they
// are installed: PyTorch is a package of Python; ONNX Runtime is one of Python or of
// Node (onnxruntime-node, on NODE_PATH), and needs the Python package onnx. A ratio
// is the best peer's time over ours. ACAP_PYTHON names an interpreter; ACAP_PEERS
// adds programs, as NAME=COMMAND;NAME=COMMAND, that take a case and a number of
// threads and print a JSON line. Where ACAP_KERNELS or ACAP_PROCESSOR keeps our kernels
// to AVX2, settings keep PyTorch, oneDNN, MKL and OpenBLAS to AVX2 as well, and oneDNN to the
// products of bytes and of bfloat16 that our kernels have (-vnni, -bf16, -amx). ONNX Runtime
// has no such setting and uses what the processor has.
//
// # Long and cold
//
// Cases trace_* are long traces without a barrier, per call: recorded, compiled and run, and trace_cached_* with their
// programs compiled. Cases cold_* start a model in a process of its own; those that end in _stored find what an earlier
// process left in the cache on disk (ACAP_CACHE); those that end in _pt and _acap start from a file that PyTorch wrote
// and from the artifact made of it, with the memory by which the process grew. Cases compile_* compile without a run,
// on as many goroutines as ACAP_COMPILE_PARALLELISM says.
//
// PB_BUDGET sets the seconds of sampling per case. PB_CLOCK=processor counts the time of processors that a process has
// used, of all its threads, instead of the time of a clock, which other programs on the machine lengthen.
package main
