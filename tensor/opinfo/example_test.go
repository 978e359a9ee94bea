package opinfo_test

import (
	"fmt"

	"github.com/go-acap/acap/tensor/opinfo"
)

func ExampleOpen() {
	suite, err := opinfo.Open("testdata/recorded.tar.gz")
	if err != nil {
		panic(err)
	}
	programs, err := suite.Programs("aten.hypot")
	if err != nil {
		panic(err)
	}
	for _, o := range opinfo.Oracles(programs) {
		if o.Operator == "hypot" {
			fmt.Println(o.Torch == len(programs), o.SciPy, o.Reference)
		}
	}
	// Output: true 0 false
}
