package trace

// userCaller returns the innermost return address of the callers that is the user's, relative to text, or 0 if one on the
// way there is not known.
func userCaller() int32

// walk stores the return addresses of the callers, innermost first, and returns how many there are.
//
//go:noescape
func walk(frames *[mostFrames]uintptr) int
