// SPDX-License-Identifier: Apache-2.0

// Package inputfile opens the files that a program is given. Only regular files are read: a pipe or a
// device would be waited for, or have no end.
package inputfile
