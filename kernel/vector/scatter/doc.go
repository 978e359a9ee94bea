// SPDX-License-Identifier: Apache-2.0

// Package scatter makes vector programs that fold updates into a tensor. Rows of updates are folded by vectors. Updates
// with an index each are folded one after the other, so that updates of the same element keep their order. Package
// portable finds the runs of updates.
package scatter
