package kernel

import (
	"slices"
	"strconv"

	"github.com/go-acap/acap/base/dtype"
)

func (n *Nest) verify(v *verifier) {
	v.extents("outer loops", n.Outer...)
	v.extents("inner loops", n.Inner...)
	v.extents("loops", slices.Concat(n.Outer, n.Inner)...)
	if v.err != nil {
		return
	}
	for i, a := range n.Access {
		v.port("port "+strconv.Itoa(i), a.Port)
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

// nestBounds checks the accesses of ports that are loaded or stored. A port only reached by offsets is checked as it runs.
func (v *verifier) nestBounds(n *Nest) {
	type use struct{ inner, once bool }
	used, loops := make([]use, len(n.Access)), slices.Concat(n.Outer, n.Inner)
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
		what := "port " + strconv.Itoa(i)
		if used[i].once {
			v.bounds(what, a.Port, a.Offset, n.Outer, a.Outer)
		}
		if used[i].inner {
			v.bounds(what, a.Port, a.Offset, loops, slices.Concat(a.Outer, a.Inner))
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
	what := "stage " + strconv.Itoa(number)
	v.body(what, s.Body, &env)
	for _, k := range s.Keep {
		v.operand(what+": keep", s.Body, k, len(s.Body))
	}
	for i, r := range s.Reduce {
		v.reduction(what+": reduction "+strconv.Itoa(i), s.Body, &r)
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
