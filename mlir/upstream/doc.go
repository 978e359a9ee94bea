// SPDX-License-Identifier: Apache-2.0

// Package upstream runs programs with LLVM's own tools: mlir-opt-19 lowers them from linalg on
// tensors to LLVM, mlir-cpu-runner-19 compiles and runs them. It is a second opinion about what
// our MLIR means, from an implementation that shares no line with ours.
//
// Starting the tools takes far longer than running a small program, so that [Run] puts many
// programs into one module. Inputs and results go through files, byte by byte, as the
// programs call read and write of the C library: results are exact.
package upstream
