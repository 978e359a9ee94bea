package opinfo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// IsOf reports whether the program is one call of an operator with the arguments of a sample: its types, extents,
// given elements, ranges and numbers.
func (p *Program) IsOf(op *ops.Op, s ops.Sample) bool {
	if len(p.Ops) != 1 {
		return false
	}
	params, call := op.Parsed().Params, p.Ops[0]
	given := 0
	for i, want := range s {
		raw, ok := call.Kwargs[params[i].Name]
		if ok {
			given++
		} else if i < len(call.Args) {
			raw = call.Args[i]
		} else {
			raw = json.RawMessage("null")
		}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		var have any
		if err := decoder.Decode(&have); err != nil || !p.equal(have, want) {
			return false
		}
	}
	return len(call.Args)+len(call.Kwargs) <= len(s) && given == len(call.Kwargs)
}

func (p *Program) input(name string) (*buf.Buffer, error) {
	for _, list := range [][]named{p.Inputs, p.Consts} {
		for _, in := range list {
			if in.Name == name {
				return p.buffer(&in.Tensor)
			}
		}
	}
	return nil, fmt.Errorf("no input %s", name)
}

// equal compares an argument of the program, as JSON decodes it, with one of a sample.
func (p *Program) equal(have, want any) bool {
	switch want := want.(type) {
	case ops.T:
		ref, _ := have.(map[string]any)
		name, _ := ref["v"].(string)
		b, err := p.input(name)
		return err == nil && drawnFrom(b, want)
	case []ops.T:
		list, ok := have.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range list {
			if !p.equal(list[i], want[i]) {
				return false
			}
		}
		return true
	}
	return written(have) == given(want)
}

// written gives the text of an argument of a program, and given the text of an argument of a sample.
func written(a any) string {
	switch a := a.(type) {
	case []any:
		var list []string
		for _, v := range a {
			list = append(list, written(v))
		}
		return fmt.Sprint(list)
	case map[string]any:
		for _, key := range []string{"f", "s", "dtype"} {
			if v, ok := a[key]; ok {
				return written(v)
			}
		}
		if c, ok := a["c"]; ok {
			return "c" + written(c)
		}
	case json.Number:
		v, _ := a.Float64()
		return fmt.Sprint(v)
	}
	return fmt.Sprint(a)
}

func given(a any) string {
	number := func(v any) string {
		text := strings.ToLower(fmt.Sprint(v))
		return strings.TrimPrefix(text, "+")
	}
	arg := ops.ArgOf(a)
	var list []string
	switch arg.Kind {
	case ops.KindInt:
		return number(float64(arg.Int()))
	case ops.KindFloat:
		return number(arg.Float())
	case ops.KindComplex:
		return fmt.Sprintf("c[%v %v]", real(arg.Complex()), imag(arg.Complex()))
	case ops.KindInts:
		for _, v := range arg.Ints() {
			list = append(list, number(float64(v)))
		}
		return fmt.Sprint(list)
	case ops.KindFloats:
		for _, v := range arg.Floats() {
			list = append(list, number(v))
		}
		return fmt.Sprint(list)
	}
	return fmt.Sprint(a)
}

// drawnFrom reports whether a tensor is as a sample says.
func drawnFrom(b *buf.Buffer, t ops.T) bool {
	if b.DType != t.DType || fmt.Sprint(b.Shape) != fmt.Sprint(append([]int{}, t.Shape...)) {
		return false
	}
	for i := range b.Len() {
		if b.DType.IsComplex() {
			continue
		}
		v := b.Float64(i)
		if t.Values != nil && v != t.Values[i] || t.Values == nil && (t.Low != 0 || t.High != 0) && (v < t.Low || v > t.High) {
			return false
		}
	}
	return true
}
