package ops

import "fmt"

var kindNames = [...]string{"none", "tensor", "list of tensors", "int", "float", "bool",
	"complex", "list of ints", "list of floats", "list of bools", "string", "dtype"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// describe names what the parameter takes.
func (q *Param) describe() string {
	names := [...]string{"tensor", "int", "float", "bool", "number", "string", "dtype",
		"layout", "device", "memory format", "generator"}
	if q.List {
		return "list of " + names[q.Type] + "s"
	}
	return names[q.Type]
}

// accept converts an argument to what its parameter takes, or says why that cannot be.
func (c *Call) accept(q *Param, a *Arg) error {
	if names := c.Op.enumeration(q); names != nil {
		if err := c.acceptName(q, a, names); err != nil {
			return err
		}
	}
	kind := a.Kind
	if !q.coerce(a) {
		return c.ArgErrorf("argument %s is a %v, not a %v", q.Name, kind, q.describe())
	}
	switch {
	case kind == KindComplex && onlyReal[q.Name]:
		return c.ArgErrorf("argument %s is complex, and must be a real number", q.Name)
	case q.Type == TypeDType && kind != KindNone && !a.DType().Valid():
		return c.ArgErrorf("argument %s is %d, which stands for no element type", q.Name, a.Int())
	case kind == KindTensors && !q.ElemOpt:
		for i, v := range a.Tensors() {
			if v == nil {
				return c.ArgErrorf("tensor %d of argument %s is absent", i, q.Name)
			}
		}
	}
	return nil
}

// coerce converts a to what the parameter takes, where PyTorch's parser would,
// and reports whether that is possible.
func (q *Param) coerce(a *Arg) bool {
	if a.Kind == KindNone {
		return q.Optional || q.Type >= TypeLayout
	}
	if q.List {
		return q.coerceList(a)
	}
	switch q.Type {
	case TypeTensor:
		return a.Kind == KindTensor
	case TypeInt:
		if a.Kind == KindBool {
			*a = IntArg(a.Int())
		}
		return a.Kind == KindInt
	case TypeFloat:
		if a.Kind == KindInt || a.Kind == KindBool {
			*a = FloatArg(a.Float())
		}
		return a.Kind == KindFloat
	case TypeBool:
		if a.Kind == KindInt {
			*a = BoolArg(a.Bool())
		}
		return a.Kind == KindBool
	case TypeScalar:
		return a.Kind == KindInt || a.Kind == KindFloat || a.Kind == KindBool || a.Kind == KindComplex
	case TypeString:
		return a.Kind == KindString
	case TypeDType:
		if d := a.DType(); d.Valid() {
			*a = DTypeArg(d)
		}
		return a.Kind == KindDType || a.Kind == KindInt
	case TypeGenerator: // random numbers come from the device's
		return false
	}
	// Layout, device and memory format do not change what is computed.
	if a.Kind == KindTensor || a.Kind == KindTensors {
		return false
	}
	*a = Arg{}
	return true
}

func (q *Param) coerceList(a *Arg) bool {
	switch q.Type {
	case TypeTensor:
		if a.Kind == KindInts && len(a.Ints()) == 0 {
			*a = TensorsArg(nil)
		}
		return a.Kind == KindTensors
	case TypeInt:
		if a.Kind == KindInt {
			*a = IntsArg([]int{a.Int()})
		}
		return a.Kind == KindInts
	case TypeFloat, TypeScalar:
		if a.Kind == KindInts {
			*a = FloatsArg(a.Floats())
		}
		return a.Kind == KindFloats
	case TypeBool:
		if a.Kind == KindInts {
			bools := make([]bool, len(a.Ints()))
			for i, v := range a.Ints() {
				bools[i] = v != 0
			}
			*a = BoolsArg(bools)
		}
		return a.Kind == KindBools
	}
	return false
}
