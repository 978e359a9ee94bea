package buf

import (
	"os"
	"syscall"
	"unsafe"
)

// populate has the system give all pages of memory at once, large ones where it has them. Where it
// cannot the memory is what it was.
func populate(b []byte) {
	const hugePage, populateWrite = 14, 23 // of madvise(2)
	inside := func(page int) []byte {
		skip := int(-uintptr(unsafe.Pointer(&b[0])) & uintptr(page-1))
		if len(b) < skip+page {
			return nil
		}
		return b[skip : skip+(len(b)-skip)&^(page-1)]
	}
	if large := inside(largePage); large != nil {
		_ = syscall.Madvise(large, hugePage)
	}
	_ = syscall.Madvise(inside(os.Getpagesize()), populateWrite)
}
