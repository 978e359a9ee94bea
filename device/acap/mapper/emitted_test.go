package mapper_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestEmitted has the checker of mlir-aie's limits read the programs of cubed products: all machines and types, by
// turns at both levels and in both versions of the text.
func TestEmitted(t *testing.T) {
	operand := func(d dtype.DType, f dtype.Format) workload.Operand { return workload.Operand{DType: d, Format: f} }
	types := map[string]workload.Contraction{
		"bf16":       {A: operand(dtype.BF16, dtype.Plain), B: operand(dtype.BF16, dtype.Plain), Acc: dtype.F32, Out: dtype.BF16},
		"bf16 f32":   {A: operand(dtype.BF16, dtype.Plain), B: operand(dtype.BF16, dtype.Plain), Acc: dtype.F32, Out: dtype.F32},
		"f32":        {A: operand(dtype.F32, dtype.Plain), B: operand(dtype.F32, dtype.Plain), Acc: dtype.F32, Out: dtype.F32},
		"i8":         {A: operand(dtype.I8, dtype.Plain), B: operand(dtype.I8, dtype.Plain), Acc: dtype.I32, Out: dtype.I8},
		"i8 i32":     {A: operand(dtype.I8, dtype.Plain), B: operand(dtype.I8, dtype.Plain), Acc: dtype.I32, Out: dtype.I32},
		"i16":        {A: operand(dtype.I16, dtype.Plain), B: operand(dtype.I16, dtype.Plain), Acc: dtype.I32, Out: dtype.I16},
		"i16 i32":    {A: operand(dtype.I16, dtype.Plain), B: operand(dtype.I16, dtype.Plain), Acc: dtype.I32, Out: dtype.I32},
		"bfp16":      {A: operand(dtype.BF16, dtype.BFP16), B: operand(dtype.BF16, dtype.BFP16), Acc: dtype.F32, Out: dtype.BF16},
		"bf16 bfp16": {A: operand(dtype.BF16, dtype.Plain), B: operand(dtype.BF16, dtype.BFP16), Acc: dtype.F32, Out: dtype.BF16},
		"i8 i4":      {A: operand(dtype.I8, dtype.Plain), B: operand(dtype.I8, dtype.I4), Acc: dtype.I32, Out: dtype.I8},
		"bf16 q4":    {A: operand(dtype.BF16, dtype.Plain), B: operand(dtype.BF16, dtype.Q4), Acc: dtype.F32, Out: dtype.BF16},
	}
	names, sizes := machine.Names(), []int{512, 4096}
	if !longtest.On() {
		names, sizes = []string{"npu2"}, []int{512}
	}
	turn := 0
	for _, name := range names {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Programmed() {
			continue
		}
		emitted := 0
		for _, of := range slices.Sorted(maps.Keys(types)) {
			c := types[of]
			if !longtest.On() && c.A.DType == dtype.I16 {
				continue // a usual run has kernels of i8 alone
			}
			for _, n := range sizes {
				c.Batch, c.M, c.K, c.N = 1, n, n, n
				choice, err := mapper.Map(m, &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: c})
				if err != nil {
					t.Logf("%s: %s, %d cubed: %.200v", name, of, n, err)
					continue
				}
				version, lower := []string{program.Current, program.Dialect}[turn%2], turn/2%2 == 0
				if err := checked(choice, version, lower); err != nil {
					t.Errorf("%s: %s, %d cubed, %s, lowered %v: %v: %.600v", name, of, n, version, lower, choice.Mapping, err)
				}
				turn++
				emitted++
			}
		}
		if emitted < 4*len(sizes) {
			t.Errorf("%s: only %d products", name, emitted)
		}
	}
}

// TestEmittedUneven has the checker read programs of products and convolutions whose extents are no round numbers:
// strips in mem tiles of more rows than a dimension counts, and transfers that repeat more often than a task does.
func TestEmittedUneven(t *testing.T) {
	plain := workload.Operand{DType: dtype.BF16}
	product := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 1840, N: 2271, K: 3351,
		A: plain, B: plain, Acc: dtype.F32, Out: dtype.BF16}}
	convolution := &workload.Kernel{Name: "convolution", Kind: workload.KindConvolution, Convolution: workload.Convolution{N: 3, C: 32, H: 167, W: 107, K: 258,
		R: 7, S: 7, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1, Groups: 1, In: dtype.BF16, Weight: dtype.BF16, Acc: dtype.F32, Out: dtype.BF16}}
	type on struct {
		machine string
		kernel  *workload.Kernel
	}
	some := longtest.Sample(1, 1, 2)
	for _, c := range []on{{"vek280", product}, {"vck190", convolution}}[:some] {
		choice, err := mapper.Map(machinetest.Preset(t, c.machine), c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		for _, lower := range []bool{true, false}[:some] {
			for _, version := range []string{program.Dialect, program.Current}[:some] {
				if err := checked(choice, version, lower); err != nil {
					t.Errorf("%s: %s, %s, lowered %v: %v: %.600v", c.machine, c.kernel.Name, version, lower, choice.Mapping, err)
				}
			}
		}
	}
}

