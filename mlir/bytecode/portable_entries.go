package bytecode

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// codes are the numbers of vhlo's types without parameters, and enumerations by their name.
var codes, enumCodes = func() (map[string]uint64, map[string]uint64) {
	types, enums := map[string]uint64{}, map[string]uint64{}
	for code, name := range vhloTypes {
		types[name] = code
	}
	for code, e := range vhloEnums {
		enums[e.name] = code
	}
	return types, enums
}()

func signed(n int64) []byte { return encodeVarint(uint64(n)<<1 ^ uint64(n>>63)) }

// word writes a number of width bits.
func word(n int64, width int) []byte {
	if width <= 8 {
		return []byte{byte(n)}
	}
	return signed(n)
}

// vhloEntry gives an attribute or a type of vhlo a number.
func (e *writer) vhloEntry(numbers map[string]uint64, list *[]written, key string, data []byte) uint64 {
	return add(numbers, list, key, written{data: data, encoded: true, dialect: "vhlo"})
}

// portableType returns the number of a type of vhlo.
func (e *writer) portableType(t mlir.Type) uint64 {
	key := "vhlo " + t.String()
	if i, ok := e.types[key]; ok {
		return i
	}
	var data []byte
	number := func(list ...uint64) {
		for _, n := range list {
			data = append(data, encodeVarint(n)...)
		}
	}
	many := func(list []mlir.Type) {
		number(uint64(len(list)))
		for _, t := range list {
			number(e.portableType(t))
		}
	}
	extents := func(shape []int) {
		number(uint64(len(shape)))
		for _, n := range shape {
			if n == mlir.Dynamic {
				data = append(data, signed(kDynamic)...)
				continue
			}
			data = append(data, signed(int64(n))...)
		}
	}
	switch t := t.(type) {
	case mlir.ComplexType:
		number(1, e.portableType(t.Elem))
	case mlir.FunctionType:
		number(8)
		many(t.Inputs)
		many(t.Results)
	case mlir.TensorType:
		if t.Encoding != nil {
			number(21, e.portableAttr(t.Encoding))
		} else {
			number(20)
		}
		extents(t.Shape)
		number(e.portableType(t.Elem))
	case mlir.UnrankedTensorType:
		number(25, e.portableType(t.Elem))
	case mlir.TupleType:
		number(23)
		many(t.Elems)
	default:
		code, ok := codes[t.String()]
		if !ok {
			e.refuse("a type %s in a portable artifact", t)
		}
		number(code)
	}
	return e.vhloEntry(e.types, &e.typeEntries, key, data)
}

func (e *writer) refuse(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("bytecode: "+format+" is not written", args...)
	}
}

// portableAttr returns the number of an attribute of vhlo.
func (e *writer) portableAttr(a mlir.Attribute) uint64 {
	key := "vhlo " + a.String()
	if i, ok := e.attrs[key]; ok {
		return i
	}
	var data []byte
	number := func(list ...uint64) {
		for _, n := range list {
			data = append(data, encodeVarint(n)...)
		}
	}
	switch a := a.(type) {
	case mlir.StringAttr:
		number(14, e.string(string(a)))
	case mlir.IntegerAttr:
		if mlir.SameType(a.Type, mlir.I1) {
			number(2, uint64(a.Value)&1)
			break
		}
		number(9, e.portableType(a.Type))
		data = append(data, word(a.Value, mlir.BitWidth(a.Type))...)
	case mlir.FloatAttr:
		t, _ := a.Type.(mlir.FloatType)
		number(8, e.portableType(a.Type))
		bits := t.Encode(a.Value)
		if w := t.Width(); w < 64 && bits>>(w-1) != 0 { // as a number with a sign
			bits |= math.MaxUint64 << w
		}
		data = append(data, word(int64(bits), t.Width())...)
	case mlir.DenseAttr:
		number(15, e.portableType(a.Type))
		elements := packedBools(a)
		number(uint64(len(elements)))
		data = append(data, elements...)
	case mlir.ResourceAttr:
		if a.Data == nil {
			e.refuse("the resource %s, whose bytes are not there,", a.Key)
		}
		return e.portableAttr(mlir.DenseAttr{Type: a.Type, Data: a.Data})
	case mlir.ArrayAttr:
		number(1, uint64(len(a)))
		for _, item := range a {
			number(e.portableAttr(item))
		}
	case mlir.DenseArrayAttr:
		return e.portableAttr(tensor(a.Ints, a.Elem))
	case mlir.DictAttr:
		number(6, uint64(len(a)))
		for _, n := range a {
			number(e.portableAttr(mlir.StringAttr(n.Name)), e.portableAttr(n.Value))
		}
	case mlir.TypeAttr:
		number(17, e.portableType(a.Type))
	case mlir.SymbolRefAttr:
		return e.portableAttr(mlir.StringAttr(strings.Join(a, ".")))
	case mlir.UnitAttr:
		return e.portableAttr(mlir.Bool(true))
	case mlir.OpaqueAttr:
		data = e.portableText(a)
	default:
		e.refuse("an attribute %s in a portable artifact", a)
	}
	return e.vhloEntry(e.attrs, &e.attrEntries, key, data)
}

