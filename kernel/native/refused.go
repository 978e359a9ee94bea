package native

import (
	"fmt"
	"os"
	"sync"
)

// refusal is why no kernel is compiled to machine code.
var refusal struct {
	sync.RWMutex
	err error
}

// Refused returns the error of the system, which wraps [exec.ErrRefused], if it has refused to run generated code.
// All kernels compiled from then on are portable. One sentence on standard error says so, once in a process.
func Refused() error {
	refusal.RLock()
	defer refusal.RUnlock()
	return refusal.err
}

// refuse notes that the system runs no generated code.
func refuse(err error) {
	refusal.Lock()
	defer refusal.Unlock()
	if refusal.err != nil {
		return
	}
	refusal.err = err
	fmt.Fprintf(os.Stderr, "acap: kernels run as portable Go, which is many times slower, because of %v; "+
		"ACAP_KERNELS=portable asks for that without this sentence\n", err)
}
