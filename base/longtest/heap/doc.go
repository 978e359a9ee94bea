// SPDX-License-Identifier: Apache-2.0

// Package heap makes Go's collector run less often in tests. The package imports as little as possible: Go initializes
// packages whose imports are ready in the order of their paths, so this one comes before the tables that others make.
package heap
