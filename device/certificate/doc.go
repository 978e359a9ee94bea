// SPDX-License-Identifier: Apache-2.0

// Package certificate says which bits a program computes, kernel by kernel, so that another machine can check that it
// computes the same ones. Programs are compiled with [device.Config.WithReproducible]. A digest is of the elements
// that a kernel writes, in the order of its loops, and of no others.
package certificate
