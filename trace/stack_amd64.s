#include "textflag.h"

// Both follow the chain of frame pointers, which Go maintains on amd64: at each frame the saved pointer of the
// caller lies at 0 and the return address at 8.

// func userCaller() int32
//
// What is compared are the last 32 bits.
TEXT ·userCaller(SB), NOSPLIT|NOFRAME, $0-4
	LEAQ ·betweenPCs(SB), SI
	LEAQ ·userPCs(SB), DI
	MOVQ BP, CX
	MOVL $128, DX // mostFrames

next:
	TESTQ CX, CX
	JZ    none
	MOVL  8(CX), AX
	MOVQ  (CX), CX
	MOVL  AX, BX
	ANDL  $0x3FFF, BX // mostKnown
	CMPL  AX, (SI)(BX*4)
	JNE   outside
	DECL  DX
	JNZ   next

none:
	MOVL $0, ret+0(FP)
	RET

outside:
	MOVQ (DI)(BX*8), CX
	CMPL AX, CX
	JNE  none
	SHRQ $32, CX
	MOVL CX, ret+0(FP)
	RET

// func walk(frames *[mostFrames]uintptr) int
TEXT ·walk(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ frames+0(FP), DI
	MOVQ BP, CX
	XORL DX, DX

next:
	TESTQ CX, CX
	JZ    done
	MOVQ  8(CX), AX
	MOVQ  (CX), CX
	MOVQ  AX, (DI)(DX*8)
	INCQ  DX
	CMPQ  DX, $128 // mostFrames
	JNE   next

done:
	MOVQ DX, ret+8(FP)
	RET
