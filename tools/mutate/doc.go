// SPDX-License-Identifier: Apache-2.0

// Command mutate shows what tests do not see: it changes one place of the code at a time and
// reports the changes that no test notices.
//
//	go run ./tools/mutate [flags] PACKAGE...
//
//	go run ./tools/mutate -n 30 -seed 7 ./ops
//	go run ./tools/mutate -n 25 -tests ./mlir/...,./device/compiler ./translate/passes
//
// A place is an operator, a comparison, a number, a condition, a sign, a bool or a statement of a file that is neither
// a test nor generated. Files stay as they are: the changed one reaches the compiler by the flag -overlay. A change
// counts as noticed if it compiles and the tests of a package in -tests (by default one of the list) fail or run longer
// than -timeout; only tests that depend on the changed package run. Changes that do not compile are replaced by others.
// Places are drawn at random from -seed, so that a run can be repeated.
//
// All changes inside of functions are compiled at once: a function has its body as it is, and
// calls a changed one if the environment says so. Each test runs once without a change, to learn
// which of these functions it calls; a change is then tried with the tests that call its function,
// -parallel at once.
//
// The exit status is 0 if at least the share -want of the changes was noticed, else 1. With
// -json each change is a line: {"file", "line", "before", "after", "noticed", "by"}.
package main
