// SPDX-License-Identifier: Apache-2.0

// Package acap2019 turns the aten dialect into the one that PyTorch/ACAP printed in 2019, and back: [To] is the
// pass aten-to-acap-2019, [From] the pass acap-2019-to-aten.
//
// The dialect of 2019 has operators without overload names, and every argument that is no tensor is the result of
// an aten.constant right before its use, in the order of the schema. Two attributes say what that leaves open,
// where it matters: "overload" names the overload if the arguments fit another one better, and "segments" gives the
// number of tensors of each argument that is a list, and -1 for others.
package acap2019
