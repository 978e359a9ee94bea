// SPDX-License-Identifier: Apache-2.0

// Command pains runs one small program for each trouble that lazy tensors are known
// for, and prints what acap says or does about it:
//
//	go run ./examples/pains            # all of them
//	go run ./examples/pains storm sync # some
//
// docs/lazy.md tells of each, with its program and what it prints.
package main
