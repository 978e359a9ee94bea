package kernel_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// A pointwise kernel: y = x·x + 1 on 1000 elements.
func ExampleNest() {
	b := kernel.NewBody()
	x := b.Load(0, dtype.F32)
	b.Store(1, b.Binary(kernel.Add, b.Binary(kernel.Mul, x, x), b.Const(dtype.F32, 1)))
	n := &kernel.Nest{
		Name:  "square plus one",
		Outer: []int{1000},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.F32, Len: 1000}, Outer: []int{1}},
			{Port: kernel.Port{DType: dtype.F32, Len: 1000, Write: true}, Outer: []int{1}},
		},
		Stages: []kernel.Stage{{Body: b.Body()}},
	}
	fmt.Println(kernel.Verify(n))
	fmt.Print(n)
	// Output:
	// <nil>
	// nest "square plus one" outer=[1000] inner=[] {
	//   port f32 in len=1000 offset=0 outer=[1] inner=[]
	//   port f32 out len=1000 offset=0 outer=[1] inner=[]
	//   stage {
	//     %0 = load f32 port=0
	//     %1 = mul f32 %0 %0
	//     %2 = const f32 1
	//     %3 = add f32 %1 %2
	//     store f32 %3 port=1
	//   }
	// }
}

func ExampleParse() {
	_, err := kernel.Parse("nest \"x\" outer=[4] inner=[] {\n  port f32 len=4\n}")
	fmt.Println(err)
	// Output: line 2: offset= is missing
}
