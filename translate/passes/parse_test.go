package passes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
)

func init() {
	passes.Register(passes.Pass{Name: "test-mark", Anchor: "func.func", Run: func(f *mlir.Operation) error {
		f.Attrs = f.Attrs.With("marked", mlir.UnitAttr{})
		return nil
	}})
	passes.RegisterPipeline(passes.Named{Name: "test-twice", Text: "cse,cse"})
	passes.RegisterPipeline(passes.Named{Name: "test-torn", Text: "cse)dce"})
	passes.RegisterPipeline(passes.Named{Name: "test-endless", Text: "cse,test-endless"})
}

// TestAnchor: what stands under an operation runs on each one of that name.
func TestAnchor(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte("func.func @f() { return }\nfunc.func @g() { return }"))
	require.NoError(t, err)
	p, err := passes.Parse("builtin.module( symbol-dce , func.func(test-mark), test-twice)")
	require.NoError(t, err)
	require.NoError(t, p.Run(module))
	require.Equal(t, 2, strings.Count(module.String(), "marked"))
	var ran []string
	for _, timing := range p.Timings {
		ran = append(ran, timing.Pass)
	}
	require.Equal(t, []string{"symbol-dce", "test-mark", "test-mark", "cse", "cse"}, ran)
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"func.func(inline)":                   "runs on builtin.module",
		"test-mark":                           "runs on func.func",
		"cse{a=1}":                            `has no option "a"`,
		"elide{larger-than=x}":                `needs a number, not "x"`,
		"elide{larger-than=-1}":               "needs a number",
		"func.func(cse":                       "no ')'",
		"elide{larger-than=1":                 "no '}'",
		"cse)":                                `unexpected ")"`,
		"cse(dce)":                            `"cse" is no operation`,
		"test-twice{a=1}":                     "pipeline test-twice has no options",
		"test-torn":                           `pipeline "cse)dce", column 4: unexpected ")"`,
		"test-endless":                        "nested more than",
		strings.Repeat("builtin.module(", 99): "nested more than",
	} {
		_, err := passes.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

// TestNames: a name that no text can have, or that is taken, is a mistake of who registers it.
func TestNames(t *testing.T) {
	for _, name := range []string{"", "a,b", "a(b", "a b", "a{b}", "cse", "test-twice"} {
		require.Panics(t, func() { passes.RegisterPipeline(passes.Named{Name: name, Text: "cse"}) }, name)
		require.Panics(t, func() { passes.Register(passes.Pass{Name: name}) }, name)
	}
}

// TestOptions: an option changes what a pass does.
func TestOptions(t *testing.T) {
	for text, elided := range map[string]bool{"elide": false, "elide{larger-than=2}": true} {
		module, err := mlir.Parse("x.mlir", []byte(`"a.b"() {v = dense<[1, 2, 3]> : tensor<3xi8>} : () -> ()`))
		require.NoError(t, err)
		require.NoError(t, run(text, module))
		require.Equal(t, elided, strings.Contains(module.String(), "__elided__"))
	}
}
