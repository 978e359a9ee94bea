package cputime_test

import (
	"fmt"
	"time"

	"github.com/go-acap/acap/base/cputime"
)

// Sleep takes no processor time.
func ExampleUsed() {
	before := cputime.Used()
	time.Sleep(time.Millisecond)
	fmt.Println(cputime.Used()-before < time.Minute)
	// Output: true
}
