#include "textflag.h"

// func goroutine() uintptr
//
// The address of the goroutine's descriptor, which does not move, lies in the
// thread's local storage.
TEXT ·goroutine(SB), NOSPLIT, $0-8
	MOVQ TLS, CX
	MOVQ 0(CX)(TLS*1), AX
	MOVQ AX, ret+0(FP)
	RET
