package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// joins are the operations on complex tensors that package expand leaves.
var joins = map[string]bool{"stablehlo.complex": true, "stablehlo.real": true, "stablehlo.imag": true,
	"stablehlo.fft": true, "stablehlo.custom_call": true, "func.return": true, "func.call": true}

func (c *block) join(op *mlir.Operation) {
	in := c.in(op)
	dims := append(slices.Clone(shapeOf(in[0])), 1)
	var parts []ops.Value
	for _, x := range in {
		parts = append(parts, ops.IRValue{V: c.aten("view", x, dims)})
	}
	both := c.aten("cat", parts, len(dims)-1)
	z := c.aten("view_as_complex", both)
	c.joined[z] = [2]*mlir.Value{in[0], in[1]}
	c.set(op, z)
}

// partOf is the real part (0) or the imaginary one (1).
func (c *block) partOf(op *mlir.Operation, i int) {
	z := c.in(op)[0]
	if _, complex := elemOf(z).(mlir.ComplexType); !complex {
		parts := [2]*mlir.Value{z, c.filled(c.zero(elemOf(z)), shapeOf(z))}
		c.set(op, parts[i])
		return
	}
	if parts, ok := c.joined[z]; ok {
		c.set(op, parts[i])
		return
	}
	c.set(op, c.aten("select.int", c.aten("view_as_real", z), len(shapeOf(z)), i))
}

// fft transforms the last dimensions. The inverse of a complex transform divides by the number of points.
func (c *block) fft(op *mlir.Operation) {
	x, out := c.in(op)[0], resultShape(op)
	length := c.list(op, "fft_length", -1, 0)
	rank := len(shapeOf(x))
	if len(length) < 1 || len(length) > rank {
		c.fail("%d lengths of %d dimensions", len(length), rank)
	}
	dims := shape.UpTo(rank)[rank-len(length):]
	switch kind := enum(op, "fft_type"); kind {
	case "FFT":
		c.set(op, c.aten("_fft_c2c", x, dims, 0, true))
	case "IFFT":
		c.set(op, c.aten("_fft_c2c", x, dims, 2, false))
	case "RFFT":
		c.set(op, c.aten("_fft_r2c", x, dims, 0, true))
	case "IRFFT":
		c.set(op, c.aten("_fft_c2r", x, dims, 2, out[rank-1]))
	default:
		c.fail("the type %q", kind)
	}
}
