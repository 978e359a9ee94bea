package bytecode

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Types of vhlo without parameters, by number.
var vhloTypes = map[uint64]string{0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index",
	10: "i4", 11: "i8", 12: "i16", 13: "i32", 14: "i64", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64",
	22: "!stablehlo.token", 27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 31: "i2", 32: "ui2", 33: "none", 34: "tf32",
	35: "f8E4M3", 36: "f8E3M4", 37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU"}

// vhloType reads a type of a version of StableHLO as the type that it stands for.
func (r *reader) vhloType(c *cursor) mlir.Type {
	code := c.varint()
	if name, ok := vhloTypes[code]; ok {
		t, err := mlir.ParseType(name)
		if err != nil {
			c.failf("%w", err)
		}
		return t
	}
	switch code {
	case 1:
		return mlir.ComplexType{Elem: r.typ(c)}
	case 8:
		return mlir.FunctionType{Inputs: r.typeList(c), Results: r.typeList(c)}
	case 20:
		return mlir.TensorType{Shape: r.shape(c), Elem: r.typ(c)}
	case 21:
		encoding := r.attr(c)
		return mlir.TensorType{Shape: r.shape(c), Elem: r.typ(c), Encoding: encoding}
	case 23:
		return mlir.TupleType{Elems: r.typeList(c)}
	case 24, 30:
		return r.quantized(c, code == 30)
	case 25:
		return mlir.UnrankedTensorType{Elem: r.typ(c)}
	case 41:
		return mlir.MemRefType{Shape: r.shape(c), Elem: r.typ(c)}
	case 42:
		var parts []string
		for _, t := range r.typeList(c) {
			parts = append(parts, t.String())
		}
		return mlir.OpaqueType{Dialect: "stablehlo", Text: "future<" + strings.Join(parts, ", ") + ">"}
	}
	c.failf("a type %d of vhlo", code)
	return nil
}

// Enumerations of vhlo: their name in StableHLO and the words by number.
var vhloEnums = map[uint64]struct {
	name  string
	first uint64
	words string
}{
	3: {"comparison_direction", 0, "EQ NE GE GT LE LT"}, 4: {"comparison_type", 0, "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"},
	7: {"fft_type", 0, "FFT IFFT RFFT IRFFT"}, 11: {"precision", 0, "DEFAULT HIGH HIGHEST"},
	12: {"rng_algorithm", 0, "DEFAULT THREE_FRY PHILOX"}, 13: {"rng_distribution", 1, "UNIFORM NORMAL"},
	16: {"transpose", 0, "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT"}, 19: {"result_accuracy_mode", 0, "DEFAULT HIGHEST TOLERANCE"},
}

// defaultAccuracy is the accuracy of results that goes without saying.
const defaultAccuracy = "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>"

func (r *reader) vhloAttr(c *cursor) mlir.Attribute {
	code := c.varint()
	if e, ok := vhloEnums[code]; ok {
		words := strings.Fields(e.words)
		return mlir.OpaqueAttr{Text: "#stablehlo<" + e.name + " " + at(c, words, c.varint()-e.first) + ">"}
	}
	switch code {
	case 1:
		return mlir.ArrayAttr(r.attrList(c))
	case 2:
		return mlir.Bool(c.varint() != 0)
	case 5:
		return mlir.IntegerAttr{Value: int64(c.varint()), Type: mlir.I32}
	case 6:
		return mlir.DictAttr(r.dictionary(c))
	case 8:
		t := r.typ(c)
		return mlir.FloatAttr{Value: r.float(c, t), Type: t}
	case 9:
		t := r.typ(c)
		return mlir.IntegerAttr{Value: r.integer(c, t), Type: t}
	case 10:
		output := list(c, c.signed)
		operand := c.signed()
		return mlir.OpaqueAttr{Text: "#stablehlo.output_operand_alias<output_tuple_indices = " + numbers(output) + ", operand_index = " +
			strconv.FormatInt(operand, 10) + ", operand_tuple_indices = " + numbers(list(c, c.signed)) + ">"}
	case 14:
		return mlir.StringAttr(r.string(c))
	case 15:
		t := r.typ(c)
		return r.dense(c, t, c.bytes(c.varint()))
	case 17:
		return mlir.TypeAttr{Type: r.typ(c)}
	case 18:
		return r.bounds(c)
	case 20:
		return r.accuracy(c)
	case 21:
		before, size := c.signed(), c.signed()
		return mlir.OpaqueAttr{Text: "(" + strconv.FormatInt(before, 10) + ")" + strconv.FormatInt(size, 10)}
	case 22:
		text := "#stablehlo.axis_ref<name = " + r.attr(c).String()
		if c.varint() != 0 {
			text += ", sub_axis_info = " + r.attr(c).String()
		}
		return mlir.OpaqueAttr{Text: text + ">"}
	case 23:
		mesh := "@" + strings.Trim(r.attr(c).String(), `"@`)
		return mlir.OpaqueAttr{Text: "#stablehlo.replica_group_mesh_axes<mesh = " + mesh + ", axes = " + r.attr(c).String() + ">"}
	case 24:
		name := r.attr(c).String()
		return mlir.OpaqueAttr{Text: "#stablehlo.mesh_axis<name = " + name + ", size = " + strconv.FormatInt(c.signed(), 10) + ">"}
	case 25:
		text := "#stablehlo.mesh<axes = " + r.attr(c).String()
		if i, there := c.flagged(); there {
			text += ", device_ids = " + r.attrAt(c, i).String()
		}
		return mlir.OpaqueAttr{Text: text + ">"}
	}
	c.failf("an attribute %d of vhlo", code)
	return nil
}

// bounds reads the most that each extent can be.
func (r *reader) bounds(c *cursor) mlir.Attribute {
	var words []string
	for _, n := range list(c, c.signed) {
		word := strconv.FormatInt(n, 10)
		if n == kDynamic {
			word = "?"
		}
		words = append(words, word)
	}
	return mlir.OpaqueAttr{Text: "#stablehlo.bounds<" + strings.Join(words, ", ") + ">"}
}

// accuracy reads how far results may be from the exact ones.
func (r *reader) accuracy(c *cursor) mlir.Attribute {
	number := func() string {
		return strconv.FormatFloat(math.Float64frombits(uint64(r.word(c, 64))), 'e', 6, 64)
	}
	atol, rtol, ulps := number(), number(), c.signed()
	mode := strings.TrimSuffix(strings.TrimPrefix(r.attr(c).String(), "#stablehlo<result_accuracy_mode "), ">")
	if mode == "DEFAULT" {
		return mlir.OpaqueAttr{Text: defaultAccuracy}
	}
	return mlir.OpaqueAttr{Text: "#stablehlo.result_accuracy<atol = " + atol + ", rtol = " + rtol + ", ulps = " +
		strconv.FormatInt(ulps, 10) + ", mode = #stablehlo.result_accuracy_mode<" + mode + ">>"}
}

// numbers is a list as text.
func numbers(list []int64) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.FormatInt(n, 10)
	}
	return "[" + strings.Join(words, ", ") + "]"
}
