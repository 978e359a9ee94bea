package fit

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/llm/account"
	"github.com/go-acap/acap/mlir"
)

// processBytes is the measured memory of a process with neither a model nor a vocabulary.
const processBytes = 40 << 20

// Module says what a model takes whose function @main a module has, such as package nn imports. The module is compiled
// and consumed. Nothing runs. A module without a function is an error, and so is one that does not compile; that the
// model does not fit is no error, see [Report.Err].
func Module(name string, module *mlir.Operation, o Options) (*Report, error) {
	if o.Memory < 0 {
		return nil, fmt.Errorf("fit: %d bytes of memory", o.Memory)
	}
	f, err := compiler.EntryOf(module)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var inputs, results int64
	for _, a := range f.Body().Args {
		inputs = buf.AddBytes(inputs, bytesOf(a.Type))
	}
	for _, t := range f.Body().Ops[len(f.Body().Ops)-1].Operands {
		results = buf.AddBytes(results, bytesOf(t.Type))
	}
	weights, operations := constants(module)
	var dev device.Device = host.Device()
	if o.Machine != nil {
		dev = acap.New(o.Machine)
	}
	exe, err := dev.Compile(context.Background(), module)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer exe.Close()
	m := exe.Memory()
	r := &Report{Model: name, What: fmt.Sprintf("%d operations", operations)}
	r.add("weights", weights, "constants of the module")
	r.add("inputs", inputs, "of a run")
	var largest []string
	for _, v := range m.Largest[:min(len(m.Largest), 3)] {
		largest = append(largest, buf.Size(v.Bytes)+" of "+v.Op)
	}
	r.add("activations", m.Run, "results and what lies between kernels; the largest: %s", strings.Join(largest, ", "))
	r.add("programs", max(0, m.Kept-weights-(m.Run-results)), "their code, and operands in other forms (estimate)")
	r.add("process", processBytes, "without a model")
	r.judge(o.memory())
	if o.Machine != nil {
		r.Machine = o.Machine.Name
		accounted := acap.ReportOf(exe)
		run := account.Of(accounted)
		r.Run = &run
		if err := accounted.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, nil
}

// constants are the bytes of a module's constants, and how many operations it has.
func constants(module *mlir.Operation) (bytes int64, operations int) {
	module.Walk(func(op *mlir.Operation) {
		operations++
		if strings.HasSuffix(op.Name, ".constant") && len(op.Results) == 1 {
			bytes = buf.AddBytes(bytes, bytesOf(op.Results[0].Type))
		}
	})
	return bytes, operations
}

// bytesOf is the size of a tensor, 0 of what is none.
func bytesOf(t mlir.Type) int64 {
	of, ok := t.(mlir.TensorType)
	if !ok {
		return 0
	}
	n := int64(max(1, mlir.BitWidth(of.Elem)/8))
	for _, d := range of.Shape {
		n = buf.MulBytes(n, int64(max(d, 1)))
	}
	return n
}
