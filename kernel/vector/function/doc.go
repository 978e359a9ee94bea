// SPDX-License-Identifier: Apache-2.0

// Package function writes the functions of kernels as vector operations: exponentials, logarithms, angles, powers,
// error functions, floating remainders.
//
// All have a sequence of f64; the commonest have one of f32 as well. The others are computed in f64 and rounded once.
// Kernels with such a function of f32 have as many lanes as a vector of f64 has, see [InDouble]. The coefficients are
// minimax fits (Remez exchange in 50 digits, then rounded); the comments give the relative error of the fit alone, and
// package nest lists the largest errors of the whole sequences.
package function
