package mapper_test

import (
	"errors"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestEmitted has the checker of mlir-aie's limits read the programs of cubed products: all machines and types, at both levels and in both
// versions of the text.
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
		names, sizes = []string{"npu2"}, []int{1024}
	}
	for _, name := range names {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Programmed() {
			continue
		}
		emitted := 0
		for of, c := range types {
			for _, n := range sizes {
				c.Batch, c.M, c.K, c.N = 1, n, n, n
				choice, err := mapper.Map(m, &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: c})
				if err != nil {
					t.Logf("%s: %s, %d cubed: %.200v", name, of, n, err)
					continue
				}
				for _, version := range []string{program.Dialect, program.Current} {
					for _, lower := range []bool{false, true} {
						if err := checked(choice, version, lower); err != nil {
							t.Errorf("%s: %s, %d cubed, %s, lowered %v: %v: %.600v", name, of, n, version, lower, choice.Mapping, err)
						}
						emitted++
					}
				}
			}
		}
		if emitted < 4*4*len(sizes) {
			t.Errorf("%s: only %d texts", name, emitted)
		}
	}
}

// checked reads and verifies the text of a choice's program.
func checked(c *mapper.Choice, version string, lower bool) error {
	p, err := c.Program()
	if err != nil {
		if errors.Is(err, program.ErrTooLong) {
			return nil
		}
		return err
	}
	if lower {
		p.Lower()
	}
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
