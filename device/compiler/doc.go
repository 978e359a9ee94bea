// SPDX-License-Identifier: Apache-2.0

// Package compiler turns a module into an executable: it decomposes what has an
// expansion, partitions the rest into groups and host operations, lowers the
// groups to linalg, has device/engine compile them, and runs the result.
//
// A module may arrive in the aten form or with functions that are in the linalg
// form already; both go the same way.
package compiler
