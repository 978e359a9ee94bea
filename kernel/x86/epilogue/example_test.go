package epilogue_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// Relu runs on the accumulators of a product, tanh in a loop of its own.
func ExampleNew() {
	for _, op := range []kernel.Op{kernel.Max, kernel.Tanh} {
		b := kernel.NewBody()
		v := b.Input(dtype.F32)
		if op == kernel.Max {
			v = b.Binary(op, v, b.Const(dtype.F32, 0))
		} else {
			v = b.Emit(kernel.Instr{Op: op, Type: dtype.F32, A: v})
		}
		b.Store(2, v)
		e := &kernel.Epilogue{Body: b.Body(), Access: []kernel.Access{{Outer: []int{32, 1},
			Port: kernel.Port{DType: dtype.F32, Len: 32 * 32, Write: true}}}}
		_, err := epilogue.New(e, 2, 0, 1, dtype.F32, cpu.Features{Level: cpu.AVX2}, 4)
		fmt.Println(op, err == nil)
	}
	// Output:
	// max true
	// tanh false
}
