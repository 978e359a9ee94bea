//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign reports whether a file is another user's.
func foreign(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) != os.Geteuid()
}
