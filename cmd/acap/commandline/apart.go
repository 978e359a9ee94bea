package commandline

import (
	"os"
)

// CheckApart refuses a file to write, named by a flag, that is one of those to read.
func CheckApart(flag, out string, read ...string) error {
	written, err := os.Stat(out)
	if err != nil {
		return nil // a file to come
	}
	for _, path := range read {
		if info, err := os.Stat(path); err == nil && os.SameFile(info, written) {
			return Errorf("%s %s is the file that is read, and would be replaced", flag, out)
		}
	}
	return nil
}
