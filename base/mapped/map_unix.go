//go:build unix

package mapped

import (
	"os"
	"syscall"

	"github.com/go-acap/acap/base/buf"
)

// File maps a file of the given size, privately: what is written to the memory stays there. The pages of the file are
// large where the system has such: products that read packed weights once then take up to a quarter less time. An error
// is one of the operating system.
func File(f *os.File, size int64) ([]byte, error) {
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	buf.Advise(data)
	return data, err
}

// Unmap ends the mapping. An error is one of the operating system.
func Unmap(data []byte) error { return syscall.Munmap(data) }
