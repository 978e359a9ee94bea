package kernel

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// Epilogue is the pointwise work on the accumulator before it is stored. In its body [Input] is the accumulator; Load
// and Store use port numbers of the whole kernel, whose strides are in Access[port-first], over the kernel's loops.
type Epilogue struct {
	Access []Access // strides over the kernel's loops are in Outer; Inner is empty
	Body   Body
}

// OnSums returns the nest over loops of the given extents that does the work of e on sums that lie in
// memory. The sums are its port 0; the ports of e follow, as view says where they lie along these loops.
func (e *Epilogue) OnSums(sums Access, extents []int, view func(Access) Access) *Nest {
	n := &Nest{Name: "epilogue", Outer: extents, Access: []Access{sums}}
	for _, a := range e.Access {
		n.Access = append(n.Access, view(a))
	}
	body := append(Body(nil), e.Body...)
	for i := range body {
		switch body[i].Op {
		case Input:
			body[i] = Instr{Op: Load, Type: body[i].Type}
		case Load, LoadAt, Store:
			body[i].Port--
		}
	}
	n.Stages = []Stage{{Body: body}}
	return n
}

// portsOf returns the ports of some accesses.
func portsOf(list []Access) []Port {
	ports := make([]Port, len(list))
	for i, a := range list {
		ports[i] = a.Port
	}
	return ports
}

func (v *verifier) epilogue(e *Epilogue, first int, extents []int, acc dtype.DType, ports []Port) {
	env := &bodyEnv{ports: ports, first: first, loops: len(extents), input: acc}
	v.body("epilogue", e.Body, env)
	if v.err != nil {
		return
	}
	n := &Nest{Outer: extents, Access: e.Access}
	for i, a := range e.Access {
		what := fmt.Sprintf("port %d", first+i)
		v.port(what, a.Port)
		v.bounds(what, a.Port, a.Offset, extents, a.Outer)
	}
	for _, i := range e.Body {
		if i.Op == Store && v.err == nil {
			v.storeOnce(n, i.Port-first)
		}
	}
}

func (e *Epilogue) form(f *form) {
	f.accesses(&e.Access, false)
	f.operand("epilogue", func(f *form) {
		f.open = true
		e.Body.form(f)
		f.rest()
	})
}

// overwrites reports whether access out may be the memory of access in.
func (e *Epilogue) overwrites(in, out int) bool {
	return in >= 0 && out >= 0 && sameElements(&e.Access[in], &e.Access[out]) && !e.Body.Has(LoadAt)
}
