package exec

import "github.com/go-acap/acap/kernel/cpu"

// emulated reports whether QEMU emulates the processor.
func emulated() bool { return cpu.Emulated() }
