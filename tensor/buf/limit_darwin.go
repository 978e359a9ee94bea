package buf

import (
	"encoding/binary"
	"syscall"
)

// systemLimits returns bounds of the memory of this process, in bytes; 0 stands for none: the
// machine's memory.
func systemLimits() []int64 {
	text, err := syscall.Sysctl("hw.memsize") // little-endian bytes without zeros at the end
	if err != nil {
		return nil
	}
	var raw [8]byte
	copy(raw[:], text)
	return []int64{int64(binary.LittleEndian.Uint64(raw[:]))}
}
