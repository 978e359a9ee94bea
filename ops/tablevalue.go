package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// fromArg is the value of an argument.
func fromArg(a *Arg) any {
	switch a.Kind {
	case KindNone:
		return nil
	case KindTensor:
		return a.Tensor()
	case KindTensors:
		return anys(a.Tensors())
	case KindInt:
		return a.Int()
	case KindFloat:
		return a.Float()
	case KindBool:
		return a.Bool()
	case KindComplex:
		return a.Complex()
	case KindInts:
		return anys(a.Ints())
	case KindFloats:
		return anys(a.Floats())
	case KindBools:
		return anys(a.Bools())
	case KindDType:
		return a.DType()
	}
	return a.Text()
}

func anys[E any](list []E) []any {
	out := make([]any, len(list))
	for i, v := range list {
		if any(v) != nil {
			out[i] = v
		}
	}
	return out
}

// argOf is a value as an argument.
func argOf(v any) Arg {
	list, ok := v.([]any)
	if !ok {
		return ArgOf(v)
	}
	tensors, floats, bools := 0, 0, 0
	for _, v := range list {
		switch v.(type) {
		case Value, nil:
			tensors++
		case float64:
			floats++
		case bool:
			bools++
		}
	}
	switch {
	case len(list) == 0:
		return IntsArg(nil)
	case tensors > 0:
		out := make([]Value, len(list))
		for i, v := range list {
			out[i], _ = v.(Value)
		}
		return TensorsArg(out)
	case floats > 0:
		return FloatsArg(mapped(list, numberOf))
	case bools == len(list):
		return BoolsArg(mapped(list, truth))
	}
	return IntsArg(mapped(list, intOf))
}

func mapped[E any](list []any, f func(any) E) []E {
	out := make([]E, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

func intOf(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case bool:
		return int(bit(v))
	case float64:
		return int(v)
	}
	panic(&ArgError{Detail: fmt.Sprintf("%v is no integer", v)})
}

func numberOf(v any) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return float64(intOf(v))
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case dtype.DType, Value:
		return true
	case bool:
		return v
	case []any:
		return len(v) > 0
	case string:
		return v != ""
	}
	return numberOf(v) != 0
}

func argScalar(v any) Scalar {
	a := ArgOf(v)
	return a.Scalar()
}

func smaller(x, y any) any {
	if numberOf(y) < numberOf(x) {
		return y
	}
	return x
}
