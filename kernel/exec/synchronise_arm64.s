//go:build linux || darwin || freebsd

#include "textflag.h"

// func flushCaches(from, to uintptr)
// The data cache is cleaned to where instructions are fetched from, then the lines of the instruction cache are dropped.
// A step of 16 bytes is no longer than a line of any processor.
TEXT ·flushCaches(SB), NOSPLIT, $0-16
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD R0, R2
clean:
	WORD $0xd50b7b22 // DC CVAU, X2
	ADD  $16, R2
	CMP  R1, R2
	BLO  clean
	WORD $0xd5033b9f // DSB ISH
	MOVD R0, R2
drop:
	WORD $0xd50b7522 // IC IVAU, X2
	ADD  $16, R2
	CMP  R1, R2
	BLO  drop
	WORD $0xd5033b9f // DSB ISH
	WORD $0xd5033fdf // ISB
	RET
