package transpose_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// The columns of a square of eight end in registers of its rows and spare ones.
func ExampleEmit() {
	a := asm.New()
	var rows, spare []asm.Reg
	for i := range 8 {
		rows, spare = append(rows, asm.Vec(32, i)), append(spare, asm.Vec(32, 8+i))
	}
	fmt.Println(transpose.Emit(a, rows, spare))
	// Output: [ymm5 ymm8 ymm6 ymm0 ymm1 ymm4 ymm2 ymm7]
}
