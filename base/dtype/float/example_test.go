package float_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype/float"
)

// A half has 11 digits of two: 2049 is between two of its numbers, and goes to the even one.
func ExampleFormat_Round() {
	fmt.Println(float.F16.Round(2049), float.F16.Round(2051), float.F16.Largest())
	fmt.Println(float.F16.Round(65520), float.E4M3FN.Round(1e6))
	// Output:
	// 2048 2052 65504
	// +Inf NaN
}

// One is the exponent's bias, and nothing behind the point.
func ExampleFormat_Encode() {
	fmt.Printf("%#x %#x %#x\n", float.F32.Encode(1), float.BF16.Encode(1), float.F16.Encode(1))
	fmt.Println(float.E8M0FNU.Decode(130))
	// Output:
	// 0x3f800000 0x3f80 0x3c00
	// 8
}
