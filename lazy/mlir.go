package lazy

import (
	"context"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/exporter/stablehlo"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// MLIR is the text of a module.
type MLIR string

// SimpleRender implements the display protocol of Go notebook kernels: the text, and its words
// in colours.
func (m MLIR) SimpleRender() map[string]any {
	return map[string]any{"text/plain": string(m), "text/html": m.colored()}
}

// words are what MLIR's text has in colours: comments, strings, values and symbols, types, operations
// and numbers, each in a group of its own.
var words = regexp.MustCompile(`(//[^\n]*)|("(?:[^"\\\n]|\\.)*")|([%@][\w.#$-]+)|(\b(?:tensor|memref|vector)<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>|\b(?:index|[fi][0-9]+|bf16)\b)|(\b[a-z_]+\.[a-z_][\w.]*)|(-?\b[0-9][\w.+]*)`)

// wordStyles are the colours on light and on dark pages.
const wordStyles = `<style>.acap-mlir b{font-weight:600}.acap-mlir i{font-style:normal}` +
	`.acap-mlir .w1{color:#5d6b5d}.acap-mlir .w2{color:#a0391b}.acap-mlir .w3{color:#0b5cad}.acap-mlir .w4{color:#7a3e9d}.acap-mlir .w6{color:#0f6b4f}` +
	`@media (prefers-color-scheme:dark){.acap-mlir .w1{color:#98a898}.acap-mlir .w2{color:#f0a184}.acap-mlir .w3{color:#7fb8f5}.acap-mlir .w4{color:#cfa0ea}.acap-mlir .w6{color:#7ed3b0}}</style>`

// operationWords is the group of operations.
const operationWords = 5

// colored writes the text as HTML.
func (m MLIR) colored() string {
	text := string(m)
	var b strings.Builder
	b.WriteString(wordStyles + `<pre class="acap-mlir">`)
	at := 0
	for _, w := range words.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:w[0]]))
		at = w[1]
		word := html.EscapeString(text[w[0]:w[1]])
		for group := 1; 2*group < len(w); group++ {
			switch {
			case w[2*group] < 0:
			case group == operationWords:
				b.WriteString("<b>" + word + "</b>")
			default:
				fmt.Fprintf(&b, `<i class="w%d">%s</i>`, group, word)
			}
		}
	}
	b.WriteString(html.EscapeString(text[at:]) + "</pre>")
	return b.String()
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
	StageVector    Stage = "vector"    // vector programs of the kernels, see package kernel/vector
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

// MLIRAt prints a stage of the program that computes values. Stages after aten compile it. An unknown stage is an
// error, and so are values of two devices.
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
		if err := simplify.CSE(module); err != nil {
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
	if err := acap2019.To(module); err != nil {
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
