//go:build !unix

package atomicfile

import "io/fs"

// foreign reports false: these systems do not say whose a file is in its permissions.
func foreign(fs.FileInfo) bool { return false }
