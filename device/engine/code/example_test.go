package code_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/engine/code"
	"github.com/go-acap/acap/kernel"
)

// Two layers with equal kernels have one code.
func ExampleOf() {
	layer := func() *code.Code {
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
			log.Fatal(err)
		}
		return code.Of(k)
	}
	first, second := layer(), layer()
	defer first.Release()
	defer second.Release()
	fmt.Println(first == second)
	_, err := second.Wait()
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}
