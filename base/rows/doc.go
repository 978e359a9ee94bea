// SPDX-License-Identifier: Apache-2.0

// Package rows reads the rows of matrices in files one by one, as an embedding looks them up.
package rows
