package mapped

import (
	"os"
	"syscall"
	"unsafe"
)

// Discard gives the memory of a part of a mapping back to the system, as far as it is whole pages: it is read from the
// file again when it is looked at again. Writes to it are lost.
func Discard(data []byte) {
	page := os.Getpagesize()
	start := int(-uintptr(unsafe.Pointer(unsafe.SliceData(data))) & uintptr(page-1))
	if end := start + (len(data)-start)&^(page-1); end > start {
		_ = syscall.Madvise(data[start:end], syscall.MADV_DONTNEED) // the system may keep it
	}
}
