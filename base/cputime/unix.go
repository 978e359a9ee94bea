//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used returns the processor time that all threads of the process have used.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
