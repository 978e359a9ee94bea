package quant

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Uniform is a type !quant.uniform<…>: the number that a stored integer means is (stored - zero
// point)·scale.
type Uniform struct {
	Storage   mlir.IntegerType // signless where it is written i8, as signed integers usually are
	Low, High int64            // of what is stored
	Expressed mlir.Type        // of the numbers that are meant
	// Axis is the dimension along which each place has a scale of its own, or -1 where one scale holds for all.
	Axis   int
	Scales []float64
	Zeros  []int64
}

// Of reads an element type. It reports false for types that are not uniformly quantized, and for those
// that have scales for blocks of several dimensions.
func Of(t mlir.Type) (Uniform, bool) {
	o, ok := t.(mlir.OpaqueType)
	if !ok || o.Dialect != "quant" || !strings.HasPrefix(o.Text, "uniform<") {
		return Uniform{}, false
	}
	u := Uniform{Axis: -1}
	head, tail, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(o.Text, "uniform<"), ">"), ", ")
	if !ok || strings.Contains(head, "{") {
		return Uniform{}, false
	}
	storage, rest, _ := strings.Cut(head, ":")
	low, high := "", ""
	if word, bounded, ok := strings.Cut(head, "<"); ok {
		var between string
		storage = word
		between, rest, _ = strings.Cut(bounded, ">:")
		low, high, _ = strings.Cut(between, ":")
	}
	u.Storage, _ = storageOf(storage)
	u.Low, u.High = bounds(u.Storage)
	if low != "" {
		u.Low, _ = strconv.ParseInt(low, 10, 64)
		u.High, _ = strconv.ParseInt(high, 10, 64)
	}
	expressed, axis, per := strings.Cut(rest, ":")
	if u.Expressed, _ = mlir.ParseType(expressed); u.Expressed == nil {
		return Uniform{}, false
	}
	if per {
		u.Axis, _ = strconv.Atoi(axis)
		tail = strings.Trim(tail, "{}")
	}
	for _, pair := range strings.Split(tail, ",") {
		scale, zero, _ := strings.Cut(pair, ":")
		s, err := scaleOf(scale)
		z, _ := strconv.ParseInt(zero, 10, 64)
		if err != nil {
			return Uniform{}, false
		}
		u.Scales, u.Zeros = append(u.Scales, s), append(u.Zeros, z)
	}
	return u, true
}

// scaleOf reads a scale as the text of a type has it: a decimal number, or the bits of an f64 in hex.
func scaleOf(text string) (float64, error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		bits, err := strconv.ParseUint(digits, 16, 64)
		return math.Float64frombits(bits), err
	}
	return strconv.ParseFloat(text, 64)
}

// SameStorage reports whether the same integers are stored for numbers of the same type, with one scale or
// one for each place in both.
func (u Uniform) SameStorage(v Uniform) bool {
	return u.Storage == v.Storage && u.Low == v.Low && u.High == v.High && mlir.SameType(u.Expressed, v.Expressed) &&
		(u.Axis < 0) == (v.Axis < 0)
}

// SameScales reports whether scales and zero points are equal.
func (u Uniform) SameScales(v Uniform) bool {
	if len(u.Scales) != len(v.Scales) {
		return false
	}
	for i := range u.Scales {
		if u.Scales[i] != v.Scales[i] || u.Zeros[i] != v.Zeros[i] {
			return false
		}
	}
	return true
}

// storageOf reads i8, u8 or si8.
func storageOf(word string) (t mlir.IntegerType, ok bool) {
	switch {
	case strings.HasPrefix(word, "u"):
		t.Signedness = mlir.Unsigned
	case strings.HasPrefix(word, "si"):
		t.Signedness = mlir.Signed
	case !strings.HasPrefix(word, "i"):
		return t, false
	}
	width, err := strconv.Atoi(strings.TrimLeft(word, "sui"))
	t.Width = width
	return t, err == nil && width > 0 && width <= 32
}

// bounds are the least and the greatest number of an integer type.
func bounds(t mlir.IntegerType) (low, high int64) {
	if t.Signedness == mlir.Unsigned {
		return 0, 1<<t.Width - 1
	}
	return -1 << (t.Width - 1), 1<<(t.Width-1) - 1
}

