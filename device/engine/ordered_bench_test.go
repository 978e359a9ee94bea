package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// BenchmarkOrdered reports the time of a million elements.
func BenchmarkOrdered(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := buf.New(dtype.F32, []int{1024, 1024})
	for i := range x.Len() {
		x.SetFloat64(i, r.NormFloat64())
	}
	index := buf.New(dtype.I64, []int{1024, 1})
	for i := range index.Len() {
		index.SetInt64(i, int64(r.IntN(1024)))
	}
	number := buf.From([]int64{1}).Reshape([]int{})
	type builder = func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value
	scan := func(kind string, axis int) builder {
		return func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{acap.Scan(b, kind, x[0], axis, false)}
		}
	}
	positions := func(axis int) builder {
		return func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{acap.ScanPositions(b, acap.Max, x[0], axis, false)}
		}
	}
	sort := func(o acap.Order) builder {
		return func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			values, positions := acap.Sort(b, x[0], o)
			return []*mlir.Value{values, positions}
		}
	}
	for _, c := range []struct {
		name  string
		in    []*buf.Buffer
		build builder
	}{
		{"cumsum rows", []*buf.Buffer{x}, scan(acap.Add, 1)},
		{"cumsum columns", []*buf.Buffer{x}, scan(acap.Add, 0)},
		{"cummax rows", []*buf.Buffer{x}, scan(acap.Max, 1)},
		{"cummax columns", []*buf.Buffer{x}, scan(acap.Max, 0)},
		{"cummax positions of rows", []*buf.Buffer{x}, positions(1)},
		{"cummax positions of columns", []*buf.Buffer{x}, positions(0)},
		{"sort rows", []*buf.Buffer{x}, sort(acap.Order{Axis: 1, Count: 1024})},
		{"top 10 of rows", []*buf.Buffer{x}, sort(acap.Order{Axis: 1, Descending: true, Count: 10})},
		{"sort all", []*buf.Buffer{x.Reshape([]int{1 << 20})}, sort(acap.Order{Count: 1 << 20})},
		{"add rows", []*buf.Buffer{x, index, x}, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{acap.Scatter(b, x[0], x[1], x[2], acap.Folding{Kind: acap.Add})}
		}},
		{"random bits", []*buf.Buffer{number}, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{acap.Random(b, x[0], x[0], []int{1 << 20})}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := Compile(orderedFunc(c.in, c.build), Options{Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			out, err := p.Run(context.Background(), c.in)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := p.RunInto(context.Background(), c.in, out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
