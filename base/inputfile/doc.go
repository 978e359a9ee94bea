// SPDX-License-Identifier: Apache-2.0

// Package inputfile opens the files that a program is given. Only regular files are read: a program could wait for a
// pipe for ever, and a device may have no end.
package inputfile
