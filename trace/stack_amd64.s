#include "textflag.h"

// func walk(pcs *[depth]int32)
//
// Follows the chain of frame pointers, which Go maintains on amd64: at each frame
// the saved pointer of the caller lies at 0 and the return address at 8.
TEXT ·walk(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ pcs+0(FP), DI
	MOVQ ·text(SB), SI
	MOVQ BP, CX
	MOVQ $12, DX // depth

next:
	TESTQ CX, CX
	JZ    done
	MOVQ  8(CX), AX
	SUBQ  SI, AX
	MOVL  AX, (DI)
	ADDQ  $4, DI
	MOVQ  (CX), CX
	DECQ  DX
	JNZ   next

done:
	RET
