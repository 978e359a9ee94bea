//go:build unix

package mapped

import (
	"os"
	"syscall"
)

// File maps a file of the given size, privately: what is written to the memory stays there.
func File(f *os.File, size int64) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

// Unmap ends the mapping.
func Unmap(data []byte) error { return syscall.Munmap(data) }
