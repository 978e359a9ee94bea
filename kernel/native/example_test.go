package native_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// Compile a kernel from its text and run it.
func ExampleCompile() {
	k, err := kernel.Parse(`nest "squares" outer=[5] inner=[] {
  port f32 in len=5 offset=0 outer=[1] inner=[]
  port f32 out len=5 offset=0 outer=[1] inner=[]
  stage {
    %0 = load f32 port=0
    %1 = mul f32 %0 %0
    store f32 %1 port=1
  }
}`)
	if err != nil {
		panic(err)
	}
	code, err := native.Compile(k)
	if err != nil {
		panic(err)
	}
	defer code.Close()
	x, y := []float32{1, 2, 3, 4, 5}, make([]float32, 5)
	scratch := make([]byte, code.Scratch()+64)
	aligned := -int(uintptr(unsafe.Pointer(&scratch[0]))) & 63
	args := kernel.Args{
		Ptr:     []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])},
		Scratch: unsafe.Pointer(&scratch[aligned]),
	}
	code.Run(&args, 0, code.Units())
	fmt.Println(y)
	// Output: [1 4 9 16 25]
}
