package cpu_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/cpu"
)

func ExampleParseLevel() {
	level, err := cpu.ParseLevel("avx2")
	fmt.Println(level, level.VectorBytes(), level.VectorRegisters(), err)
	// Output: avx2 32 16 <nil>
}
