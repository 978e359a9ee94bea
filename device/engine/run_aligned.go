package engine

import (
	"unsafe"

	"github.com/go-acap/acap/base/buf"
)

// aligned returns data, or a copy of it that starts where vectors may.
func aligned(data []byte) []byte {
	if len(data) == 0 || uintptr(unsafe.Pointer(&data[0]))%buf.Alignment == 0 {
		return data
	}
	out := buf.Aligned(len(data))
	copy(out, data)
	return out
}
