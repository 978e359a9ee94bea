package tileexact_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
)

// sampleModule is a function @main of one call, and its inputs.
func sampleModule(op *ops.Op, s ops.Sample, r *rand.Rand) (*mlir.Operation, []*buf.Buffer, error) {
	c, err := op.NewCall(s.Args(r)...)
	if err != nil {
		return nil, nil, err
	}
	module, values := c.Program()
	var inputs []*buf.Buffer
	for _, v := range values {
		inputs = append(inputs, v.(ops.BufferValue).Buffer)
	}
	return module, inputs, nil
}

// walked checks that every kernel that ran was walked, without a difference, and
// returns how many there were.
func walked(t testing.TB, what string, kernels []*tileexact.Result) int {
	t.Helper()
	n := 0
	for _, k := range kernels {
		if k.Runs > 0 {
			n++
			// Blocks of packed formats are the host's; all else is walked.
			if blocks := strings.HasPrefix(k.Skipped, "an operand is stored in blocks of"); k.Err != nil || k.Skipped != "" && !blocks {
				t.Errorf("%s: %s, %s", what, k.Mapping, k)
			}
		}
	}
	return n
}

// on runs a test on every array. A usual run has one array for each test, which the name of the test picks.
func on(t *testing.T, test func(t *testing.T, m *machine.Machine)) {
	first := len(t.Name())
	for i := range longtest.Sample(1, 1, len(arrays)) {
		name := arrays[(first+i)%len(arrays)]
		t.Run(name, func(t *testing.T) { test(t, machinetest.Preset(t, name)) })
	}
}

// TestSamples lowers every sample of every operator and walks all kernels: integers
// have the native bits, floats are within rounding.
func TestSamples(t *testing.T) { on(t, walkSamples) }

func walkSamples(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(1, 2))
	total := 0
	for i, op := range ops.All() {
		if op.Samples == nil || op.Draws { // recorded only, as its expansion
			continue
		}
		if i%longtest.Sample(3, 3, 1) > 0 {
			continue
		}
		for i, s := range op.Samples() {
			what := fmt.Sprintf("%s/%d", op.Name(), i)
			module, inputs, err := sampleModule(op, s, r)
			if errors.Is(err, ops.ErrDataDependent) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			total += run(t, what, m, module, inputs)
		}
	}
	t.Logf("%d kernels", total)
	if total < longtest.Sample(330, 330, 1000) {
		t.Errorf("only %d kernels", total)
	}
}

// run compiles and runs a module, walks its kernels, and returns their number.
func run(t testing.TB, what string, m *machine.Machine, module *mlir.Operation, inputs []*buf.Buffer) int {
	t.Helper()
	c := &tileexact.Checker{Machine: m, Native: native.Compile}
	exe, err := c.Compile(context.Background(), module)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return 0
	}
	defer exe.Close()
	if _, err := exe.Run(context.Background(), inputs); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return walked(t, what, c.Kernels)
}
