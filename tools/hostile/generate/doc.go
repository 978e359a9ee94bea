// SPDX-License-Identifier: Apache-2.0

// Command generate writes zexported.go: the exported functions and types of the public packages.
package main
