package workers_test

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/device/engine/workers"
)

// The environment bounds the threads of all programs.
func ExampleThreads() {
	os.Setenv("ACAP_THREADS", "3")
	defer os.Unsetenv("ACAP_THREADS")
	fmt.Println(workers.Threads())
	os.Setenv("ACAP_THREADS", "many")
	_, err := workers.Threads()
	fmt.Println(err)
	// Output:
	// 3 <nil>
	// ACAP_THREADS="many": want a number of threads from 1 to 1024
}
