package tileexact_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"sort"
	"testing"

	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/kernel/native"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
)

// sampleModule is a function @main of one call, and its inputs.
func sampleModule(op *ops.Op, s ops.Sample, r *rand.Rand) (*mlir.Operation, []*buf.Buffer, error) {
	c, err := op.NewCall(s.Args(r)...)
	if err != nil {
		return nil, nil, err
	}
	var in, out []mlir.Type
	var inputs []*buf.Buffer
	c.Each(func(v ops.Value) {
		in = append(in, mlir.Tensor(v.Type().DType, v.Type().Shape))
		inputs = append(inputs, v.(ops.BufferValue).Buffer)
	})
	for _, o := range c.Out {
		out = append(out, mlir.Tensor(o.DType, o.Shape))
	}
	module := mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr("main")},
		{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{Inputs: in, Results: out}}},
	})
	module.Body().Append(f)
	block := f.AddRegion().AddBlock(in...)
	next := -1
	call := c.Operation(func(ops.Value) *mlir.Value { next++; return block.Args[next] })
	block.Append(call)
	block.Append(mlir.NewOp("func.return", call.Results, nil, nil))
	return module, inputs, nil
}

// tally counts verdicts.
type tally struct {
	walked, all int
	reasons     map[string]int
}

var digits = regexp.MustCompile(`[0-9]+`)

func (y *tally) add(t testing.TB, what string, kernels []*tileexact.Result) {
	for _, k := range kernels {
		if k.Runs == 0 {
			continue
		}
		y.all++
		switch {
		case k.Err != nil:
			t.Errorf("%s: %s, %s", what, k.Mapping, k)
		case k.Skipped != "":
			y.reasons[digits.ReplaceAllString(k.Skipped, "N")]++
		default:
			y.walked++
		}
	}
}

func (y *tally) log(t testing.TB, what string) {
	t.Logf("%s: %d of %d kernels walked", what, y.walked, y.all)
	var lines []string
	for reason, n := range y.reasons {
		lines = append(lines, fmt.Sprintf("%4d not walked: %s", n, reason))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(lines)))
	for _, l := range lines {
		t.Log(l)
	}
}

// TestSamples lowers every sample of every operator and walks its kernels:
// integers have the native bits, floats are within rounding.
func TestSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := preset(t, "npu1")
	total := tally{reasons: make(map[string]int)}
	for _, op := range ops.All() {
		if op.Samples == nil {
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
			c := &tileexact.Checker{Machine: m, Native: native.Compile}
			exe, err := compiler.CompileWith(context.Background(), module, c.Backend)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			if _, err := exe.Run(context.Background(), inputs); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			exe.Close()
			total.add(t, what, c.Kernels)
		}
	}
	total.log(t, "operator samples")
	if total.all == 0 || total.walked < total.all*98/100 {
		t.Errorf("only %d of %d kernels were walked", total.walked, total.all)
	}
}
