package replay_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/lazy/replay"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/passes"
)

// broken is a device that computes some programs wrongly.
type broken struct {
	device.Device
	breaks func(ops []string) (at int, by string) // which operation becomes another one; -1 for none
}

func (b broken) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	var names []string
	body := module.Func("main").Body()
	for _, op := range body.Ops {
		names = append(names, op.Name)
	}
	if at, by := b.breaks(names); at >= 0 {
		if by == "panic" {
			panic("broken")
		}
		body.Ops[at].Name = by
	}
	return b.Device.Compile(ctx, module)
}

var tolerance = replay.Tolerance{Relative: 1e-4, Absolute: 1e-5}

const program = `func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "aten.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":1:0)
  %1 = "aten.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":2:0)
  %2 = "aten.cos"(%1) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":3:0)
  %3 = "aten.relu"(%2) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":4:0)
  %4 = "aten.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":5:0)
  return %3, %4 : tensor<4xf32>, tensor<4xf32>
}`

func parse(t *testing.T) (*mlir.Operation, []*buf.Buffer) {
	module, err := mlir.Parse("m.mlir", []byte(program))
	require.NoError(t, err)
	return module, []*buf.Buffer{buf.From([]float32{-1, 0.5, 0.2, 1}, 4)}
}

func find(names []string, what string) int {
	for i, n := range names {
		if n == what {
			return i
		}
	}
	return -1
}

func TestBisect(t *testing.T) {
	module, inputs := parse(t)
	f, err := replay.Bisect(context.Background(), acap.Device(), module, inputs, tolerance)
	require.NoError(t, err)
	require.Nil(t, f, "nothing is wrong")
	for name, c := range map[string]struct {
		breaks func([]string) (int, string)
		op     string
		calls  int // of the reduced program
	}{
		"one call": {func(n []string) (int, string) { return find(n, "aten.cos"), "aten.sin" }, "aten.cos", 1},
		"two calls together": {func(n []string) (int, string) {
			if find(n, "aten.exp") < 0 {
				return -1, ""
			}
			return find(n, "aten.cos"), "aten.sin"
		}, "aten.cos", 3},
		"a panic": {func(n []string) (int, string) { return find(n, "aten.relu"), "panic" }, "aten.relu", 1},
	} {
		t.Run(name, func(t *testing.T) {
			dev := broken{acap.Device(), c.breaks}
			f, err := replay.Bisect(context.Background(), dev, module, inputs, tolerance)
			require.NoError(t, err)
			require.NotNil(t, f)
			require.Equal(t, c.op, f.Op)
			require.Equal(t, replay.Device, f.Stage)
			require.Contains(t, f.String(), "lowering, fusion and machine code give the right values")
			require.Equal(t, name == "a panic", f.Error)
			require.Equal(t, fmt.Sprintf("m.py:%d", f.Call), f.Where)
			r, err := replay.Reduce(context.Background(), dev, module, inputs, tolerance)
			require.NoError(t, err)
			require.Len(t, r.Program.Func("main").Body().Ops, c.calls+1)
			again, err := replay.Bisect(context.Background(), dev, r.Program, r.Inputs, tolerance)
			require.NoError(t, err)
			require.NotNil(t, again, "it still differs")
		})
	}
}

// TestBlamesPasses: of the passes that a device was asked for, Bisect names the one that is wrong or fails.
func TestBlamesPasses(t *testing.T) {
	rewrite := func(name string, f func(r *mlir.Rewriter, op *mlir.Operation) error) {
		passes.Register(passes.Pass{Name: name, Doc: "a faulty pass", Run: func(root *mlir.Operation) error {
			return mlir.Rewrite(root, func(r *mlir.Rewriter, op *mlir.Operation) error {
				if op.Name != "aten.relu" {
					return nil
				}
				return f(r, op)
			})
		}})
	}
	rewrite("drop", func(r *mlir.Rewriter, op *mlir.Operation) error { r.Replace(op.Operands[0]); return nil })
	rewrite("give-up", func(*mlir.Rewriter, *mlir.Operation) error { return errors.New("too hard") })
	rewrite("retype", func(_ *mlir.Rewriter, op *mlir.Operation) error {
		op.Results[0].Type = mlir.TensorType{Shape: []int{3}, Elem: mlir.F32}
		return nil
	})
	module, inputs := parse(t)
	for name, what := range map[string]string{"drop": "instead of 0", "give-up": "pass give-up: too hard", "retype": "after pass retype: m.py:4"} {
		dev := acap.Device().With(device.Config{}.WithPipeline("canonicalize," + name + ",cse"))
		f, err := replay.Bisect(context.Background(), dev, module, inputs, tolerance)
		require.NoError(t, err)
		require.Equal(t, "aten.relu", f.Op)
		require.Equal(t, replay.Passes, f.Stage, name)
		require.Equal(t, name, f.Pass)
		require.Contains(t, f.String(), what)
		require.Contains(t, f.String(), name+" is the first")
	}
}

// What Record writes is the program: it gives the same results.
func TestRecord(t *testing.T) {
	r := lazy.For(acap.Device())
	x := trace.Leaf(buf.From([]float32{-1, 2, 3}, 3))
	n, err := r.Record(ops.MustLookup("exp"), ops.TensorArg(x))
	require.NoError(t, err)
	y := value{r, n}
	file := filepath.Join(t.TempDir(), "bug.acap")
	require.NoError(t, lazy.Record(file, y))
	require.True(t, n.Pending())
	b, err := bundle.Read(file)
	require.NoError(t, err)
	require.Equal(t, "acap:npu1", b.About.Device)
	require.NotEmpty(t, b.About.Machine)
	require.Contains(t, b.Program.Func("main").Body().Ops[0].Loc.Short(), "replay_test.go:")
	f, err := replay.Bisect(context.Background(), acap.Device(), b.Program, b.Inputs, tolerance)
	require.NoError(t, err)
	require.Nil(t, f)
	exe, err := acap.Device().Compile(context.Background(), b.Program)
	require.NoError(t, err)
	out, err := exe.Run(context.Background(), b.Inputs)
	require.NoError(t, err)
	require.NoError(t, lazy.Sync(context.Background(), y))
	require.Equal(t, lazy.Data(n).Bytes(), out[0].Bytes())
}

type value struct {
	r *lazy.Runtime
	v ops.Value
}

func (v value) Trace() (*lazy.Runtime, ops.Value) { return v.r, v.v }

func ExampleBisect() {
	module, err := mlir.Parse("m.mlir", []byte(program))
	if err != nil {
		panic(err)
	}
	wrong := broken{acap.Device(), func(names []string) (int, string) { return find(names, "aten.cos"), "aten.sin" }}
	f, err := replay.Bisect(context.Background(), wrong, module, []*buf.Buffer{buf.From([]float32{0, 0, 0, 0}, 4)}, tolerance)
	fmt.Println(f.Op, f.Where, err)
	// Output: aten.cos m.py:3 <nil>
}
