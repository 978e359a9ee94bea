//go:build amd64 || arm64

package trace

// goroutine identifies the calling goroutine while it lives.
//
//go:noescape
func goroutine() uintptr
