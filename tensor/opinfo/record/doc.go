// SPDX-License-Identifier: Apache-2.0

// Command record writes what record.py records: one line of JSON for each functional
// operator, with its parameters and its samples.
//
//	go run ./tensor/opinfo/record | python3 tensor/opinfo/record/record.py DIR
//
// With -table it writes the operators of the table of expansions instead, with -complex those that the table has for
// complex tensors.
//
// See [github.com/go-acap/acap/tensor/opinfo] for what comes out.
package main
