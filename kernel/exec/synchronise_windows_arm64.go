package exec

import "unsafe"

var flushInstructionCache = kernel32.NewProc("FlushInstructionCache")

// synchronise has the processor fetch instructions that were written to memory.
func synchronise(code []byte) {
	const thisProcess = ^uintptr(0)
	flushInstructionCache.Call(thisProcess, uintptr(unsafe.Pointer(&code[0])), uintptr(len(code)))
}
