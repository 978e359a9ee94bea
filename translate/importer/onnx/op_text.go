package onnx

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("StringConcat", func(n *node) {
		var list []string

		dims := n.pairOfTexts(func(x, y string) {

			n.ev.work(len(x) + len(y))
			list = append(list, x+y)
		})
		n.setTexts(0, dims, list)
	})
	register("RegexFullMatch", func(n *node) {
		x := n.texts(0)
		pattern, err := regexp.Compile(`\A(?:` + n.text("pattern", "") + `)\z`)
		if err != nil {
			failf("pattern: %w", err)
		}
		list := make([]bool, len(x.Elements))
		for i, s := range x.Elements {
			n.ev.work(len(s))
			list[i] = pattern.MatchString(s)
		}
		n.setKnown(0, truths(x.Shape, list))
	})
	register("StringSplit", splitTexts)
	register("StringNormalizer", normalizeTexts)
}

// equalTexts compares texts element by element.
func equalTexts(n *node) {
	var list []bool
	dims := n.pairOfTexts(func(x, y string) { list = append(list, x == y) })
	n.setKnown(0, truths(dims, list))
}

// splitTexts gives the parts of each text, filled up with empty texts to the most there are, and their numbers.
// Without a delimiter the parts stand between white space.
func splitTexts(n *node) {
	x := n.texts(0)
	delimiter, most := n.text("delimiter", ""), n.int("maxsplit", -1)
	parts, width := make([][]string, len(x.Elements)), 0
	counts := n.buffer(dtype.I64, x.Shape)
	for i, s := range x.Elements {
		n.ev.work(len(s))
		if delimiter == "" {
			parts[i] = fields(s, most)
		} else {
			limit := -1
			if most >= 0 {
				limit = most + 1
			}
			parts[i] = strings.SplitN(s, delimiter, limit)
		}
		width = max(width, len(parts[i]))
		counts.SetInt64(i, int64(len(parts[i])))
	}
	n.room([]int{len(parts), width})
	list := make([]string, 0, width*len(parts))
	for _, p := range parts {
		list = append(append(list, p...), make([]string, width-len(p))...)
	}
	n.setTexts(0, append(slices.Clone(x.Shape), width), list)
	n.setKnown(1, counts)
}

// fields splits a text at white space, at most most times if most is not negative.
func fields(s string, most int) []string {
	const white = " \t\n\v\f\r"
	if most < 0 {
		return strings.Fields(s)
	}
	var list []string
	for s = strings.TrimLeft(s, white); s != ""; {
		end := strings.IndexAny(s, white)
		if end < 0 || len(list) == most {
			return append(list, strings.TrimRight(s, white))
		}
		list, s = append(list, s[:end]), strings.TrimLeft(s[end:], white)
	}
	return list
}

// normalizeTexts leaves out stop words and changes letters to upper or lower case. A row without texts left has one
// empty text.
func normalizeTexts(n *node) {
	x := n.texts(0)
	if r := len(x.Shape); r != 1 && (r != 2 || x.Shape[0] != 1) {
		failf("takes [C] or [1 C] texts, not %v", x.Shape)
	}
	change := func(s string) string { return s }
	switch action := n.text("case_change_action", "NONE"); action {
	case "NONE":
	case "LOWER":
		change = strings.ToLower
	case "UPPER":
		change = strings.ToUpper
	default:
		failf("case_change_action %q is not supported", action)
	}
	same := func(a, b string) bool { return a == b }
	if !n.bool("is_case_sensitive", false) {
		same = strings.EqualFold
	}
	stop := n.strings("stopwords")
	list := []string{}
	for _, s := range x.Elements {
		n.ev.work(len(stop) + 1)
		if !slices.ContainsFunc(stop, func(w string) bool { return same(w, s) }) {
			list = append(list, change(s))
		}
	}
	if len(list) == 0 {
		list = []string{""}
	}
	dims := slices.Clone(x.Shape)
	dims[len(dims)-1] = len(list)
	n.setTexts(0, dims, list)
}

// parsed returns the numbers that texts stand for.
func (n *node) parsed(x *Texts) ops.Value {
	b := n.buffer(dtype.F64, x.Shape)
	for i, s := range x.Elements {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil && !math.IsInf(v, 0) {
			failf("%q is no number", s)
		}
		b.SetFloat64(i, v)
	}
	return n.constant(b)
}

// printed returns texts for numbers: the shortest that stand for them.
func printed(b *buf.Buffer) []string {
	list := make([]string, b.Len())
	for i := range list {
		switch {
		case b.DType == dtype.Bool:
			list[i] = strconv.FormatBool(b.Int64(i) != 0)
		case b.DType == dtype.U64:
			list[i] = fmt.Sprint(uint64(b.Int64(i)))
		case !b.DType.IsFloat():
			list[i] = fmt.Sprint(b.Int64(i))
		default:
			list[i] = printedFloat(b.Float64(i), b.DType)
		}
	}
	return list
}

// printedFloat has the digits that tell v from its neighbours, and a fraction.
func printedFloat(v float64, d dtype.DType) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return map[bool]string{true: "INF", false: "-INF"}[v > 0]
	}
	bits := 32
	if d == dtype.F64 {
		bits = 64
	}
	text := strconv.FormatFloat(v, 'f', -1, bits)
	if d.Size() < 4 { // the fewest digits that come back
		one := buf.New(d, nil)
		for digits := 0; digits < 20; digits++ {
			short := strconv.FormatFloat(v, 'f', digits, 64)
			back, _ := strconv.ParseFloat(short, 64)
			if one.SetFloat64(0, back); one.Float64(0) == v {
				text = short
				break
			}
		}
	}
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
