package portable_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// The sums of two rows.
func ExampleCompile() {
	k, err := kernel.Parse(`nest "rows" outer=[2] inner=[3] {
  port f32 in len=6 offset=0 outer=[3] inner=[1]
  port f32 out len=2 offset=0 outer=[1] inner=[0]
  stage {
    %0 = load f32 port=0
    reduce sum f32 %0 init=0
  }
  once {
    %0 = acc f32 stage=0 number=0
    store f32 %0 port=1
  }
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	code, err := portable.Compile(k)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	x, y := []float32{1, 2, 3, 10, 20, 30}, make([]float32, 2)
	scratch := make([]byte, code.Scratch()+64)
	args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])},
		Scratch: unsafe.Pointer(&scratch[-uintptr(unsafe.Pointer(&scratch[0]))%64])}
	code.Run(args, 0, code.Units())
	fmt.Println(y)
	// Output: [6 60]
}
