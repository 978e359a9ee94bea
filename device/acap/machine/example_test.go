package machine_test

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
)

func ExampleDataflow_Cycles() {
	// AlexNet's first layer, weights stationary, on 32 by 32 cells.
	fmt.Println(machine.WeightStationary.Cycles(32, 32, 3025, 363, 96))
	// Output:
	// 112283
}
