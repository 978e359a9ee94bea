package tune_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/tune"
)

// A product is compiled with the fastest of its close tiles, and then again without timing.
func ExampleCompile() {
	k, err := kernel.Parse(`contraction "product" batch=[] m=64 n=96 k=32 acc=f32 {
  a f32 in len=2048 offset=0 batch=[] row=32 col=1
  b f32 in const len=3072 offset=0 batch=[] row=96 col=1
  port f32 out len=6144 offset=0 outer=[96,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := cpu.Detect()
	code, result, err := tune.Compile(k, f)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	again, err := tune.Again(k, f, result.Choices)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer again.Close()
	fmt.Println("as fast as the model's form or faster:", result.Best <= result.Model)
	fmt.Println("the same code again:", code.Listing() == again.Listing())
	// Output:
	// as fast as the model's form or faster: true
	// the same code again: true
}
