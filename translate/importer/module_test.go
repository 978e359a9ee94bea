package importer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/passes/guard"
)

func f32(dims ...int) ops.TensorType { return ops.TensorType{DType: dtype.F32, Shape: dims} }

// TestModule: arguments have names, constants stand in the text up to 64 bytes and are resources under
// names of their own above, and one buffer is one constant.
func TestModule(t *testing.T) {
	counted := func(n int) *buf.Buffer {
		b := buf.New(dtype.F32, []int{n})
		for i := range n {
			b.SetFloat64(i, float64(i))
		}
		return b
	}
	small, large, other := counted(16), counted(17), counted(17)
	module, err := importer.Module("m", []string{"left", "right"}, []ops.TensorType{f32(16), f32(17)},
		func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
			b.SetLocation(mlir.Location{File: "net.py", Line: 3, Col: 1})
			e := ops.Emit{Builder: b}
			x := e.Add(in[0], b.Constant("w", small))
			y := e.Add(e.Add(in[1], b.Constant("a b", large)), b.Constant("a b", other))
			y = e.Add(e.Add(y, b.Constant("", counted(17))), b.Constant("1st", counted(17)))
			return []ops.Value{x, e.Add(y, b.Constant("again", large))}, nil
		})
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	f := module.Func("main")
	require.Equal(t, "left", f.Body().Args[0].Name)
	require.Equal(t, "right", f.Body().Args[1].Name)
	var keys []string
	dense := 0
	module.Walk(func(op *mlir.Operation) {
		switch a := op.Attrs.Get("value").(type) {
		case mlir.ResourceAttr:
			keys = append(keys, a.Key)
		case mlir.DenseAttr:
			dense++
		}
	})
	require.Equal(t, []string{"a_b", "a_b_1", "constant", "_1st"}, keys)
	require.Equal(t, 1, dense)
	require.Equal(t, "net.py:3:1", f.Body().Ops[0].Loc.Short())

	module, err = importer.Module("m", []string{"few"}, []ops.TensorType{f32(1), f32(1)},
		func(b importer.Builder, in []ops.Value) ([]ops.Value, error) { return in, nil })
	require.NoError(t, err)
	require.Empty(t, module.Func("main").Body().Args[0].Name)

	_, err = importer.Module("m", nil, []ops.TensorType{f32(1), f32(2, -1)}, nil)
	require.ErrorContains(t, err, "m: input 1 has the type f32 [2 -1]")
	_, err = importer.Module("m", nil, []ops.TensorType{{Shape: []int{1}}}, nil)
	require.ErrorContains(t, err, "m: input 0 has the type")
	failed := errors.New("no")
	_, err = importer.Module("m", nil, nil, func(importer.Builder, []ops.Value) ([]ops.Value, error) { return nil, failed })
	require.ErrorIs(t, err, failed)
}

// TestSpecialized: what is read is right, is computed once, and later reads begin from what earlier
// ones computed.
func TestSpecialized(t *testing.T) {
	var modules []string
	run := func(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
		modules = append(modules, module.String())
		exe, err := host.Device().Compile(context.Background(), module)
		if err != nil {
			return nil, err
		}
		defer exe.Close()
		return exe.Run(context.Background(), inputs)
	}
	inputs := []*buf.Buffer{buf.From([]float32{1, -2}, 2)}
	forward := func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		r := b.(importer.Reader)
		e := ops.Emit{Builder: b}
		x, err := r.Read(in[0], "a list")
		require.NoError(t, err)
		require.Equal(t, inputs[0], x)
		doubled := e.Add(in[0], in[0])
		e.Call("exp", in[0]) // nothing that is read needs it
		turned := e.Neg(doubled)
		list, err := r.Read(turned, "a list")
		if err != nil {
			return nil, err
		}
		require.Equal(t, []float32{-2, 4}, buf.Slice[float32](list))
		_, err = r.Read(turned, "a list")
		require.NoError(t, err)
		_, err = r.Read(doubled, "a list")
		require.NoError(t, err)
		list, err = r.Read(e.Call("abs", turned), "a list")
		require.NoError(t, err)
		require.Equal(t, []float32{2, 4}, buf.Slice[float32](list))
		return []ops.Value{turned}, nil
	}
	module, err := importer.Specialized("m", nil, inputs, run, forward)
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	require.Len(t, modules, 3, "one for each value that was not known, and one for the numbers of the guards")
	names, err := guard.Names(guard.Find(module))
	require.NoError(t, err)
	require.Equal(t, []string{"a list (input 0)", "a list", "a list", "a list"}, names, "what is read twice has one guard")
	require.NotContains(t, guard.Find(module).String(), "aten.exp")
	require.NotContains(t, modules[0], "aten.exp")
	require.Contains(t, modules[0], "aten.add")
	require.NotContains(t, modules[1], "aten.add")
	require.Equal(t, 1, strings.Count(modules[1], "arith.constant"))
	_, err = importer.Specialized("m", nil, inputs, nil, forward)
	require.ErrorContains(t, err, "it is computed from the inputs")
}

