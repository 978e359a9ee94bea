// SPDX-License-Identifier: Apache-2.0

// Package expand says a StableHLO module in fewer operations and types, all of StableHLO again, so that
// what lowers or writes StableHLO need not know them:
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