// reader reads a type and writes its canonical text.
type reader struct {
	*mlir.Parser
	text strings.Builder
}

// parseType reads uniform<…>, any<…> and calibrated<…> into one spelling. Others stay as they are.
func parseType(p *mlir.Parser, mnemonic string) mlir.Type {
	if mnemonic != "uniform" {
		return nil
	}
	r := &reader{Parser: p}
	r.text.WriteString("uniform<")
	p.Expect("<")
	low, high := r.storage()
	p.Expect(":")
	expressed := p.Type()
	r.text.WriteString(":" + expressed.String())
	float, isFloat := expressed.(mlir.FloatType)
	if !isFloat {
		p.Errorf("a quantized type must stand for floating-point numbers, not %s", expressed)
		return nil
	}
	per := false
	if p.Accept(":") {
		per = true
		r.text.WriteString(":")
		if p.Next("{") {
			r.blocks()
		} else {
			axis := p.Int()
			if axis < 0 {
				p.Errorf("a quantized dimension must not be negative")
			}
			r.text.WriteString(strconv.Itoa(axis))
		}
	}
	p.Expect(",")
	r.text.WriteString(", ")
	r.scales(per, float, low, high)
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return mlir.OpaqueType{Dialect: "quant", Text: r.text.String() + ">"}
}

// storage reads i8 or i8<-127:127>.
func (r *reader) storage() (low, high int64) {
	word := r.Keyword()
	if rest, ok := strings.CutPrefix(word, "ui"); ok { // the same as u8
		word = "u" + rest
	}
	t, ok := storageOf(word)
	if !ok {
		r.Errorf("integers of up to 32 bits are stored, not %q", word)
		return 0, 0
	}
	r.text.WriteString(word)
	low, high = bounds(t)
	if !r.Accept("<") {
		return low, high
	}
	least := int64(r.Int())
	r.Expect(":")
	most := int64(r.Int())
	r.Expect(">")
	if least < low || most > high || least >= most {
		r.Errorf("%d to %d is no range of %s", least, most, word)
	}
	if least != low || most != high {
		r.text.WriteString("<" + strconv.FormatInt(least, 10) + ":" + strconv.FormatInt(most, 10) + ">")
	}
	return least, most
}

// blocks reads {0:2, 1:4}: dimensions and the extents of blocks along them.
func (r *reader) blocks() {
	var parts []string
	r.List("{", "}", func() {
		axis := r.Int()
		r.Expect(":")
		parts = append(parts, strconv.Itoa(axis)+":"+strconv.Itoa(r.Int()))
	})
	r.text.WriteString("{" + strings.Join(parts, ", ") + "}")
}

// scales reads 0.1:3, or for each place {0.1:3, 0.2}, or for blocks lists of lists.
func (r *reader) scales(per bool, expressed mlir.FloatType, low, high int64) {
	if per && r.Next("{") {
		r.text.WriteString("{")
		first := true
		r.List("{", "}", func() {
			if !first {
				r.text.WriteString(",")
			}
			first = false
			r.scales(per, expressed, low, high)
		})
		r.text.WriteString("}")
		return
	}
	scale := r.Float()
	if r.Failed() {
		return
	}
	if !(scale > 0) || math.IsInf(scale, 0) {
		r.Errorf("a scale must be positive, not %v", scale)
		return
	}
	if least, most := limits(expressed); scale < least || scale > most {
		r.Errorf("the scale %v is outside of what %s holds", scale, expressed)
	}
	text, _, _ := strings.Cut(mlir.FloatAttr{Value: scale, Type: mlir.F64}.String(), " : ")
	r.text.WriteString(text)
	if r.Accept(":") {
		zero := int64(r.Int())
		if zero < low || zero > high {
			r.Errorf("the zero point %d is not from %d to %d", zero, low, high)
		}
		if zero != 0 {
			r.text.WriteString(":" + strconv.FormatInt(zero, 10))
		}
	}
}

// limits are the least positive normal and the greatest number of a floating-point type.
func limits(t mlir.FloatType) (least, most float64) {
	fraction, bias, ok := t.Layout()
	if !ok {
		return 0, math.MaxFloat64
	}
	most = math.Ldexp(2-math.Ldexp(1, -fraction), bias)
	return math.Ldexp(1, 1-bias), most
}
