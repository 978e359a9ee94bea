package code

import (
	"crypto/sha256"
	"fmt"

	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/tune"
)

// compile compiles a kernel for this processor. With [tune.Variable] the fastest of the forms is taken that the model
// of the processor holds for nearly equal. The cache on disk keeps which form this was. fallbacks gets the reasons why
// code is portable.
func compile(k kernel.Kernel, key [sha256.Size]byte, fallbacks *[]error) (kernel.Code, error) {
	processor := cpu.Detect()
	f := processor
	f.Fallbacks = fallbacks
	if on, err := tune.Setting(); err != nil || !on {
		return native.CompileFor(k, f) // whoever makes a program has reported the error
	}
	disk, name := store.Default(), fmt.Sprintf("%x on %v", key, processor)
	if choices, ok := disk.Get(stored, name); ok {
		return tune.Again(k, f, choices)
	}
	c, result, err := tune.Compile(k, f)
	if err == nil && result.Forms > 1 {
		title := fmt.Sprintf("%d forms, %.4g us by the model, %.4g us taken", result.Forms, 1e6*result.Model, 1e6*result.Best)
		disk.Put(stored, name, title, result.Choices)
	}
	return c, err
}

// stored is the kind of the cache's entries.
const stored = "tuned kernel"
