package dialect_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/mutate"
)

// Each dialect has a target, whose seeds are the parts of its files. Whatever the text:
// parsing, verifying and printing end without a panic, and the print of a valid module
// reads back as the same.

func FuzzAcap(f *testing.F)          { fuzz(f, "acap") }
func FuzzAffine(f *testing.F)        { fuzz(f, "affine") }
func FuzzArith(f *testing.F)         { fuzz(f, "arith") }
func FuzzAten(f *testing.F)          { fuzz(f, "aten") }
func FuzzBufferization(f *testing.F) { fuzz(f, "bufferization") }
func FuzzBuiltin(f *testing.F)       { fuzz(f, "builtin", "generic", "wide", "structure", "memory") }
func FuzzCf(f *testing.F)            { fuzz(f, "cf") }
func FuzzComplex(f *testing.F)       { fuzz(f, "complex") }
func FuzzFunc(f *testing.F)          { fuzz(f, "func") }
func FuzzIndex(f *testing.F)         { fuzz(f, "index") }
func FuzzLinalg(f *testing.F)        { fuzz(f, "linalg") }
func FuzzMath(f *testing.F)          { fuzz(f, "math") }
func FuzzMemref(f *testing.F)        { fuzz(f, "memref") }
func FuzzMLProgram(f *testing.F)     { fuzz(f, "ml_program") }
func FuzzScf(f *testing.F)           { fuzz(f, "scf") }
func FuzzSdy(f *testing.F)           { fuzz(f, "sdy") }
func FuzzStablehlo(f *testing.F)     { fuzz(f, "stablehlo") }
func FuzzTensor(f *testing.F)        { fuzz(f, "tensor") }
func FuzzTorch(f *testing.F)         { fuzz(f, "torch") }
func FuzzTosa(f *testing.F)          { fuzz(f, "tosa") }
func FuzzUb(f *testing.F)            { fuzz(f, "ub") }
func FuzzVector(f *testing.F)        { fuzz(f, "vector") }

var (
	separator = regexp.MustCompile(`(?m)^// -----\n`)
	words     = regexp.MustCompile(`"[^"\n]*"|[%@#!^]?[\w.$]+|[^\w\s]`)
)

// fuzz changes the bytes of a text, and words of it by a seed other than zero.
func fuzz(f *testing.F, names ...string) {
	var others []string
	for _, name := range names {
		found := 0
		for _, path := range []string{name + ".mlir", name + "_invalid.mlir"} {
			src, err := os.ReadFile(filepath.Join("testdata", path))
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				f.Fatal(err)
			}
			found++
			others = append(others, words.FindAllString(string(src), -1)...)
			for i, part := range separator.Split(string(src), -1) {
				f.Add([]byte(part), uint64(0))
				f.Add([]byte(part), uint64(i+1))
			}
		}
		if found == 0 {
			f.Fatalf("no seeds for %s", name)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		if seed != 0 {
			src = mutate.Text(rand.New(rand.NewPCG(seed, 1)), src, others)
		}
		start := cputime.Used()
		survives(t, src)
		if took := cputime.Used() - start; took > 20*time.Second {
			t.Fatalf("takes %v:\n%s", took, src)
		}
	})
}

// survives fails on a text that breaks something.
func survives(t *testing.T, src []byte) {
	module, err := mlir.Parse("fuzz.mlir", src)
	if err != nil {
		return
	}
	valid := mlir.Verify(module) == nil
	digest := meaning(module)
	for _, opts := range []mlir.PrintOptions{{}, {Generic: true}, {Pretty: true, Locations: true}} {
		text := module.Text(opts)
		if !valid {
			continue // a use that nothing dominates may not read back
		}
		again, err := mlir.Parse("again.mlir", []byte(text))
		if err != nil {
			t.Fatalf("%v\nin the print:\n%s\nof:\n%s", err, text, src)
		}
		if got := again.Text(opts); got != text {
			t.Fatalf("prints as\n%s\nand then as\n%s", text, got)
		}
		if meaning(again) != digest {
			t.Fatalf("prints as another module:\n%s\nof:\n%s", again.Text(mlir.PrintOptions{Generic: true}), module.Text(mlir.PrintOptions{Generic: true}))
		}
	}
}

// meaning is the digest of a module. Empty lists of attributes of arguments and results do not count: upstream's custom
// form has no place for them.
func meaning(module *mlir.Operation) mlir.Digest {
	module.Walk(func(op *mlir.Operation) {
		for _, name := range []string{"arg_attrs", "res_attrs"} {
			if list, ok := op.Attrs.Get(name).(mlir.ArrayAttr); ok && len(list) == 0 {
				op.Attrs = op.Attrs.Without(name)
			}
		}
	})
	return mlir.DigestOf(module, "")
}
