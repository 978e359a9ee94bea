// SPDX-License-Identifier: Apache-2.0

// Package reference evaluates functions in the linalg form one element at a time,
// exactly as the operations are defined: no fusion, no reordering, no vectors. It
// is the oracle of tests, and runs the few operations that no kernel computes.
//
// Floats are computed in float64 and rounded to their type after every operation;
// integers wrap to their width.
package reference
