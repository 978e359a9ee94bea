// SPDX-License-Identifier: Apache-2.0

// Package mutants holds the test that alters one value after another of files of every format that acap reads, keeps their
// containers and checksums right, and uses them: whatever a file says, that ends with results or an error, soon, and with
// bounded memory. See package hostile for the ways to alter a file.
package mutants
