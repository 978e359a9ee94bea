package opinfo

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

var ctx = context.Background()

// wide are the families that are judged with rtol and atol of 1e-4 in f32:
// linear algebra, special functions, convolutions and cumulative operators.
var wide = []string{"linalg_", "_linalg_", "conv", "_conv", "special_", "nn_functional_conv",
	"cum", "logcumsumexp", "cholesky",
	"lu", "qr", "geqrf", "ormqr", "orgqr", "householder", "svd", "solve", "inverse", "pinverse",
	"matrix_", "triangular_solve", "symeig", "eig"}

// tolerance returns rtol and atol for a result of a type.
func (p *Program) tolerance(d dtype.DType, grad bool) (rtol, atol float64) {
	switch d {
	case dtype.F64, dtype.C128:
		return 1e-7, 1e-7
	case dtype.F16:
		return 1e-3, 1e-3
	case dtype.BF16:
		return 1.6e-2, 1e-2
	case dtype.F32, dtype.C64:
		if grad {
			return 1e-4, 1e-4
		}
		for _, prefix := range wide {
			if strings.HasPrefix(strings.TrimPrefix(p.Name, "aten."), prefix) {
				return 1e-4, 1e-4
			}
		}
		return 1.3e-6, 1e-5
	}
	return 0, 0
}

// Close compares two tensors as torch.testing.assert_close does: type and shape
// are equal, NaN equals NaN, and |got - want| <= atol + rtol·|want|. The error names what differs: the type, the shape
// or the first element.
func Close(got, want *buf.Buffer, rtol, atol float64) error {
	if got.DType != want.DType {
		return fmt.Errorf("type is %v, expected %v", got.DType, want.DType)
	}
	if !shape.Equal(got.Shape, want.Shape) {
		return fmt.Errorf("shape is %s, expected %s", shape.String(got.Shape),
			shape.String(want.Shape))
	}
	for i := range got.Len() {
		switch {
		case got.DType.IsFloat():
			if g, w := got.Float64(i), want.Float64(i); !close64(g, w, rtol, atol) {
				return fmt.Errorf("element %d is %v, expected %v", i, g, w)
			}
		case got.DType.IsComplex():
			g, w := got.Complex(i), want.Complex(i)
			if !close64(real(g), real(w), rtol, atol) || !close64(imag(g), imag(w), rtol, atol) {
				return fmt.Errorf("element %d is %v, expected %v", i, g, w)
			}
		case got.Int64(i) != want.Int64(i):
			return fmt.Errorf("element %d is %d, expected %d", i, got.Int64(i), want.Int64(i))
		}
	}
	return nil
}

// close64 compares two numbers; NaN equals NaN.
func close64(got, want, rtol, atol float64) bool {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return true
	}
	return math.Abs(got-want) <= atol+rtol*math.Abs(want)
}
