//go:build !amd64 && !arm64

package trace

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine identifies the calling goroutine while it lives, by the number in the
// first line of its stack: "goroutine 18 [running]:".
func goroutine() uintptr {
	var line [64]byte
	text := bytes.TrimPrefix(line[:runtime.Stack(line[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic("BUG: trace: no goroutine in " + strconv.Quote(string(line[:])))
	}
	return uintptr(n)
}
