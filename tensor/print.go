package tensor

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/lazy"
)

// The layout of PyTorch's printing (torch/_tensor_str.py, default options).
const (
	printThreshold = 1000 // elements above which the middle is left out
	printEdge      = 3    // elements shown at each end then
	printWidth     = 80   // columns
)

// String computes the tensor if need be and prints it as PyTorch does. It panics as every
// expression does, also where package fmt calls it.
func (t *Tensor) String() string {
	defer escapeFmt()
	b := t.mustBuffer()
	suffix := ""
	if d := b.DType; d != dtype.F32 && d != dtype.I64 && d != dtype.Bool || b.Len() == 0 && d != dtype.F32 {
		suffix = ", dtype=torch." + d.Torch()
	}
	if t.runtime != hostRuntime {
		suffix = ", device='" + t.Device().Name() + "'" + suffix
	}
	if t.NeedsGrad() {
		suffix += ", requires_grad=True"
	}
	if b.Len() == 0 {
		if len(b.Shape) != 1 {
			suffix = ", size=" + tuple(b.Shape) + suffix
		}
		return "tensor([]" + suffix + ")"
	}
	p := newPrinter(b)
	p.block(0, 0, len("tensor("))
	return "tensor(" + p.out.String() + suffix + ")"
}

// GoString describes the tensor without computing it.
func (t *Tensor) GoString() string {
	if t == nil || t.runtime == nil {
		return "tensor nil"
	}
	state := "computed"
	if t.Pending() {
		state = "pending"
	}
	return fmt.Sprintf("tensor %v%s on %s, %s", t.DType(), shape.String(t.Shape()),
		t.Device().Name(), state)
}

// Print writes the tensor and a newline to standard output. It returns nothing: a notebook cell that ends with Print
// shows nothing else. It panics with a typed error where the tensor cannot be computed.
func (t *Tensor) Print() { fmt.Println(t.String()) }

func tuple(dims []int) string {
	parts := make([]string, len(dims))
	for i, n := range dims {
		parts[i] = fmt.Sprint(n)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

type printer struct {
	b       *buf.Buffer
	strides []int
	short   bool // the middle is left out
	format  func(i int) string
	width   int
	out     strings.Builder
}

func newPrinter(b *buf.Buffer) *printer {
	p := &printer{b: b, strides: shape.Strides(b.Shape), short: b.Len() > printThreshold}
	var shown []int
	p.each(0, 0, func(i int) { shown = append(shown, i) })
	switch {
	case b.DType == dtype.Bool:
		p.format = func(i int) string {
			if b.Int64(i) != 0 {
				return "True"
			}
			return "False"
		}
	case b.DType.IsComplex():
		p.format = func(i int) string { return fmt.Sprintf("%.4f%+.4fj", real(b.Complex(i)), imag(b.Complex(i))) }
	case b.DType == dtype.U64:
		p.format = func(i int) string { return fmt.Sprint(buf.Slice[uint64](b)[i]) }
	case !b.DType.IsFloat():
		p.format = func(i int) string { return fmt.Sprint(b.Int64(i)) }
	default:
		p.format = floatFormat(b, shown)
	}
	for _, i := range shown {
		if b.DType.IsFloat() && (b.Float64(i) == 0 || isNonFinite(b.Float64(i))) {
			continue // PyTorch takes the width from non-zero finite values only
		}
		p.width = max(p.width, len(p.format(i)))
	}
	return p
}

func isNonFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// floatFormat picks integers with a point, four decimals, or an exponent.
func floatFormat(b *buf.Buffer, shown []int) func(i int) string {
	high, low, whole := 0.0, math.Inf(1), true
	for _, i := range shown {
		v := math.Abs(b.Float64(i))
		if v == 0 || isNonFinite(v) {
			continue
		}
		high, low = max(high, v), min(low, v)
		whole = whole && v == math.Ceil(v)
	}
	scientific := high > 0 && (high/low > 1000 || high > 1e8 || !whole && low < 1e-4)
	return func(i int) string {
		v := b.Float64(i)
		switch {
		case math.IsNaN(v):
			return "nan"
		case math.IsInf(v, 0):
			return strings.TrimPrefix(strings.ToLower(fmt.Sprint(v)), "+")
		case scientific:
			return fmt.Sprintf("%.4e", v)
		case whole:
			return fmt.Sprintf("%.0f.", v)
		}
		return fmt.Sprintf("%.4f", v)
	}
}

// indices lists the positions of a dimension that are shown; -1 stands for the
// ellipsis.
func (p *printer) indices(dim int) []int {
	n := p.b.Shape[dim]
	var out []int
	for i := 0; i < n; i++ {
		if p.short && n > 2*printEdge && i == printEdge {
			out = append(out, -1)
			i = n - printEdge
		}
		out = append(out, i)
	}
	return out
}

// each visits the shown elements from dimension dim on.
func (p *printer) each(dim, offset int, visit func(i int)) {
	if dim == len(p.b.Shape) {
		visit(offset)
		return
	}
	for _, i := range p.indices(dim) {
		if i >= 0 {
			p.each(dim+1, offset+i*p.strides[dim], visit)
		}
	}
}

// block prints from dimension dim on; indent is the column of its bracket.
func (p *printer) block(dim, offset, indent int) {
	rank := len(p.b.Shape)
	switch {
	case dim == rank:
		p.out.WriteString(p.pad(offset))
		return
	case dim == rank-1:
		p.row(offset, indent)
		return
	}
	p.out.WriteByte('[')
	for k, i := range p.indices(dim) {
		if k > 0 {
			p.out.WriteString("," + strings.Repeat("\n", rank-1-dim) + strings.Repeat(" ", indent+1))
		}
		if i < 0 {
			p.out.WriteString("...")
			continue
		}
		p.block(dim+1, offset+i*p.strides[dim], indent+1)
	}
	p.out.WriteByte(']')
}

func (p *printer) row(offset, indent int) {
	perLine := max(1, (printWidth-indent)/(p.width+2))
	p.out.WriteByte('[')
	for k, i := range p.indices(len(p.b.Shape) - 1) {
		switch {
		case k > 0 && k%perLine == 0:
			p.out.WriteString(",\n" + strings.Repeat(" ", indent+1))
		case k > 0:
			p.out.WriteString(", ")
		}
		if i < 0 {
			p.out.WriteString(" ...")
			continue
		}
		p.out.WriteString(p.pad(offset + i))
	}
	p.out.WriteByte(']')
}

func (p *printer) pad(i int) string {
	text := p.format(i)
	return strings.Repeat(" ", max(0, p.width-len(text))) + text
}

var _ lazy.Value = (*Tensor)(nil)
