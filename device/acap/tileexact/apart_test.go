package tileexact_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// TestSamplesApart cuts kernels into kernels of one sample and walks these, sample after sample, on some columns of an
// array as stages of a pipeline do: together they give the kernel's results for the whole batch.
func TestSamplesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	const samples = 3
	wide := convolution(4, 7, 9, 3, 2, dtype.I8, dtype.I32)
	wide.N, wide.X.Len = samples, samples*4*7*7
	wide.Epilogue.Access[1].Len = samples * 9 * wide.P * wide.Q
	for _, k := range []kernel.Kernel{
		product(24, 32, 20, dtype.I8, dtype.I32, dtype.I32), product(33, 16, 8, dtype.F32, dtype.F32, dtype.F32), wide,
		attends(6, 16, 24, 8, 8, dtype.F32), softmax(12, 40, dtype.F32),
		&kernel.Scan{Name: "scan", Lines: kernel.Lines{Outer: 6, N: 50, Inner: 2}, Fold: kernel.FoldAdd,
			X: port(dtype.I64, 600, false), Out: port(dtype.I64, 600, true)},
	} {
		ports := k.Ports()
		belongs := make([]describe.Belongs, len(ports))
		one := describe.Sample(k, samples, belongs)
		require.NotNil(t, one, "%s", k)
		var whole, apart []*buf.Buffer // with results of their own
		for _, p := range ports {
			b := buf.New(p.DType, []int{p.Len})
			for i := range p.Len {
				if p.DType.IsFloat() {
					b.SetFloat64(i, r.Float64()*2-1)
				} else {
					b.SetInt64(i, r.Int64N(15)-7)
				}
			}
			whole = append(whole, b)
			if p.Write {
				b = buf.New(p.DType, []int{p.Len})
			}
			apart = append(apart, b)
		}
		run := func(code kernel.Code, operands []*buf.Buffer, sample int) {
			args := kernel.Args{}
			for i, b := range operands {
				at := 0
				if sample > 0 && belongs[i] == describe.ToSamples {
					at = sample * len(b.Bytes()) / samples
				}
				args.Ptr = append(args.Ptr, unsafe.Add(b.Pointer(), at))
			}
			code.Run(&args, 0, code.Units())
			require.Zero(t, args.Fault)
		}
		code, err := (&tileexact.Checker{Machine: machinetest.Preset(t, "npu2"), Native: native.Compile}).Backend(k)
		require.NoError(t, err)
		run(code, whole, 0)
		code.Close()
		part, err := machinetest.Preset(t, "npu2").Columns(2, 4)
		require.NoError(t, err)
		c := &tileexact.Checker{Machine: part, Native: native.Compile}
		code, err = c.Backend(one)
		require.NoError(t, err)
		for sample := range samples {
			run(code, apart, sample)
		}
		code.Close()
		require.Empty(t, c.Kernels[0].Skipped)
		require.NoError(t, c.Kernels[0].Err)
		require.Equal(t, samples, c.Kernels[0].Runs)
		for i, p := range ports {
			require.Equal(t, p.Len/one.Ports()[i].Len, map[describe.Belongs]int{describe.ToAll: 1, describe.ToSamples: samples}[belongs[i]])
			for j := range p.Len {
				require.InDelta(t, whole[i].Float64(j), apart[i].Float64(j), 1e-5, "%s: port %d, element %d", c.Kernels[0].Kernel, i, j)
			}
		}
	}
}

// TestSamplesTogether leaves kernels whole that make something of several samples, of a sample's number, or of arrays
// that are not there for each sample.
func TestSamplesTogether(t *testing.T) {
	sum := softmax(8, 64, dtype.F32) // samples are in the rows
	sum.Access[0].Outer, sum.Access[0].Inner = []int{1}, []int{8}
	sum.Access[2].Outer, sum.Access[2].Inner = []int{1}, []int{8}
	numbered := softmax(8, 64, dtype.F32)
	last := &numbered.Stages[2]
	last.Body = append(slices.Clone(last.Body), kernel.Instr{Op: kernel.Index, Type: dtype.I64})
	for name, c := range map[string]struct {
		kernel  kernel.Kernel
		samples int
		belongs []describe.Belongs
	}{
		"not divided":         {product(24, 32, 20, dtype.I8, dtype.I32, dtype.I32), 7, make([]describe.Belongs, 4)},
		"weights of a sample": {product(24, 32, 20, dtype.I8, dtype.I32, dtype.I32), 2, []describe.Belongs{1: describe.ToSamples, 3: 0}},
		"shared rows":         {product(24, 32, 20, dtype.I8, dtype.I32, dtype.I32), 2, []describe.Belongs{describe.ToAll, 3: 0}},
		"a shared result":     {product(24, 32, 20, dtype.I8, dtype.I32, dtype.I32), 2, []describe.Belongs{3: describe.ToAll}},
		"across samples":      {sum, 2, make([]describe.Belongs, 3)},
		"the sample's number": {numbered, 2, make([]describe.Belongs, 3)},
		"images to all":       {convolution(4, 7, 9, 3, 2, dtype.I8, dtype.I32), 2, []describe.Belongs{describe.ToAll, 3: 0}},
		"a scan along": {&kernel.Scan{Name: "scan", Lines: kernel.Lines{Outer: 1, N: 50, Inner: 2}, Fold: kernel.FoldAdd,
			X: port(dtype.I64, 100, false), Out: port(dtype.I64, 100, true)}, 2, make([]describe.Belongs, 2)},
	} {
		require.Nil(t, describe.Sample(c.kernel, c.samples, c.belongs), name)
	}
}
