package bucket_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy/bucket"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// mean is a program whose length and divisor are n.
func mean(t *testing.T, n, divisor string) *mlir.Operation {
	m, err := mlir.Parse("mean.mlir", []byte(`module { func.func @main(%a: tensor<`+n+`x3xf32>) -> tensor<3xf32> {
 %0 = "aten.sum.dim_IntList"(%a) {dim = array<i64: 0>} : (tensor<`+n+`x3xf32>) -> tensor<3xf32>
 %1 = "aten.div.Scalar"(%0) {other = `+divisor+` : i64} : (tensor<3xf32>) -> tensor<3xf32>
 return %1 : tensor<3xf32> } }`))
	require.NoError(t, err)
	return m
}

func lowered(t *testing.T, m *mlir.Operation) *mlir.Operation {
	require.NoError(t, compiler.Lower(m))
	return m
}

func read(t *testing.T, m *mlir.Operation) *bucket.Exact {
	e, err := bucket.Read(lowered(t, m))
	require.NoError(t, err)
	return e
}

// What depends on the extent is an input of the bucket's program, and what does not must be equal.
func TestFit(t *testing.T) {
	form := func(n int, counts bool) *mlir.Operation {
		m, err := bucket.Retype(mean(t, "5", "5"), map[bucket.Dim]int{{Argument: 0, Dim: 0}: n}, bucket.Guess{Counts: counts})
		require.NoError(t, err)
		return lowered(t, m)
	}
	p, err := bucket.New(form(8, true), form(1031, true))
	require.NoError(t, err)
	values := func(n, divisor string) []float64 {
		numbers, err := p.Fit(read(t, mean(t, n, divisor)))
		require.NoError(t, err)
		var out []float64
		for _, b := range numbers {
			if b.DType.IsFloat() {
				out = append(out, b.Float64(0))
			} else {
				out = append(out, float64(b.Int64(0)))
			}
		}
		return out
	}
	require.ElementsMatch(t, []float64{5, 5}, values("5", "5"))
	require.ElementsMatch(t, []float64{3, 3}, values("3", "3"))
	require.ElementsMatch(t, []float64{3, 7}, values("3", "7"), "the divisor is the program's")
	_, err = p.Fit(read(t, mean(t, "9", "9")))
	require.ErrorContains(t, err, "larger than the bucket")

	q, err := bucket.New(form(8, false), form(1031, false))
	require.NoError(t, err)
	_, err = q.Fit(read(t, mean(t, "3", "3")))
	require.ErrorContains(t, err, "does not depend on the extent otherwise")
	_, err = bucket.New(form(8, true), form(8, true))
	require.ErrorContains(t, err, "nothing depends on the extent")
}

// TestEverySample: with each extent of an operand of a sample in the place of a bucket, the program of the bucket
// computes the results that the program for the extent computes. The padding holds NaN, and indices that are out of
// range.
func TestEverySample(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	served, refused := map[string]bool{}, 0
	for _, op := range ops.All() {
		if op.IsInplace() || op.Samples == nil || op.Draws || op.Expand != nil {
			continue
		}
		for _, sample := range op.Samples() {
			call, err := op.NewCall(sample.Args(r)...)
			if err != nil {
				continue // the types of its results depend on data
			}
			module, values := call.Program()
			inputs := make([]*buf.Buffer, len(values))
			extents := map[int]bool{}
			for i, v := range values {
				inputs[i] = v.(ops.BufferValue).Buffer
				for _, n := range inputs[i].Shape {
					extents[n] = n > 1
				}
			}
			for n, long := range extents {
				if !long {
					continue
				}
				out, err := inBucket(t, module, inputs, n)
				if err != nil {
					refused++
					continue
				}
				served[op.Name()] = true
				want := run(t, module.Clone(map[*mlir.Value]*mlir.Value{}), inputs)
				for i := range want {
					samePart(t, call.Op.Name(), want[i], out[i])
				}
			}
		}
	}
	require.Greater(t, len(served), 100)
	require.NotZero(t, refused)
}

// inBucket runs the program of a bucket for what has n elements in a dimension.
func inBucket(t *testing.T, module *mlir.Operation, inputs []*buf.Buffer, n int) ([]*buf.Buffer, error) {
	extents := [2]map[bucket.Dim]int{{}, {}}
	for i, b := range inputs {
		for d, have := range b.Shape {
			if have == n {
				extents[0][bucket.Dim{Argument: i, Dim: d}] = n + 3
				extents[1][bucket.Dim{Argument: i, Dim: d}] = n + 1012
			}
		}
	}
	exact := module.Clone(map[*mlir.Value]*mlir.Value{})
	if err := compiler.Lower(exact); err != nil {
		return nil, err
	}
	e, err := bucket.Read(exact)
	if err != nil {
		return nil, err
	}
	var forms [2]*mlir.Operation
	for k := range forms {
		if forms[k], err = bucket.Retype(module, extents[k], bucket.Guess{Counts: true}); err != nil {
			return nil, err
		}
		if err := compiler.Lower(forms[k]); err != nil {
			return nil, err
		}
	}
	p, err := bucket.New(forms[0], forms[1])
	if err != nil {
		return nil, err
	}
	numbers, err := p.Fit(e)
	if err != nil {
		return nil, err
	}
	var padded []*buf.Buffer
	for i, b := range inputs {
		dims := slices.Clone(b.Shape)
		for d := range dims {
			if to, ok := extents[0][bucket.Dim{Argument: i, Dim: d}]; ok {
				dims[d] = to
			}
		}
		wide := buf.New(b.DType, dims)
		for k := range wide.Len() {
			at, inside := place(dims, b.Shape, k)
			switch {
			case inside:
				copy(wide.Bytes()[k*b.DType.Size():(k+1)*b.DType.Size()], b.Bytes()[at*b.DType.Size():])
			case b.DType.IsFloat():
				wide.SetFloat64(k, math.NaN())
			case b.DType != dtype.Bool:
				wide.SetInt64(k, 99)
			}
		}
		padded = append(padded, wide)
	}
	require.NoError(t, mlir.Verify(p.Module), p.Module.String())
	return run(t, p.Module, append(padded, numbers...)), nil
}

// place is where element k of a shape is in a smaller one, if it is in it.
func place(dims, small []int, k int) (int, bool) {
	at, step := 0, 1
	for d := len(dims) - 1; d >= 0; d-- {
		i := k % dims[d]
		if i >= small[d] {
			return 0, false
		}
		at, step, k = at+i*step, step*small[d], k/dims[d]
	}
	return at, true
}

func run(t *testing.T, module *mlir.Operation, inputs []*buf.Buffer) []*buf.Buffer {
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(context.Background(), inputs)
	require.NoError(t, err)
	return out
}

// samePart compares a result with the front part of a bucket's result.
func samePart(t *testing.T, name string, want, have *buf.Buffer) {
	require.Equal(t, want.DType, have.DType)
	for k := range have.Len() {
		at, inside := place(have.Shape, want.Shape, k)
		if !inside {
			continue
		}
		w, h := []float64{want.Float64(at)}, []float64{have.Float64(k)}
		if want.DType.IsComplex() {
			w, h = []float64{real(want.Complex(at)), imag(want.Complex(at))}, []float64{real(have.Complex(k)), imag(have.Complex(k))}
		}
		for i := range w {
			if w[i] != h[i] && !(math.IsNaN(w[i]) && math.IsNaN(h[i])) {
				require.InEpsilon(t, 10+w[i], 10+h[i], 1e-5, "%s of %v in %v", name, want.Shape, have.Shape)
			}
		}
	}
}
