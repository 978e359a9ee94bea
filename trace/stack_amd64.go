package trace

// userCaller returns the address of the user's innermost call, relative to text, or 0 if one on the
// way there is not known.
func userCaller() int32

// walk stores the return addresses of the callers' frames, innermost first, and returns how many there are.
//
//go:noescape
func walk(frames *[mostFrames]uintptr) int
