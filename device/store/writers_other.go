//go:build !unix

package store

import "io/fs"

// writers returns nothing: these systems do not say who can write in a folder's permissions.
func writers(string, fs.FileInfo) string { return "" }
