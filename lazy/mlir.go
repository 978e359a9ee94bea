package lazy

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/exporter/stablehlo"
	"github.com/go-acap/acap/mlir/passes"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// MLIR is the text of a module.
type MLIR string

// SimpleRender implements the display protocol of Go notebook kernels.
func (m MLIR) SimpleRender() map[string]any {
	return map[string]any{
		"text/plain":    string(m),
		"text/markdown": "```mlir\n" + string(m) + "```",
	}
}

// Stage names a form of a program.
type Stage string

// The stages. Devices may have more; [MLIRAt] passes unknown names on to them.
const (
	StageATen      Stage = "aten"      // the trace, common subexpressions merged
	StageACAP2019  Stage = "acap-2019" // as PyTorch/ACAP printed it
	StageStableHLO Stage = "stablehlo" // as other compilers read it
	StageLinalg    Stage = "linalg"    // linalg on tensors
	StageKernel    Stage = "kernel"    // fused kernels
	StageASM       Stage = "asm"       // machine code
	StageAIE       Stage = "aie"       // the program of the array, with object FIFOs

	// StageAIELowered is StageAIE with buffers, locks, DMA descriptors and flows in
	// place of object FIFOs.
	StageAIELowered Stage = "aie-lowered"
)

// GetMLIR prints the pending trace of values in the aten dialect. Nothing runs,
// and the trace goes on growing. The values must be on one device; if they are not, it panics
// with an [*ops.ArgError].
func GetMLIR(values ...Value) MLIR {
	text, err := MLIRAt(StageATen, values...)
	if err != nil {
		trace.Raise(&ops.ArgError{Op: "get mlir", Detail: err.Error()})
	}
	return text
}

// MLIRAt prints a stage of the program that computes values. Stages after aten
// compile it.
func MLIRAt(stage Stage, values ...Value) (MLIR, error) {
	r, roots, err := together(values)
	if err != nil {
		return "", err
	}
	if stage == StageACAP2019 {
		return text2019(trace.ModuleOfUses(roots, "graph"))
	}
	_, module := trace.Module(roots, compiler.Entry)
	if stage == StageATen {
		if err := passes.CSE(module); err != nil {
			return "", err
		}
		return printed(module, mlir.PrintOptions{})
	}
	if stage == StageStableHLO {
		if err := stablehlo.Export(module); err != nil {
			return "", err
		}
		return printed(module, mlir.PrintOptions{})
	}
	exe, err := r.dev.Compile(context.Background(), module)
	if err != nil {
		return "", err
	}
	defer exe.Close()
	text, err := exe.Text(string(stage))
	return MLIR(text), err
}

// text2019 prints a module in the dialect and spelling of PyTorch/ACAP in 2019.
func text2019(module *mlir.Operation) (MLIR, error) {
	if err := passes.ACAP2019(module); err != nil {
		return "", err
	}
	return printed(module, mlir.PrintOptions{Spelling: mlir.ACAP2019})
}

func printed(module *mlir.Operation, opts mlir.PrintOptions) (MLIR, error) {
	var b strings.Builder
	err := mlir.Print(&b, module, opts)
	return MLIR(b.String()), err
}

// together checks that values are on one device and returns their trace values.
func together(values []Value) (*Runtime, []ops.Value, error) {
	if len(values) == 0 {
		return nil, nil, fmt.Errorf("no values")
	}
	first, _ := traceOf(values[0])
	roots := make([]ops.Value, len(values))
	for i, v := range values {
		r, w := traceOf(v)
		if r != first {
			return nil, nil, fmt.Errorf("lazy: values are on %s and on %s", first.dev.Name(), r.dev.Name())
		}
		roots[i] = w
	}
	return first, roots, nil
}
