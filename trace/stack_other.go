//go:build !amd64

package trace

import (
	"runtime"
	"sync/atomic"
)

// userCaller returns the innermost return address of the callers that is the user's, relative to text, or 0 if one on the
// way there is not known.
func userCaller() int32 {
	var frames [mostFrames]uintptr
	for _, pc := range frames[:walk(&frames)] {
		if atomic.LoadUint32(betweenPCs.at(pc)) == uint32(pc) {
			continue
		}
		if atomic.LoadUint32(userPCs.at(pc)) == uint32(pc) {
			return int32(pc - text)
		}
		break
	}
	return 0
}

// walk stores the return addresses of the callers, innermost first, and returns how many there are.
func walk(frames *[mostFrames]uintptr) int { return runtime.Callers(2, frames[:]) }
