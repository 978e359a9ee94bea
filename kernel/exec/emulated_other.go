//go:build !amd64

package exec

// emulated reports whether QEMU emulates the processor. Elsewhere than on amd64 all code is fresh.
func emulated() bool { return false }
