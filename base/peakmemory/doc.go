// SPDX-License-Identifier: Apache-2.0

// Package peakmemory tells the most memory that this process has had.
package peakmemory
