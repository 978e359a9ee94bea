//go:build linux || darwin || freebsd || windows

#include "textflag.h"

// func call(code uintptr, args unsafe.Pointer)
// The frame makes the assembler save and restore BP.
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ code+0(FP), AX
	MOVQ args+8(FP), DI
	CALL AX
	RET
