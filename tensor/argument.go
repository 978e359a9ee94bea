package tensor

import (
	"fmt"
	"reflect"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// argOf converts an argument of the boxed call. It panics with an [*ArgError] if there is
// none of its type.
func argOf(v any) ops.Arg {
	switch v := v.(type) {
	case nil:
		return ops.Arg{}
	case *Tensor:
		if v == nil {
			return ops.Arg{}
		}
		return ops.TensorArg(v)
	case []*Tensor:
		return tensorsArg(v)
	case ops.Arg:
		return v
	case ops.Scalar:
		return v.Arg()
	case dtype.DType:
		return ops.DTypeArg(v)
	case []int:
		return ops.IntsArg(v)
	}
	return reflected(reflect.ValueOf(v))
}

// reflected converts numbers, bools and texts of any type, and lists of them.
func reflected(v reflect.Value) ops.Arg {
	switch {
	case v.CanInt():
		return ops.IntArg(int(v.Int()))
	case v.CanUint() && v.Uint() < 1<<63:
		return ops.IntArg(int(v.Uint()))
	case v.CanFloat():
		return ops.FloatArg(v.Float())
	case v.CanComplex():
		return ops.ComplexArg(v.Complex())
	}
	switch v.Kind() {
	case reflect.Bool:
		return ops.BoolArg(v.Bool())
	case reflect.String:
		return ops.StringArg(v.String())
	case reflect.Slice, reflect.Array:
		elem := reflect.Zero(v.Type().Elem())
		switch {
		case elem.CanInt():
			return ops.IntsArg(list(v, func(e reflect.Value) int { return int(e.Int()) }))
		case elem.CanFloat():
			return ops.FloatsArg(list(v, reflect.Value.Float))
		case elem.Kind() == reflect.Bool:
			return ops.BoolsArg(list(v, reflect.Value.Bool))
		}
	}
	raise(&ArgError{Op: "call", Detail: fmt.Sprintf("no operator takes an argument of type %v", v.Type())})
	return ops.Arg{}
}

func list[T any](v reflect.Value, of func(e reflect.Value) T) []T {
	out := make([]T, v.Len())
	for i := range out {
		out[i] = of(v.Index(i))
	}
	return out
}
