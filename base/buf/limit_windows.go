package buf

import (
	"syscall"
	"unsafe"
)

// systemLimits returns bounds of the memory of this process, in bytes: the machine's memory.
func systemLimits() []int64 {
	var status struct { // MEMORYSTATUSEX of sysinfoapi.h
		length, load                uint32
		physical, physicalLeft      uint64
		pageFile, pageFileLeft      uint64
		virtual, virtualLeft, above uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	ask := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := ask.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return nil
	}
	return []int64{int64(status.physical)}
}
