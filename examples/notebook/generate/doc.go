// SPDX-License-Identifier: Apache-2.0

// Command generate writes zbind.go: what the packages of the library export, as tables for the
// interpreter. Generic functions and types are left out, which it cannot call.
package main
