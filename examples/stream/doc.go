// SPDX-License-Identifier: Apache-2.0

// Command stream prints what a language model says, as it is generated.
//
//	go run ./examples/stream model.gguf
package main
