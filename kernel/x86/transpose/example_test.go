package transpose_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// The columns of a square of doubles end in registers of its rows and spare ones.
func ExampleEmit() {
	a := asm.New()
	var rows, spare []asm.Reg
	for i := range 4 {
		rows, spare = append(rows, asm.Vec(32, i)), append(spare, asm.Vec(32, 4+i))
	}
	fmt.Println(transpose.Emit(a, rows, spare, 8))
	// Output: [ymm2 ymm4 ymm0 ymm3]
}
