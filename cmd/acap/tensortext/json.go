package tensortext

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/go-acap/acap/base/buf"
)

// Tensor is a tensor in JSON. A complex element is a list of its two parts.
type Tensor struct {
	DType  string `json:"dtype"`
	Shape  []int  `json:"shape"`
	Values []any  `json:"values"`
}

// New returns the elements of a buffer: each is an int64, a [Float] or two of these.
func New(b *buf.Buffer) Tensor {
	t := Tensor{b.DType.String(), append([]int{}, b.Shape...), make([]any, b.Len())}
	for i := range t.Values {
		switch {
		case b.DType.IsComplex():
			v := b.Complex(i)
			t.Values[i] = [2]Float{Float(real(v)), Float(imag(v))}
		case b.DType.IsFloat():
			t.Values[i] = Float(b.Float64(i))
		default:
			t.Values[i] = b.Int64(i)
		}
	}
	return t
}

// Float is a number in JSON, which has no infinities and no NaN: these are the strings "Infinity", "-Infinity" and
// "NaN".
type Float float64

// MarshalJSON implements [json.Marshaler].
func (f Float) MarshalJSON() ([]byte, error) {
	v := float64(f)
	switch {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 0):
		sign := ""
		if v < 0 {
			sign = "-"
		}
		return []byte(strconv.Quote(sign + "Infinity")), nil
	}
	return json.Marshal(v)
}
