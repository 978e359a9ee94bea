package gemm

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestPackedForm: products that differ in their epilogues alone name one form and pack the same bytes; products whose B
// lies elsewhere, or has another size or type, name others.
func TestPackedForm(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		base := product{m: 1, k: 70, n: 300, constant: true, types: f32}
		packed := func(p product, change func(c *kernel.Contraction)) (string, []byte) {
			c := p.contraction()
			change(c)
			require.NoError(t, kernel.Verify(c))
			code, err := Compile(c, f, emit.Processor, portableNest)
			require.NoError(t, err)
			t.Cleanup(code.Close)
			require.Empty(t, code.PackedForm(0))
			if !kerneltest.Executes(f) {
				return code.PackedForm(1), nil
			}
			from := buf.New(dtype.F32, []int{c.B.Len})
			for i, data := 0, buf.Slice[float32](from); i < len(data); i++ {
				data[i] = float32(i)
			}
			to := buf.New(dtype.U8, []int{code.PackedBytes(1)})
			code.Pack(1, unsafe.Pointer(unsafe.SliceData(to.Bytes())), unsafe.Pointer(unsafe.SliceData(from.Bytes())))
			return code.PackedForm(1), to.Bytes()
		}
		form, data := packed(base, func(*kernel.Contraction) {})
		require.NotEmpty(t, form)
		same, bytes := packed(base, func(c *kernel.Contraction) {
			out := &c.Epilogue.Access[0]
			out.Offset, out.Len = 300, out.Len+300
		})
		require.Equal(t, form, same)
		require.Equal(t, data, bytes)
		for name, change := range map[string]func(c *kernel.Contraction){
			"offset":     func(c *kernel.Contraction) { c.B.Offset, c.B.Len = 8, c.B.Len+8 },
			"row stride": func(c *kernel.Contraction) { c.B.Row, c.B.Len = 304, 70*304 },
		} {
			other, _ := packed(base, change)
			require.NotEqual(t, form, other, name)
		}
		for _, p := range []product{
			{m: 1, k: 71, n: 300, constant: true, types: f32}, {m: 1, k: 70, n: 299, constant: true, types: f32},
			{m: 1, k: 70, n: 300, constant: true, transposed: true, types: f32},
		} {
			other, _ := packed(p, func(*kernel.Contraction) {})
			require.NotEqual(t, form, other, "%+v", p)
		}
	})
}
