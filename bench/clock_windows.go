package main

import (
	"math/bits"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

var (
	kernel32 = syscall.NewLazyDLL("kernel32.dll")
	counter  = kernel32.NewProc("QueryPerformanceCounter")
)

// frequency is how often the counter counts in a second.
var frequency = sync.OnceValue(func() uint64 {
	var f uint64
	kernel32.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&f)))
	return f
})

// wall is the time of a counter with steps of less than a microsecond. Those of package time are half a
// millisecond and more on Windows.
func wall() time.Duration {
	var n uint64
	counter.Call(uintptr(unsafe.Pointer(&n)))
	high, low := bits.Mul64(n, uint64(time.Second))
	quotient, _ := bits.Div64(high, low, frequency())
	return time.Duration(quotient)
}
