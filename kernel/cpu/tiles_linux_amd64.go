package cpu

import "syscall"

// allowTiles asks Linux for the permission to use the state of AMX, which it grants to a process
// once, for all its threads, because the state makes the frames of signals large
// (Documentation/arch/x86/xstate.rst of the kernel). It refuses if a thread has a signal stack that
// is too small.
func allowTiles() bool {
	const (
		requestPermission = 0x1023 // ARCH_REQ_XCOMP_PERM
		tileData          = 18
	)
	_, _, err := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return err == 0
}
