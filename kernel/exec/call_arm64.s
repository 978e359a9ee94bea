//go:build linux || darwin || freebsd || windows

#include "textflag.h"

// func call(code uintptr, args unsafe.Pointer)
TEXT ·call(SB), NOSPLIT, $16-16
	MOVD code+0(FP), R1
	MOVD args+8(FP), R0
	CALL (R1)
	RET
