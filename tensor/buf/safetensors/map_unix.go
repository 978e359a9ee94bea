//go:build unix

package safetensors

import (
	"os"
	"syscall"
)

// mapFile maps a file of the given size, privately: what is written to the memory stays there.
func mapFile(f *os.File, size int64) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

func unmap(data []byte) error { return syscall.Munmap(data) }
