#include "textflag.h"

// func walk(pcs *[depth]int32)
//
// Follows the chain of frame pointers, which Go maintains on amd64: at each frame
// the saved pointer of the caller lies at 0 and the return address at 8. Two addresses
// are stored at once, as they are read: what was stored in halves would have to be waited for.
TEXT ·walk(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ pcs+0(FP), DI
	MOVQ ·text(SB), SI
	MOVQ BP, CX
	MOVQ $6, DX // depth / 2

next:
	TESTQ CX, CX
	JZ    done
	MOVQ  8(CX), AX
	SUBQ  SI, AX
	MOVL  AX, AX
	MOVQ  (CX), CX
	TESTQ CX, CX
	JZ    last
	MOVQ  8(CX), BX
	SUBQ  SI, BX
	SHLQ  $32, BX
	ORQ   BX, AX
	MOVQ  AX, (DI)
	ADDQ  $8, DI
	MOVQ  (CX), CX
	DECQ  DX
	JNZ   next

done:
	RET

last:
	MOVL AX, (DI)
	RET
