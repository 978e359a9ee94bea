package bytecode

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// quantized has the parameters of a quantized type of StableHLO or of the dialect quant.
type quantized struct {
	signed             bool
	storage, expressed mlir.Type
	axis               int64 // the dimension along which there are several scales, -1 for one scale
	low, high          int64
	scales             []float64
	zeros              []int64
}

// quantized reads a quantized type, with scales for all or for places along a dimension.
func (r *reader) quantized(c *cursor, axis bool) mlir.Type {
	q := quantized{signed: c.varint()&1 != 0, storage: r.typ(c), expressed: r.typ(c), axis: -1}
	scale := func() float64 { return math.Float64frombits(uint64(r.word(c, 64))) }
	if axis {
		q.axis = int64(c.varint())
		q.low, q.high = c.signed(), c.signed()
		q.scales, q.zeros = list(c, scale), list(c, c.signed)
	} else {
		q.scales, q.zeros = []float64{scale()}, []int64{c.signed()}
		q.low, q.high = c.signed(), c.signed()
	}
	if len(q.scales) != len(q.zeros) {
		c.failf("%d scales and %d zero points", len(q.scales), len(q.zeros))
	}
	t, err := mlir.ParseType(q.String())
	if err != nil {
		c.failf("%w", err)
	}
	return t
}

// String is MLIR's spelling of the type.
func (q *quantized) String() string {
	word := "u"
	if q.signed {
		word = "i"
	}
	var parts []string
	for i, s := range q.scales {
		parts = append(parts, strconv.FormatFloat(s, 'e', -1, 64)+":"+strconv.FormatInt(q.zeros[i], 10))
	}
	text := strings.Join(parts, ",")
	of := q.expressed.String()
	if q.axis >= 0 {
		of += ":" + strconv.FormatInt(q.axis, 10)
		text = "{" + text + "}"
	}
	return "!quant.uniform<" + word + strconv.Itoa(mlir.BitWidth(q.storage)) + "<" + strconv.FormatInt(q.low, 10) + ":" +
		strconv.FormatInt(q.high, 10) + ">:" + of + ", " + text + ">"
}

// quantType reads a type of the dialect quant.
func (r *reader) quantType(c *cursor) mlir.Type {
	code := c.varint()
	if code != 3 && code != 4 {
		c.failf("a type %d of quant", code)
	}
	return r.quantized(c, code == 4)
}
