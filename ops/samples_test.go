package ops_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/expand"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// sampleModule is a function @main of the aten dialect that computes one sample,
// or nil if the result types depend on data.
func sampleModule(t *testing.T, op *ops.Op, s ops.Sample) *mlir.Operation {
	t.Helper()
	c, err := op.NewCall(s.Args(rand.New(rand.NewPCG(1, 2)))...)
	if err == ops.ErrDataDependent {
		return nil
	}
	if err != nil {
		t.Fatalf("%s: %v", op.Name(), err)
	}
	module, _ := c.Program()
	return module
}

// TestSampled: every operator has samples, which its oracle and its gradient check need. An in-place variant has the
// samples of its functional form.
func TestSampled(t *testing.T) {
	for _, op := range ops.All() {
		if !op.IsInplace() && (op.Samples == nil || len(op.Samples()) == 0) {
			t.Errorf("%s has no samples", op.Name())
		}
	}
}

// TestSamples lowers every sample of every operator and verifies the result. Operators that
// draw random numbers are recorded as their expansions.
func TestSamples(t *testing.T) {
	for _, op := range ops.All() {
		if op.IsInplace() || op.Draws {
			continue
		}
		t.Run(op.Name(), func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Fatal(r)
				}
			}()
			for _, s := range op.Samples() {
				lowered(t, op, s)
			}
		})
	}
}

// lowered returns the linalg form of a sample, or nil if it runs on the host.
func lowered(t *testing.T, op *ops.Op, s ops.Sample) *mlir.Operation {
	t.Helper()
	module := sampleModule(t, op, s)
	if module == nil {
		return nil
	}
	for _, step := range []func(*mlir.Operation) error{
		mlir.Verify, lowering.Decompose, mlir.Verify, lowering.ToLinalg, mlir.Verify,
	} {
		if err := step(module); err != nil {
			t.Fatalf("%s%v: %v\n%s", op.Name(), s, err, module)
		}
	}
	for _, inner := range module.Func("main").Body().Ops {
		if strings.HasPrefix(inner.Name, "aten.") {
			return nil
		}
	}
	return module
}

// TestSamplesUpstream hands the linalg form of every sample to mlir-opt-19, with our own
// dialect written out.
func TestSamplesUpstream(t *testing.T) {
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		if os.Getenv("ACAP_REQUIRE_UPSTREAM") == "1" {
			t.Fatal(err)
		}
		t.Skip("mlir-opt-19 is not installed")
	}
	var text strings.Builder
	for _, op := range ops.All() {
		if op.IsInplace() || op.Draws || t.Failed() {
			continue
		}
		for i, s := range op.Samples() {
			if module := lowered(t, op, s); module != nil {
				packed := strings.Contains(module.String(), "acap.unpack")
				if err := expand.ACAP(module); (err != nil) != packed {
					t.Fatal(err)
				} else if packed {
					continue // upstream has no form for blocks
				}
				if err := mlir.Verify(module); err != nil {
					t.Fatalf("%s%v: %v\n%s", op.Name(), s, err, module)
				}
				name := fmt.Sprintf("@\"%s/%d\"", op.Name(), i)
				text.WriteString(strings.Replace(module.String(), "@main", name, 1) + "\n// -----\n")
			}
		}
	}
	cmd := exec.Command(tool, "-split-input-file", "-o", os.DevNull, "-")
	cmd.Stdin = strings.NewReader(text.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
}
