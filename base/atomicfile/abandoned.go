package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// besideName matches the names of files beside: the file's name between a point and a random number.
var besideName = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{16}$`)

// unclaimedFor is how long a file beside stays on a system that does not say whether a process has it.
const unclaimedFor = time.Hour

// RemoveAbandoned removes from a folder the files that killed processes left beside those whose names of says are
// meant. It returns how many files it removed and their bytes. A file that a process still writes stays; on a system
// without locks of files that is a file which was written within an hour.
func RemoveAbandoned(dir string, of func(name string) bool) (files int, bytes int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, 0
	}
	for _, e := range entries {
		m := besideName.FindStringSubmatch(e.Name())
		if m == nil || !of(m[1]) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // gone meanwhile
		}
		path := filepath.Join(dir, e.Name())
		held, known := claimed(path)
		if held || !known && time.Since(info.ModTime()) < unclaimedFor {
			continue
		}
		if os.Remove(path) == nil {
			files, bytes = files+1, bytes+info.Size()
		}
	}
	return files, bytes
}
