package predict

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/workload"
)

// types are the types of a kernel that a row names: both operands of a product (other kernels have a alone), results,
// and sums.
type types struct {
	a, b workload.Operand
	out  dtype.DType
	acc  dtype.DType
}

// element is a type by a name: its elements, and how they are packed.
type element struct {
	dtype  dtype.DType
	format dtype.Format
}

// elements are types by their names. Integers of 4 bits have no scale unless what they are multiplied by
// is a float.
var elements = map[string]element{
	"i8": {dtype: dtype.I8}, "int8": {dtype: dtype.I8}, "s8": {dtype: dtype.I8}, "si8": {dtype: dtype.I8},
	"u8": {dtype: dtype.U8}, "uint8": {dtype: dtype.U8}, "ui8": {dtype: dtype.U8},
	"i16": {dtype: dtype.I16}, "int16": {dtype: dtype.I16}, "s16": {dtype: dtype.I16}, "si16": {dtype: dtype.I16},
	"i32": {dtype: dtype.I32}, "int32": {dtype: dtype.I32}, "s32": {dtype: dtype.I32}, "si32": {dtype: dtype.I32},
	"bf16": {dtype: dtype.BF16}, "bfloat16": {dtype: dtype.BF16},
	"f16": {dtype: dtype.F16}, "fp16": {dtype: dtype.F16}, "float16": {dtype: dtype.F16}, "half": {dtype: dtype.F16},
	"f32": {dtype: dtype.F32}, "fp32": {dtype: dtype.F32}, "float32": {dtype: dtype.F32}, "float": {dtype: dtype.F32},
	"bfp16": {dtype.BF16, dtype.BFP16},
	"i4":    {dtype.I8, dtype.I4}, "int4": {dtype.I8, dtype.I4}, "s4": {dtype.I8, dtype.I4}, "si4": {dtype.I8, dtype.I4},
	"u4": {dtype.I8, dtype.I4}, "uint4": {dtype.I8, dtype.I4}, "ui4": {dtype.I8, dtype.I4},
	"q4": {dtype.BF16, dtype.Q4}, "awq": {dtype.BF16, dtype.Q4}, "q8": {dtype.BF16, dtype.Q8},
	"qm4": {dtype.BF16, dtype.Q4_1}, "sparse24": {dtype.Invalid, dtype.Sparse24},
}

// compound are names of several words, or with signs in them, and what they stand for.
var compound = []struct {
	spelling *notation.Pattern
	name     string
}{
	{notation.Match(`\b(?:v\d+)?bfp16[ _-]?ebs8\b|\bblock[ _-]?(?:fp|float|floating[ -]point)[ _-]?16\b`), "bfp16"},
	{notation.Match(`\bq4_1\b`), "qm4"},
	{notation.Match(`\bq4(?:_0|_k\w*|nx)\b|\bu?int4[ _-]awq\b|\bawq[ _-]u?int4\b`), "q4"},
	{notation.Match(`\bq8_0\b`), "q8"},
}

var (
	// joined is the sign between the operands of "i8xi4".
	joined = notation.Match(`(\d)x([a-z])`)
	// words are names, numbers of bits of weights and activations, arrows, and signs between them.
	words = notation.Match(`->|[wa]\d+[wa]\d+|[a-z]+\d*|[*,/_+-]`)
	bits  = notation.Match(`^(?:w(\d+)a(\d+)|a(\d+)w(\d+))$`)
	sums  = notation.Match(`^(?:acc|accum|accumulator|accumulators|accumulate|accumulates|sums)$`)
	// products are between operands, and fillers say nothing.
	products = notation.Match(`^(?:x|\*|by|times)$`)
	fillers  = notation.Match(`^(?:in|out|to|input|inputs|output|outputs|weights|activations|operands|results|with|and|->|[,/_+-])$`)
)

