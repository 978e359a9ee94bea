//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is what the process has used of processors until now, in all its threads.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
