package buf

import (
	"os"
	"syscall"
	"unsafe"
)

// What madvise(2) is told. Where it cannot follow, memory is what it was.
const (
	hugePage      = 14
	populateWrite = 23
)

func advise(b []byte) { _ = syscall.Madvise(b, hugePage) }

func populate(b []byte) {
	page := os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(&b[0])) & uintptr(page-1))
	_ = syscall.Madvise(b[skip:skip+(len(b)-skip)&^(page-1)], populateWrite)
}
