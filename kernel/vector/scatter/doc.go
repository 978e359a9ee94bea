// SPDX-License-Identifier: Apache-2.0

// Package scatter makes vector programs that fold updates into a tensor: rows of updates into rows of it by vectors, and
// updates with an index each one after the other, so that those with the same index meet in their order. Where the runs
// of updates are is up to package portable.
package scatter
