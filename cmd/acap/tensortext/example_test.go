package tensortext_test

import (
	"encoding/json"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/tensortext"
)

// A matrix as a line, and as JSON.
func Example() {
	b := buf.From([]float32{1, -3, 2, 8, 0, 4}, 2, 3)
	fmt.Println(tensortext.Summary(b))
	text, err := json.Marshal(tensortext.New(b))
	fmt.Println(string(text), err)
	// Output:
	// f32 [2 3] from -3 at [0 1] to 8 at [1 0], mean 2
	// {"dtype":"f32","shape":[2,3],"values":[1,-3,2,8,0,4]} <nil>
}