// portableText encodes what stands as text here: enumerations, the usual accuracy, bounds of extents.
func (e *writer) portableText(a mlir.OpaqueAttr) []byte {
	if a.Text == defaultAccuracy {
		out := encodeVarint(20)
		for range 3 {
			out = append(out, signed(0)...)
		}
		return append(out, encodeVarint(e.portableAttr(mlir.OpaqueAttr{Text: "#stablehlo<result_accuracy_mode DEFAULT>"}))...)
	}
	if text, ok := strings.CutPrefix(a.Text, "#stablehlo.bounds<"); ok {
		words := strings.Split(strings.TrimSuffix(text, ">"), ",")
		out := append(encodeVarint(18), encodeVarint(uint64(len(words)))...)
		for _, w := range words {
			n, err := strconv.ParseInt(strings.TrimSpace(w), 10, 64)
			if err != nil {
				n = kDynamic
			}
			out = append(out, signed(n)...)
		}
		return out
	}
	name, value, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(a.Text, "#stablehlo<"), ">"), " ")
	code, known := enumCodes[name]
	if ok && known {
		if i := slices.Index(strings.Fields(vhloEnums[code].words), value); i >= 0 {
			return append(encodeVarint(code), encodeVarint(uint64(i)+vhloEnums[code].first)...)
		}
	}
	e.refuse("an attribute %s in a portable artifact", a)
	return nil
}

// packedBools returns the bytes of elements. Elements of i1 take a bit each; equal ones are a single byte, 0xff or 0.
func packedBools(a mlir.DenseAttr) []byte {
	_, elem, _ := mlir.ShapeOf(a.Type)
	if !mlir.SameType(elem, mlir.I1) {
		return a.Data
	}
	if a.IsSplat() {
		return []byte{byte(-a.IntAt(0) & 0xff)}
	}
	out := make([]byte, (a.Len()+7)/8)
	for i := range a.Len() {
		out[i/8] |= byte(a.IntAt(i)&1) << (i % 8)
	}
	return out
}

// portableDict returns the number of the attributes of an operation of vhlo.
func (e *writer) portableDict(op *mlir.Operation) uint64 {
	named := map[string]mlir.Attribute{}
	key := op.Name
	for _, n := range op.Attrs {
		named[n.Name] = n.Value
		key += " " + n.Name + " " + n.Value.String()
	}
	if i, ok := e.attrs[key]; ok {
		return i
	}
	data := append(encodeVarint(1), encodeVarint(uint64(len(named)))...)
	for _, name := range slices.Sorted(maps.Keys(named)) {
		var value any = named[name]
		if n, ok := value.(mlir.IntegerAttr); ok && name == "api_version" {
			value = apiVersion(n.Value)
		}
		data = append(data, encodeVarint(e.attr(mlir.StringAttr(name)))...)
		data = append(data, encodeVarint(e.valueOf(value))...)
	}
	return add(e.attrs, &e.attrEntries, key, written{data: data, encoded: true})
}

// apiVersion is how a custom call passes its arguments.
type apiVersion int64

// valueOf returns the number of an attribute's value.
func (e *writer) valueOf(a any) uint64 {
	if v, ok := a.(apiVersion); ok {
		key := fmt.Sprint("vhlo api_version ", int64(v))
		if i, ok := e.attrs[key]; ok {
			return i
		}
		return e.vhloEntry(e.attrs, &e.attrEntries, key, append(encodeVarint(5), encodeVarint(uint64(v))...))
	}
	return e.portableAttr(a.(mlir.Attribute))
}
