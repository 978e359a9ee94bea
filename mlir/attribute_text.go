package mlir

import (
	"strconv"
	"strings"
)

func (a IntegerAttr) String() string {
	if SameType(a.Type, I1) {
		return strconv.FormatBool(a.Value != 0)
	}
	return a.digits() + " : " + a.Type.String()
}

func (a IntegerAttr) digits() string {
	if t, ok := a.Type.(IntegerType); ok && t.Signedness == Unsigned {
		return strconv.FormatUint(uint64(a.Value), 10)
	}
	return strconv.FormatInt(a.Value, 10)
}

func (a FloatAttr) String() string {
	return formatFloat(a.Value, a.Type) + " : " + a.Type.String()
}

func (a StringAttr) String() string { return quote(string(a)) }
func (UnitAttr) String() string     { return "unit" }
func (a TypeAttr) String() string   { return a.Type.String() }
func (a OpaqueAttr) String() string { return a.Text }

// String elides the types i64 and f64 of elements, which are their defaults. The bits of an f64 keep the type, without
// which they are an i64.
func (a ArrayAttr) String() string {
	parts := make([]string, len(a))
	for i, e := range a {
		parts[i] = withoutDefaultType(e)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func withoutDefaultType(a Attribute) string {
	switch a := a.(type) {
	case IntegerAttr:
		if SameType(a.Type, I64) {
			return a.digits()
		}
	case FloatAttr:
		if text := formatFloat(a.Value, F64); SameType(a.Type, F64) && !strings.HasPrefix(text, "0x") {
			return text
		}
	}
	return a.String()
}

func (a DictAttr) String() string { return Attrs(a).String() }

// String returns {a = 1, b = 2}; a unit attribute is its name alone.
func (a Attrs) String() string {
	parts := make([]string, len(a))
	for i, n := range a {
		parts[i] = n.String()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// String returns name = value.
func (n Named) String() string {
	if _, unit := n.Value.(UnitAttr); unit {
		return keyOrQuoted(n.Name)
	}
	return keyOrQuoted(n.Name) + " = " + n.Value.String()
}

func (a SymbolRefAttr) String() string {
	parts := make([]string, len(a))
	for i, s := range a {
		parts[i] = symbol(s)
	}
	return strings.Join(parts, "::")
}

// symbol returns @name, quoted where it must be.
func symbol(name string) string { return "@" + keyOrQuoted(name) }

func (a AffineMapAttr) String() string { return "affine_map<" + a.Map.String() + ">" }
func (a AffineSetAttr) String() string { return "affine_set<" + a.Set.String() + ">" }
func (a LocationAttr) String() string  { return a.Loc.String() }

func (a StridedAttr) String() string {
	parts := make([]string, len(a.Strides))
	for i, n := range a.Strides {
		parts[i] = intOrDynamic(n)
	}
	text := "strided<[" + strings.Join(parts, ", ") + "]"
	if a.Offset != 0 {
		text += ", offset: " + intOrDynamic(a.Offset)
	}
	return text + ">"
}

func intOrDynamic(n int) string {
	if n == DynamicStride {
		return "?"
	}
	return strconv.Itoa(n)
}

func (a DenseArrayAttr) String() string {
	parts := make([]string, 0, len(a.Ints)+len(a.Floats))
	for _, v := range a.Ints {
		text := strconv.FormatInt(v, 10)
		if SameType(a.Elem, I1) {
			text = strconv.FormatBool(v != 0)
		}
		parts = append(parts, text)
	}
	for _, v := range a.Floats {
		parts = append(parts, formatFloat(v, a.Elem))
	}
	if len(parts) == 0 {
		return "array<" + a.Elem.String() + ">"
	}
	return "array<" + a.Elem.String() + ": " + strings.Join(parts, ", ") + ">"
}

// String names the resource; its bytes stand in the module's resource section.
func (a ResourceAttr) String() string {
	return a.withoutType() + " : " + a.Type.String()
}

func (a ResourceAttr) withoutType() string { return "dense_resource<" + keyOrQuoted(a.Key) + ">" }
