//go:build darwin || freebsd

package buf

import (
	"encoding/binary"
	"runtime"
	"syscall"
)

// systemLimits returns bounds of the memory of this process, in bytes; 0 stands for none: the
// machine's memory.
func systemLimits() []int64 {
	name := map[string]string{"darwin": "hw.memsize", "freebsd": "hw.physmem"}[runtime.GOOS]
	text, err := syscall.Sysctl(name) // little-endian bytes without zeros at the end
	if err != nil {
		return nil
	}
	var raw [8]byte
	copy(raw[:], text)
	return []int64{int64(binary.LittleEndian.Uint64(raw[:]))}
}
