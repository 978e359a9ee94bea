package lazy

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/trace"
)

// Record writes the program that computes pending values to a file, with its inputs, the state
// of the generator, the machine, versions and metrics. `acap replay` runs it, `acap bisect` finds the
// call that gives other numbers than the reference, and `acap reduce` writes the smallest
// program that still does. Nothing runs. Values of two devices are an error, and so is a file that cannot be written.
func Record(file string, values ...Value) error {
	r, roots, err := together(values)
	if err != nil {
		return err
	}
	pending, _ := withEffects(pendingRoots(roots, nil))
	g, module := trace.Module(pending, compiler.Entry)
	inputs, err := hold(g, nil)
	if err != nil {
		return err
	}
	defer release(inputs)
	b := bundle.Bundle{Program: module, Inputs: inputs, About: r.about()}
	return b.Write(file)
}

// about describes where a program was recorded.
func (r *Runtime) about() bundle.About {
	a := bundle.About{Time: time.Now().UTC(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Device: r.dev.Name(), Setting: map[string]string{}}
	a.Seed, a.Offset = r.random.State()
	for _, setting := range os.Environ() {
		if name, value, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "ACAP_") {
			a.Setting[name] = value
		}
	}
	if d, ok := r.dev.(interface{ Describe(io.Writer) error }); ok {
		var text bytes.Buffer
		if d.Describe(&text) == nil {
			a.Machine = text.Bytes()
		}
	}
	if text, err := json.Marshal(r.Metrics().Snapshot); err == nil {
		a.Metrics = text
	}
	return a
}
