package quant_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// An element type with one scale for each of two channels: 127 stands for 12.7 in the first and for 127 in the second.
func ExampleOf() {
	t, err := mlir.ParseType("!quant.uniform<i8<-127:127>:f32:0, {1.000000e-01,1.000000e+00}>")
	if err != nil {
		log.Fatal(err)
	}
	u, ok := quant.Of(t)
	fmt.Println(ok, u.Storage, u.Expressed, u.Low, u.High)
	for channel, scale := range u.Scales {
		fmt.Printf("channel %d of dimension %d: 127 stands for %.1f\n", channel, u.Axis, float64(127-u.Zeros[channel])*scale)
	}
	// Output:
	// true i8 f32 -127 127
	// channel 0 of dimension 0: 127 stands for 12.7
	// channel 1 of dimension 0: 127 stands for 127.0
}
