package e2e_test

import (
	"fmt"

	"github.com/go-acap/acap/cmd/acap/e2e"
)

func Example() {
	programs, _, err := e2e.Programs("")
	if err != nil {
		fmt.Println(err)
		return
	}
	host := e2e.Configs[0]
	o := host.Outcome(programs[0], "", false)
	fmt.Println(o.Config, o.Name, o.Outcome)
	o = host.Outcome(programs[0], "nothing adds yet", true)
	fmt.Println(o.Outcome, "although", o.Reason)
	// Output:
	// host add_broadcast passed
	// passed unexpectedly although it should fail: nothing adds yet
}