// types reads the types of a row: "bf16", "bf16->f32", "i8 x i4 -> i32", "bf16_in_fp32_out", "i8,i8,i32",
// "w4a16", "bf16 acc f32". Without another type results have the type of the left operand, or of the operand that is
// not packed.
func (r *Row) types() (types, error) {
	unknown := fmt.Errorf("unknown type %q", r.DType)
	text := joined.ReplaceAllString(r.DType, "$1 x $2")
	for _, c := range compound {
		text = c.spelling.ReplaceAllString(text, c.name)
	}
	if strings.Trim(words.ReplaceAllString(text, ""), " ()") != "" {
		return types{}, unknown
	}
	var in []element // operands and results, in their order
	var acc *element
	pair, ofSums := false, false
	all := words.FindAllString(text, -1)
	for i, w := range all {
		e, ok := elements[w]
		g := bits.FindStringSubmatch(w)
		switch {
		case ok && (ofSums || len(in) > 0 && isSums(all, i+1)) && acc == nil:
			acc, ofSums = &e, false
		case ok:
			in = append(in, e)
		case g != nil && len(in) == 0:
			in, pair = byBits(g[1]+g[4], g[2]+g[3]), true
			if in == nil {
				return types{}, unknown
			}
		case products.MatchString(w) && len(in) == 1:
			pair = true
		case sums.MatchString(w) && len(in) > 0:
			ofSums = acc == nil
		case !fillers.MatchString(w):
			return types{}, unknown
		}
	}
	if len(in) > 0 && in[0].format == dtype.Sparse24 { // weights, whose type is the type of the other operand
		return types{}, unknown
	}
	if len(in) == 3 || len(in) == 2 && !pair {
		last := in[len(in)-1]
		if last.format != dtype.Plain {
			return types{}, fmt.Errorf("results that are packed as %v are not predicted", last.format)
		}
		t := operands(in[:len(in)-1])
		t.out = last.dtype
		return t.summed(acc), nil
	}
	if n := len(in); n == 0 || n > 3 || pair && n == 1 {
		return types{}, unknown
	}
	t := operands(in).summed(acc)
	for _, o := range []*workload.Operand{&t.a, &t.b} {
		if o.Format == dtype.Q4 && fiveBits.MatchString(r.Notes) {
			o.Format = dtype.Q4_1
		}
	}
	return t, nil
}

// fiveBits is a note that values of 4 bits have scales and minima, which makes it 5 bits each.
var fiveBits = notation.Match(`\b(?:of )?5[ -]?bits?\b|\bq4_1\b|\bscales? and (?:minim|zero)`)

// isSums reports whether a word says that the type before the word is the type of sums, and not the type behind it.
func isSums(words []string, i int) bool {
	if i >= len(words) || !sums.MatchString(words[i]) {
		return false
	}
	if i+1 == len(words) {
		return true
	}
	_, after := elements[words[i+1]]
	return !after
}

// summed returns the types with sums of the type given, if there is one.
func (t types) summed(acc *element) types {
	if acc != nil {
		t.acc = acc.dtype
	}
	return t
}

// byBits returns the element types of activations and of weights with the given numbers of bits, or nil if no such
// pair of types exists.
func byBits(weights, activations string) []element {
	a, ok := map[string]element{"8": elements["i8"], "16": elements["bf16"]}[activations]
	w, known := map[string]element{"4": elements["i4"], "8": elements["i8"], "16": elements["bf16"]}[weights]
	if !ok || !known || len(weights) > len(activations) {
		return nil
	}
	return []element{a, w}
}

// operands returns the types of a product of two operands, or of two of one type. Integers that are
// multiplied by floats have scales, and become floats for the multipliers.
func operands(in []element) types {
	a, b := in[0], in[len(in)-1]
	if b.format == dtype.Sparse24 { // weights of the type of the other operand
		b.dtype = a.dtype
	}
	scaled(&a, b)
	scaled(&b, a)
	t := types{a: workload.Operand{DType: a.dtype, Format: a.format}, b: workload.Operand{DType: b.dtype, Format: b.format},
		out: a.dtype, acc: dtype.I32}
	if a.format != dtype.Plain && b.format == dtype.Plain {
		t.out = b.dtype
	}
	if a.dtype.IsFloat() {
		t.acc = dtype.F32
	}
	return t
}

func scaled(e *element, by element) {
	if !by.dtype.IsFloat() {
		return
	}
	switch {
	case e.format == dtype.I4:
		*e = element{by.dtype, dtype.Q4}
	case e.dtype.Size() == 1 && e.format == dtype.Plain:
		*e = element{by.dtype, dtype.Q8}
	}
}

// single returns the one type of a kernel that is no product.
func (r *Row) single() (dtype.DType, error) {
	t, err := r.types()
	switch {
	case err != nil:
		return dtype.Invalid, err
	case t.a != t.b || t.a.Format != dtype.Plain:
		return dtype.Invalid, fmt.Errorf("%s has one type of elements, not %q", strings.Fields(r.Workload + " ?")[0], r.DType)
	case t.out != t.a.DType:
		return dtype.Invalid, fmt.Errorf("%s of %v with results of %v is not predicted", strings.Fields(r.Workload + " ?")[0],
			t.a.DType, t.out)
	}
	return t.a.DType, nil
}

// matrixFirst puts weights that are packed on the left, as the matrix of a product with a vector is.
func (t *types) matrixFirst() {
	if t.a.Format == dtype.Plain && t.b.Format != dtype.Plain {
		t.a, t.b = t.b, t.a
	}
}
