// SPDX-License-Identifier: Apache-2.0

// Command generate writes what follows from the operators of package ops: tensor/zmethods.go, a method for every ATen
// operator whose first argument is a tensor and a function for those that take a list of tensors first;
// tensor/zoptions.go, their options; tensor/zdoc.go, docs/ops.md and ops/README.md, their documentation, with the words
// of manual.txt.
//
//	go generate ./tensor
package main
