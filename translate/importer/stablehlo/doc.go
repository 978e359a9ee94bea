// SPDX-License-Identifier: Apache-2.0

// Package stablehlo lowers modules of the stablehlo and chlo dialects to the forms that the
// compiler takes: linalg on tensors, arith, math, scf, the acap dialect, and aten calls for
// special functions and decompositions.
//
// Elements become signless, as linalg is; an operation knows from its StableHLO types whether
// they are unsigned. Half types compute in f32 and round once at each operation, sums of them once at
// the end. Division by zero, shifts by more than the width and conversions of floats outside an integer's
// range give what XLA gives on a CPU: all ones or the dividend, zero or the sign, the nearest bound
// (NaN gives 0).
//
// Package expand says complex and quantized tensors, tuples, tokens and programs that run side by side in
// other operations of StableHLO first. Integers of 2 and 4 bits compute as i8, floats of 8 bits and less as f32 with
// a rounding after each operation; at a function's boundary these tensors have the wider type.
//
// Whatever is not supported is refused with the operation, its position and the reason.
package stablehlo
