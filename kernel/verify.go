package kernel

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// Verify checks that a kernel means something: types, numbers of instructions
// and ports, and that every affine access stays within its port. Back ends rely
// on it for the safety of memory. [LoadAt] and [StoreAt] are checked as they run.
func Verify(k Kernel) error {
	var v verifier
	var name string
	switch k := k.(type) {
	case *Nest:
		name = k.Name
		v.nest(k)
	case *Contraction:
		name = k.Name
		v.contraction(k)
	case *Convolution:
		name = k.Name
		v.convolution(k)
	case *Attention:
		name = k.Name
		v.attention(k)
	case *Scan:
		name = k.Name
		v.scan(k)
	case *Sort:
		name = k.Name
		v.sort(k)
	case *Scatter:
		name = k.Name
		v.scatter(k)
	case *Random:
		name = k.Name
		v.random(k)
	case *Unpack:
		name = k.Name
		v.unpack(k)
	default:
		v.fail("unknown kind %T", k)
	}
	if v.err != nil {
		return fmt.Errorf("kernel %q: %w", name, v.err)
	}
	return nil
}

// verifier keeps the first error.
type verifier struct{ err error }

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// maxExtent bounds extents, strides and offsets, so that no address overflows.
const maxExtent = 1 << 48

// maxLoops bounds the loops of a kernel, maxBody the instructions of a body.
const (
	maxLoops = 64
	maxBody  = 1 << 16
)

func (v *verifier) extents(what string, extents ...int) {
	if len(extents) > maxLoops {
		v.fail("%d loops are too many", len(extents))
	}
	points := uint64(1)
	for _, e := range extents {
		if e < 0 || e > maxExtent {
			v.fail("%s: extent %d", what, e)
			return
		}
		hi, lo := bits.Mul64(points, uint64(max(e, 1)))
		if hi != 0 || lo > maxExtent {
			v.fail("%s: too many points", what)
			return
		}
		points = lo
	}
}

func (v *verifier) port(what string, p Port) {
	if !p.DType.Valid() || p.DType.IsComplex() {
		v.fail("%s: element type %s", what, p.DType)
	}
	if p.Len < 0 || p.Len > maxExtent {
		v.fail("%s: length %d", what, p.Len)
	}
	if p.Const && p.Write {
		v.fail("%s: constant and written", what)
	}
	switch {
	case p.Format == dtype.Plain:
	case p.Stored():
		if p.Write || p.DType != dtype.U8 {
			v.fail("%s: blocks of %v, and not u8 that is read", what, p.Format)
		}
	case p.Write || p.DType != dtype.BF16 || !slices.Contains(dtype.Formats(), p.Format):
		v.fail("%s: packed, and not bf16 that is read", what)
	}
}

// bounds checks that offset plus any combination of index and stride is inside
// a port. With no points at all nothing is accessed.
func (v *verifier) bounds(what string, p Port, offset int, extents, strides []int) {
	if len(extents) != len(strides) {
		v.fail("%s: %d strides for %d loops", what, len(strides), len(extents))
		return
	}
	lo, hi := float64(offset), float64(offset)
	for i, e := range extents {
		if e == 0 {
			return
		}
		if abs(strides[i]) > maxExtent || strides[i] == math.MinInt {
			v.fail("%s: stride %d", what, strides[i])
			return
		}
		// float64 loses no more than the last bits of numbers beyond 2⁵³, which
		// are far outside any port.
		if reach := float64(strides[i]) * float64(e-1); reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	if lo < 0 || hi >= float64(p.Len) {
		v.fail("%s: elements %.0f to %.0f of a port of %d", what, lo, hi, p.Len)
	}
}

func (v *verifier) nest(n *Nest) {
	v.extents("outer loops", n.Outer...)
	v.extents("inner loops", n.Inner...)
	v.extents("loops", append(append([]int(nil), n.Outer...), n.Inner...)...)
	if v.err != nil {
		return
	}
	for i, a := range n.Access {
		v.port(fmt.Sprintf("port %d", i), a.Port)
		if len(a.Outer) != len(n.Outer) || len(a.Inner) != len(n.Inner) {
			v.fail("port %d: strides for %d+%d loops, have %d+%d", i,
				len(n.Outer), len(n.Inner), len(a.Outer), len(a.Inner))
		}
	}
	for i := range n.Stages {
		if v.err == nil {
			v.stage(n, i)
		}
	}
	if v.err == nil {
		v.nestBounds(n)
	}
}

// nestBounds checks the accesses of ports that are loaded or stored. A port that
// is only reached by offsets is checked as it runs.
func (v *verifier) nestBounds(n *Nest) {
	type use struct{ inner, once bool }
	used := make([]use, len(n.Access))
	for _, s := range n.Stages {
		for _, i := range s.Body {
			if i.Op == Load || i.Op == Store {
				if s.Once {
					used[i.Port].once = true
				} else {
					used[i.Port].inner = true
				}
			}
			if i.Op == Store {
				v.storeOnce(n, i.Port)
			}
		}
	}
	for i, a := range n.Access {
		what := fmt.Sprintf("port %d", i)
		if used[i].once {
			v.bounds(what, a.Port, a.Offset, n.Outer, a.Outer)
		}
		if used[i].inner {
			v.bounds(what, a.Port, a.Offset, append(append([]int(nil), n.Outer...), n.Inner...),
				append(append([]int(nil), a.Outer...), a.Inner...))
		}
		if abs(a.Offset) > maxExtent {
			v.fail("%s: offset %d", what, a.Offset)
		}
	}
}

// storeOnce refuses a store that different parallel points make to one element.
func (v *verifier) storeOnce(n *Nest, port int) {
	for l, e := range n.Outer {
		if e > 1 && n.Access[port].Outer[l] == 0 {
			v.fail("port %d: every point of parallel loop %d stores to one element", port, l)
		}
	}
}

func (v *verifier) stage(n *Nest, number int) {
	s := &n.Stages[number]
	env := bodyEnv{ports: n.Ports(), loops: len(n.Outer) + len(n.Inner), nest: n, stage: number}
	what := fmt.Sprintf("stage %d", number)
	v.body(what, s.Body, &env)
	for _, k := range s.Keep {
		v.operand(what+": keep", s.Body, k, len(s.Body))
	}
	for i, r := range s.Reduce {
		v.reduction(fmt.Sprintf("%s: reduction %d", what, i), s.Body, &r)
	}
}

func (v *verifier) reduction(what string, b Body, r *Reduction) {
	if int(r.Kind) >= len(reduceNames) {
		v.fail("%s: kind %d", what, r.Kind)
		return
	}
	v.operand(what, b, r.Value, len(b))
	if !r.Type.Valid() || r.Type.IsComplex() {
		v.fail("%s: type %s", what, r.Type)
	}
	if v.err != nil {
		return
	}
	switch {
	case r.Kind.IsArg():
		v.operand(what, b, r.Arg, len(b))
		if v.err == nil && b[r.Arg].Type != dtype.I64 {
			v.fail("%s: the position is %s, not i64", what, b[r.Arg].Type)
		}
	case r.Kind >= ReduceAnd && r.Kind <= ReduceXor && r.Type.IsFloat():
		v.fail("%s: %s of %s", what, r.Kind, r.Type)
	}
}

// operand checks that number o is an instruction before n that has a value.
func (v *verifier) operand(what string, b Body, o, n int) {
	if o < 0 || o >= n {
		v.fail("%s: operand %%%d", what, o)
	} else if b[o].Op == Store || b[o].Op == StoreAt {
		v.fail("%s: operand %%%d has no value", what, o)
	}
}
