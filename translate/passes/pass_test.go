package passes_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/translate/passes"
)

func run(names string, module *mlir.Operation) error {
	pipeline, err := passes.Parse(names)
	if err != nil {
		return err
	}
	return pipeline.Run(module)
}

func TestPasses(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { mlirtest.Passes(t, path, run) })
	}
}

// TestPassesUpstream: mlir-opt reads what comes out of the passes.
func TestPassesUpstream(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.mlir")
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			module, err := mlir.Parse(path, src)
			if err != nil {
				t.Fatal(err)
			}
			if err := run("inline,symbol-dce,canonicalize,cse", module); err != nil {
				t.Fatal(err)
			}
			mlirtest.Upstream(t, module.String(), "mlir-opt-19", "-allow-unregistered-dialect")
		})
	}
}

func TestUnknownPass(t *testing.T) {
	_, err := passes.Parse("cse,nonsense")
	if err == nil || !strings.Contains(err.Error(), `"nonsense"`) {
		t.Errorf("got %v", err)
	}
}

// TestBrokenPass: the pipeline finds that a pass left an invalid module.
func TestBrokenPass(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte("func.func @f() { return }"))
	if err != nil {
		t.Fatal(err)
	}
	broken := passes.Pass{Name: "broken", Run: func(m *mlir.Operation) error {
		m.Func("f").Body().Ops = nil
		return nil
	}}
	err = passes.New(broken).Run(module)
	if err == nil || !strings.Contains(err.Error(), "after pass broken: x.mlir:1:1: error:") {
		t.Errorf("got %v", err)
	}
}

func TestDump(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte("%0 = arith.constant 1 : i32"))
	if err != nil {
		t.Fatal(err)
	}
	pipeline, err := passes.Parse("dce")
	if err != nil {
		t.Fatal(err)
	}
	var before, after bytes.Buffer
	pipeline.Before, pipeline.After = &before, &after
	if err := pipeline.Run(module); err != nil {
		t.Fatal(err)
	}
	if want := "// -----// IR Dump Before dce //----- //\nmodule {\n  %c1_i32 = arith.constant 1 : i32\n}\n"; before.String() != want {
		t.Errorf("got %q", before.String())
	}
	if want := "// -----// IR Dump After dce //----- //\nmodule {\n}\n"; after.String() != want {
		t.Errorf("got %q", after.String())
	}
	if len(pipeline.Timings) != 1 || pipeline.Timings[0].Pass != "dce" {
		t.Errorf("timings %v", pipeline.Timings)
	}
}

// TestDumpOfChanges: of the passes that are to be printed, those that change something are, and an error of what is
// printed to ends the run.
func TestDumpOfChanges(t *testing.T) {
	dumped := func(set func(p *passes.Pipeline)) (string, error) {
		module, err := mlir.Parse("x.mlir", []byte("%0 = arith.constant 1 : i32"))
		if err != nil {
			t.Fatal(err)
		}
		pipeline, err := passes.Parse("cse,dce,canonicalize")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		pipeline.After = &b
		set(pipeline)
		err = pipeline.Run(module)
		var heads []string
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "// -----// IR Dump ") {
				heads = append(heads, strings.Fields(line)[4]+" "+strings.Fields(line)[5])
			}
		}
		return strings.Join(heads, ", "), err
	}
	for want, set := range map[string]func(p *passes.Pipeline){
		"After cse, After dce, After canonicalize": func(*passes.Pipeline) {},
		"After dce": func(p *passes.Pipeline) { p.OnlyChanges = true },
		"After cse": func(p *passes.Pipeline) { p.PrintsAfter = func(name string) bool { return name == "cse" } },
		"":          func(p *passes.Pipeline) { p.OnlyChanges, p.After = true, nil },
		"Before canonicalize, After canonicalize": func(p *passes.Pipeline) {
			p.Before, p.PrintsAfter = p.After, func(name string) bool { return name == "canonicalize" }
			p.PrintsBefore = p.PrintsAfter
		},
	} {
		if got, err := dumped(set); err != nil || got != want {
			t.Errorf("got %q, %v, not %q", got, err, want)
		}
	}
	for _, set := range []func(p *passes.Pipeline){func(p *passes.Pipeline) { p.Before = full{} }, func(p *passes.Pipeline) { p.After = full{} }} {
		if _, err := dumped(set); !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
	}
}

var errFull = errors.New("no room")

// full is a writer that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
