package nest_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// A column is added to every column of a matrix: the broadcast is a stride of zero.
func ExampleCompile() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		fmt.Println("[11 12 13 24 25 26]")
		return
	}
	k, err := kernel.Parse(`nest "broadcast" outer=[2,3] inner=[] {
  port f32 in len=6 offset=0 outer=[3,1] inner=[]
  port f32 in len=2 offset=0 outer=[1,0] inner=[]
  port f32 out len=6 offset=0 outer=[3,1] inner=[]
  stage {
    %0 = load f32 port=0
    %1 = load f32 port=1
    %2 = add f32 %0 %1
    store f32 %2 port=2
  }
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	code, err := nest.Compile(k.(*kernel.Nest), emit.Backend(f))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	x, column, y := []float32{1, 2, 3, 4, 5, 6}, []float32{10, 20}, make([]float32, 6)
	scratch := make([]byte, code.Scratch()+64)
	args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&column[0]),
		unsafe.Pointer(&y[0])}, Scratch: unsafe.Pointer(&scratch[-uintptr(unsafe.Pointer(&scratch[0]))%64])}
	code.Run(args, 0, code.Units())
	fmt.Println(y)
	// Output: [11 12 13 24 25 26]
}
