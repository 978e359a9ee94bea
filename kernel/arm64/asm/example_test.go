package asm_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/arm64/asm"
)

// A loop that adds four products in each turn, and the bytes of its first instruction.
func Example() {
	a := asm.New()
	top := a.Here()
	a.Emit("fmla", asm.V(0).As(asm.S4), asm.V(1).As(asm.S4), asm.V(2).Element(asm.S, 3))
	a.Emit("subs", asm.X(1), asm.X(1), asm.Imm(1))
	a.Emit("b.ne", top)
	a.Emit("ret")
	code := a.Assemble()
	fmt.Print(code)
	fmt.Printf("% x\n", code.Bytes[:4])
	// Output:
	// L0:
	//	fmla     v0.4s, v1.4s, v2.s[3]
	//	subs     x1, x1, #1
	//	b.ne     L0
	//	ret
	// 20 18 a2 4f
}
