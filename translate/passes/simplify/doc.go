// SPDX-License-Identifier: Apache-2.0

// Package simplify makes a module smaller or plainer without changing what the module computes: it folds constants and
// identities, merges equal operations, removes what nothing uses, replaces calls by bodies, and gives a function the
// extents of its inputs.
package simplify
