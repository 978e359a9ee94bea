package buf

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// systemLimits returns bounds of the memory of this process, in bytes; 0 stands for none:
// the machine's memory, the address space, and the control group's memory.
func systemLimits() []int64 {
	var info syscall.Sysinfo_t
	var limits []int64
	if syscall.Sysinfo(&info) == nil {
		limits = append(limits, int64(uint64(info.Totalram)*uint64(max(1, info.Unit))))
	}
	var space syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &space) == nil && space.Cur < math.MaxInt64 {
		limits = append(limits, int64(space.Cur))
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			limits = append(limits, n)
		}
	}
	return limits
}
