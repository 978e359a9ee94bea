package main

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/go-acap/acap/base/buf"
)

// jsonTensor is an output of a model in JSON. JSON has no infinities and no NaN:
// these are the strings "Infinity", "-Infinity" and "NaN". A complex element is a
// list of its two parts.
type jsonTensor struct {
	DType  string `json:"dtype"`
	Shape  []int  `json:"shape"`
	Values []any  `json:"values"`
}

func newJSONTensor(b *buf.Buffer) jsonTensor {
	t := jsonTensor{b.DType.String(), append([]int{}, b.Shape...), make([]any, b.Len())}
	for i := range t.Values {
		switch {
		case b.DType.IsComplex():
			v := b.Complex(i)
			t.Values[i] = [2]jsonFloat{jsonFloat(real(v)), jsonFloat(imag(v))}
		case b.DType.IsFloat():
			t.Values[i] = jsonFloat(b.Float64(i))
		default:
			t.Values[i] = b.Int64(i)
		}
	}
	return t
}

type jsonFloat float64

// MarshalJSON implements [json.Marshaler].
func (f jsonFloat) MarshalJSON() ([]byte, error) {
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
