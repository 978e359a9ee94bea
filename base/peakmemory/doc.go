// SPDX-License-Identifier: Apache-2.0

// Package peakmemory tells the most memory that this process has had, and the memory of files that it has.
package peakmemory
