// SPDX-License-Identifier: Apache-2.0

// Package mapping says how a kernel is laid over an array: which cores take
// part, how the iteration space is cut into tiles, what is staged where.
//
// A [Mapping] is a small comparable value. It makes no promise that it fits;
// package mapper enumerates those that do, package timing says how long one
// takes, and package program is built from it.
package mapping
