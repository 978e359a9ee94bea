package tensor_test

import (
	"context"
	"testing"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// BenchmarkRecord records one operator through its method, as users do.
func BenchmarkRecord(b *testing.B) {
	x, y := tensor.Ones(64, 64).To(acap.Device()), tensor.Ones(64, 64).To(acap.Device())
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y)
	}
}

// BenchmarkRecordInPlace records one operator that works in place.
func BenchmarkRecordInPlace(b *testing.B) {
	x, y := tensor.Ones(64, 64).To(acap.Device()), tensor.Ones(64, 64).To(acap.Device())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			x = y.Add(y) // what is recorded of the last one is garbage
		}
		x.AddInPlace(y)
	}
}

// BenchmarkBarrier records and computes a chain of 1000 operators whose program is
// cached. The metrics are per operator: all of it, and the barrier alone.
func BenchmarkBarrier(b *testing.B) {
	const n = 1000
	x, y := tensor.Ones(4).To(acap.Device()), tensor.Ones(4).To(acap.Device())
	ctx := context.Background()
	record := func() *tensor.Tensor {
		z := x
		for range n {
			z = z.Add(y)
		}
		return z
	}
	if err := tensor.Sync(ctx, record()); err != nil {
		b.Fatal(err)
	}
	var barrier float64
	for b.Loop() {
		b.StopTimer()
		z := record()
		b.StartTimer()
		if err := tensor.Sync(ctx, z); err != nil {
			b.Fatal(err)
		}
	}
	barrier = float64(b.Elapsed().Nanoseconds()) / float64(b.N) / n
	b.ReportMetric(barrier, "ns/op-barrier")
}

// BenchmarkOneOperator is one operator from the call to its result, cached.
func BenchmarkOneOperator(b *testing.B) {
	x, y := tensor.Ones(4).To(acap.Device()), tensor.Ones(4).To(acap.Device())
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if err := tensor.Sync(ctx, x.Add(y)); err != nil {
			b.Fatal(err)
		}
	}
}
