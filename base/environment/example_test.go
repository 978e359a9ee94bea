package environment_test

import (
	"fmt"

	"github.com/go-acap/acap/base/environment"
)

func ExampleParseBytes() {
	fmt.Println(environment.ParseBytes("8G"))
	fmt.Println(environment.ParseBytes("eight"))
	// Output:
	// 8589934592 true
	// 0 false
}
