package peakmemory

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Bytes is the most memory of the process that was resident at once, in bytes, as Linux says it in /proc/self/status
// (VmHWM, proc_pid_status(5)). On a system without this file it is 0. A file without the number is an error.
func Bytes() (int64, error) { return status("VmHWM") }

// Files is the memory of mapped files that is resident at present, in bytes (RssFile). On a system without
// /proc/self/status it is 0. A file without the number is an error.
func Files() (int64, error) { return status("RssFile") }

func status(entry string) (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, nil // not counted here
	}
	return read(string(text), entry)
}

// read finds an entry in the text of the file.
func read(text, entry string) (int64, error) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, entry+":"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status does not say how much memory there is (%s)", entry)
}
