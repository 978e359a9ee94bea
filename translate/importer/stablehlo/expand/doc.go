// SPDX-License-Identifier: Apache-2.0

// Package expand rewrites a StableHLO module with fewer of StableHLO's operations and types, so that code which lowers
// or writes StableHLO need not know the others:
//
//   - programs that run side by side (interpreter.run_parallel), with their collectives, channels and
//     feeds, become one program that computes what each of them does;
//   - chlo.scan becomes a loop, chlo.ragged_dot products under masks, rng_bit_generator the arithmetic of its
//     algorithm;
//   - complex tensors become their two parts, quantized ones the integers that store them, tuples what
//     they hold, and tokens nothing.
//
// Arguments and results of functions stay complex: they are parted with stablehlo.real and imag, and
// joined with stablehlo.complex, which with stablehlo.fft are all that is left of complex types.
package expand
