//go:build !linux

package mapped

// Discard says that a part of a mapping is not needed for now. It does nothing on this system.
func Discard([]byte) {}
