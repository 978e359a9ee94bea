#include "textflag.h"

// func goroutine() uintptr
//
// The address of the goroutine's descriptor, which does not move, has a register
// of its own.
TEXT ·goroutine(SB), NOSPLIT, $0-8
	MOVD g, R0
	MOVD R0, ret+0(FP)
	RET