// TestEmittedNarrow: rows of a result of bytes are whole words, though the product of f32 has columns in twos.
func TestEmittedNarrow(t *testing.T) {
	plain := workload.Operand{DType: dtype.F32}
	choice, err := mapper.Map(machinetest.Preset(t, "vck190"), &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1,
		M: 90, N: 30, K: 12, A: plain, B: plain, Acc: dtype.F32, Out: dtype.F32, Epilogue: workload.Epilogue{Also: []dtype.DType{dtype.I8}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := checked(choice, program.Current, true); err != nil {
		t.Errorf("%v: %.600v", choice.Mapping, err)
	}
}

// TestEmittedVectors: a product with one vector moves runs that are longer than a descriptor counts, of packed weights
// and others.
func TestEmittedVectors(t *testing.T) {
	plain, packed := workload.Operand{DType: dtype.BF16}, workload.Operand{DType: dtype.BF16, Format: dtype.Q4}
	bytes, nibbles := workload.Operand{DType: dtype.I8}, workload.Operand{DType: dtype.I8, Format: dtype.I4}
	floats := workload.Operand{DType: dtype.F32}
	type on struct {
		machine string
		a, b    workload.Operand
		m, k, n int
	}
	all := []on{{"npu1", packed, plain, 1, 1024, 2048}, {"vck190", nibbles, bytes, 1, 2880, 5000}, {"npu2", plain, packed, 1027, 2048, 1},
		{"npu2", packed, plain, 1, 8192, 3072}, {"npu2", floats, floats, 4096, 4096, 1}, {"npu1", floats, floats, 1, 8192, 3072},
		{"vck190", floats, floats, 1027, 2048, 1}, {"vek280", packed, plain, 1, 4096, 11008}, {"vck190", plain, packed, 4096, 4096, 1}}
	for _, c := range all[:longtest.Sample(2, 3, len(all))] {
		acc := dtype.F32
		if c.a.DType == dtype.I8 {
			acc = dtype.I32
		}
		choice, err := mapper.Map(machinetest.Preset(t, c.machine), &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{
			Batch: 1, M: c.m, N: c.n, K: c.k, A: c.a, B: c.b, Acc: acc, Out: c.a.DType}})
		if err != nil {
			t.Fatal(err)
		}
		if err := checked(choice, program.Current, false); err != nil {
			t.Errorf("%v: %v: %.600v", c, choice.Mapping, err)
		}
	}
}

// TestEmittedHalfWords: rows, values of rows, arrays that repeat and masks are moved in whole words where they are odd
// numbers of bytes or of elements of 16 bits.
func TestEmittedHalfWords(t *testing.T) {
	for _, d := range longtest.Some(1, dtype.BF16, dtype.I8) {
		stream := func(n int64) workload.Stream { return workload.Stream{DType: d, Elements: n} }
		points := func(n int64, in ...workload.Stream) *workload.Kernel {
			return &workload.Kernel{Name: "points", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: n, DType: d,
				Ops: workload.Mix{Simple: 1}, In: in, Out: []workload.Stream{stream(n)}}}
		}
		rows := func(n, cols int, in ...workload.Stream) *workload.Kernel {
			all := stream(int64(n * cols))
			return &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: n, Cols: cols, DType: d, Passes: 2,
				Split: workload.SplitPasses, Ops: workload.Mix{Simple: 4}, In: append(in, all), Out: []workload.Stream{all, stream(int64(n))}}}
		}
		masked := &workload.Kernel{Name: "attention", Kind: workload.KindAttention, Attention: workload.Attention{Batch: 1, Heads: 2, KVHeads: 2,
			Sq: 256, Sk: 15, D: 64, DV: 64, DType: dtype.F32, Acc: dtype.F32,
			Mask: &workload.Mask{DType: d, Queries: 1, Heads: []workload.Loop{{Size: 2, Stride: 0}}}}}
		kernels := []*workload.Kernel{rows(153, 13, stream(13)), points(5*1001, stream(5*1001), stream(1001)), points(5, stream(5)), masked}
		if longtest.On() {
			kernels = append(kernels, rows(3, 70001))
		}
		for _, name := range longtest.Some(1, "vck190", "npu1") {
			for _, k := range kernels {
				choice, err := mapper.Map(machinetest.Preset(t, name), k)
				if err != nil {
					t.Fatal(err)
				}
				if err := checked(choice, program.Current, false); err != nil {
					t.Errorf("%s of %v on %s: %v: %.600v", k.Name, d, name, choice.Mapping, err)
				}
			}
		}
	}
}

// checked reads and verifies the text of a choice's program.
func checked(c *mapper.Choice, version string, lower bool) error {
	p, err := c.Program()
	if err != nil {
		if errors.Is(err, build.ErrTooLong) {
			return nil
		}
		return err
	}
	if lower {
		p.Lower()
	}
	return read(p, version)
}

// read verifies the text of a program.
func read(p *program.Program, version string) error {
	text, err := p.Text(version)
	if err != nil {
		return err
	}
	module, err := mlir.Parse("product.mlir", []byte(text))
	if err == nil {
		err = mlir.Verify(module)
	}
	return err
}
