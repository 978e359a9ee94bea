package rule_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/rule"
)

// The first rule that fits is taken: one instruction where the processor has it, otherwise two.
func ExampleTable_Find() {
	table := rule.New(`
fma  f32  fused    fmadd d a b c
fma  f32  temps=1  fmul s a b ; fadd d s c
`, func(*rule.Rule) {}, "fused")
	fma := &vector.Instr{Op: vector.MulAdd, Kind: vector.F32}
	for _, there := range []rule.Needs{0, 1} {
		var names []string
		for _, p := range table.Find(fma, there).Code {
			names = append(names, p.Name)
		}
		fmt.Println(names)
	}
	// Output:
	// [fmul fadd]
	// [fmadd]
}
