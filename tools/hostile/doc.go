// SPDX-License-Identifier: Apache-2.0

// Package hostile calls everything that the public packages export, with arguments that nobody
// should give them: nil, zero, negative and huge numbers, other element types, tensors of other
// devices, empty and foreign files, contexts that are over, modules and structs without content.
//
// Functions are a generated list (zexported.go, written by go generate), and methods are found by
// reflection. The results of a call are arguments of later ones, so that calls build on each other: a loader of a
// dataset that was split badly, an optimiser on parameters of a module without a size.
//
// A call may give results, an error, or a typed panic that names the caller's line. [Values.Call] says
// what it did instead: another panic, more than ten seconds, or memory beyond the limit.
//
//	ACAP_HOSTILE=0:100000 go test ./tools/hostile
package hostile

//go:generate go run ./generate
