package buf

import (
	"os"
	"syscall"
	"unsafe"
)

// The advices of madvise(2). If the system refuses, nothing changes.
const (
	hugePage      = 14
	populateWrite = 23
)

// Advise has the system put memory on large pages as far as it can. The memory may be a mapped file's: many file
// systems read files into large pages then.
func Advise(b []byte) { _ = syscall.Madvise(b, hugePage) }

func populate(b []byte) {
	page := os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(&b[0])) & uintptr(page-1))
	_ = syscall.Madvise(b[skip:skip+(len(b)-skip)&^(page-1)], populateWrite)
}
