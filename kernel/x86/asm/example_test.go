package asm_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/x86/asm"
)

func ExampleAssembler() {
	a := asm.New()
	loop := a.Here()
	a.Emit(asm.VMOVUPS, asm.Z(0), asm.At(asm.RSI, asm.RAX, 4, 0))
	a.Emit(asm.VFMADD231PS, asm.Z(1).Mask(asm.K(1)), asm.Z(0), asm.Ptr(asm.RDX, 8).Bcast())
	a.Emit(asm.ADD, asm.RAX, asm.Imm(16))
	a.Emit(asm.CMP, asm.RAX, asm.RCX)
	a.Emit(asm.JL, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	fmt.Print(a.Assemble())
	// Output:
	// L0:
	//      0  62f17c48100486          vmovups zmm0, zmmword ptr [rsi+rax*4]
	//      7  62f27d59b84a02          vfmadd231ps zmm1{k1}, zmm0, dword ptr [rdx+8]{1to16}
	//      e  4883c010                add rax, 16
	//     12  4839c8                  cmp rax, rcx
	//     15  0f8ce5ffffff            jl L0
	//     1b  c5f877                  vzeroupper
	//     1e  c3                      ret
}
