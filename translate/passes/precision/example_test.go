package precision_test

import (
	"fmt"

	"github.com/go-acap/acap/translate/passes/precision"
)

func ExamplePolicyOf() {
	fmt.Println(precision.PolicyOf("mm"), precision.PolicyOf("softmax"), precision.PolicyOf("add"), precision.PolicyOf("relu"))
	// Output: lower single widest follow
}
