//go:build !amd64

package trace

import (
	"runtime"
	"sync/atomic"
)

// userCaller returns the address of the user's innermost call, relative to text, or 0 if one on the
// way there is not mostKnown.
func userCaller() int32 {
	var frames [mostFrames]uintptr
	for _, pc := range frames[:walk(&frames)] {
		i := uint32(pc) % mostKnown
		if atomic.LoadUint32(&betweenPCs[i]) == uint32(pc) {
			continue
		}
		if user := atomic.LoadUint64(&userPCs[i]); uint32(user) == uint32(pc) {
			return int32(user >> 32)
		}
		break
	}
	return 0
}

// walk stores the return addresses of the callers' frames, innermost first, and returns how many there are.
func walk(frames *[mostFrames]uintptr) int { return runtime.Callers(2, frames[:]) }
