//go:build unix

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// writers says who else can write a folder, or put another one in its place; empty if no one can. A group that has the
// number of this user is taken for one of this user alone, as systems make them.
func writers(dir string, info fs.FileInfo) string {
	who := ""
	switch s, _ := info.Sys().(*syscall.Stat_t); {
	case info.Mode().Perm()&0o002 != 0:
		who = "every user can"
	case s != nil && !own(s):
		who = fmt.Sprintf("user %d, whose it is, can", s.Uid)
	case s != nil && info.Mode().Perm()&0o020 != 0 && s.Gid != uint32(os.Geteuid()):
		who = fmt.Sprintf("group %d can", s.Gid)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return who
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return who
		}
		switch s, _ := info.Sys().(*syscall.Stat_t); {
		case info.Mode().Perm()&0o011 == 0 && s != nil && own(s):
			return "" // no one else gets through
		case info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 && who == "":
			who = "every user can, by way of " + dir
		}
		if dir == filepath.Dir(dir) {
			return who
		}
	}
}

// own reports whether a file is of this user or of the system's administrator.
func own(s *syscall.Stat_t) bool { return s.Uid == 0 || s.Uid == uint32(os.Geteuid()) }