// TestNoGuards: what depends on no input cannot differ, and a model that reads nothing is right for all inputs.
func TestNoGuards(t *testing.T) {
	inputs := []*buf.Buffer{buf.From([]float32{1, -2}, 2)}
	module, err := importer.Specialized("m", nil, inputs, host.Run, func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		e := ops.Emit{Builder: b}
		weight := b.Constant("w", buf.From([]float32{3, 4}, 2))
		read, err := b.(importer.Reader).Read(e.Neg(weight), "a number")
		require.NoError(t, err)
		require.Equal(t, []float32{-3, -4}, buf.Slice[float32](read))
		return []ops.Value{e.Add(in[0], weight)}, nil
	})
	require.NoError(t, err)
	require.Nil(t, guard.Find(module))
	require.Nil(t, guard.Take(module))
}

// TestSpecializedErrors: the caller gets the error of a run or a read, and results that depend on elements are computed
// on the host.
func TestSpecializedErrors(t *testing.T) {
	inputs := []*buf.Buffer{buf.From([]float32{1, 0, -2}, 3)}
	failed := errors.New("the device is busy")
	run := func(*mlir.Operation, []*buf.Buffer) ([]*buf.Buffer, error) { return nil, failed }
	call := func(in ops.Value, name string) *ops.Call {
		op, args, err := ops.Resolve(name, []ops.Arg{ops.TensorArg(in)}, nil)
		require.NoError(t, err)
		return &ops.Call{Op: op, Args: args}
	}
	_, err := importer.Specialized("m", nil, inputs, run, func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		e, r := ops.Emit{Builder: b}, b.(importer.Reader)
		counted := importer.Counted{Builder: b, Count: func() {}}
		found, err := importer.Compute(counted, call(in[0], "nonzero"))
		require.NoError(t, err)
		require.Equal(t, []int{2, 1}, found[0].Type().Shape)
		_, err = importer.Compute(counted, call(e.Neg(in[0]), "nonzero"))
		require.ErrorIs(t, err, failed)
		found, err = importer.Compute(counted, call(in[0], "neg"))
		require.NoError(t, err, "its shape is known")
		require.Equal(t, []int{3}, found[0].Type().Shape)
		_, err = r.Read(e.Neg(in[0]), "a list")
		require.ErrorIs(t, err, failed)
		return in, err
	})
	require.ErrorIs(t, err, failed)
}

// TestReadsGoOn: a read begins at the last values that an earlier read computed on its way, however large all values of
// the way are together. The oldest values are forgotten.
func TestReadsGoOn(t *testing.T) {
	var lengths []int // of the programs of reads
	run := func(module *mlir.Operation, _ []*buf.Buffer) (out []*buf.Buffer, err error) {
		ops := module.Funcs()[0].Body().Ops
		lengths = append(lengths, len(ops))
		for _, v := range ops[len(ops)-1].Operands {
			typ := v.Type.(mlir.TensorType)
			out = append(out, buf.New(mlir.DTypeOf(typ.Elem), typ.Shape))
		}
		return out, nil
	}
	x := buf.New(dtype.F32, []int{16 << 20}) // 64 MiB
	_, err := importer.Specialized("m", nil, []*buf.Buffer{x}, run, func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		e, r := ops.Emit{Builder: b}, b.(importer.Reader)
		y := in[0]
		for range 10 {
			y = e.Call("exp", y)
		}
		first := e.Call("neg", y)
		y = first
		for range 6 {
			if _, err := r.Read(e.Sum(y, []int{0}, false), "the sum"); err != nil {
				return nil, err
			}
			y = e.Call("neg", y)
		}
		_, err := r.Read(e.Sum(e.Call("exp", first), []int{0}, false), "a sum of what is forgotten")
		return []ops.Value{y}, err
	})
	require.NoError(t, err)
	require.Len(t, lengths, 8) // the last run is for the guards
	require.Greater(t, lengths[0], 11)
	for _, n := range lengths[1:6] {
		require.LessOrEqual(t, n, 5)
	}
	require.Greater(t, lengths[6], 11)
}
