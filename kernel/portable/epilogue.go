package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// epilogue runs the body of a contraction or convolution on runs of the accumulator along one of the kernel's loops.
type epilogue struct {
	first  int // number of the first port
	access []kernel.Access
	lane   int
	loops  int
	steps  []step
	input  int
	size   int // bytes of an accumulator
	regs   registers
}

// compileEpilogue compiles e for lanes along a loop.
func compileEpilogue(e *kernel.Epilogue, first, loops, lane int, acc dtype.DType) *epilogue {
	c := &epilogue{first: first, access: e.Access, lane: lane, loops: loops, size: acc.Size()}
	ports := make([]port, first+len(e.Access))
	for i, a := range e.Access {
		ports[first+i] = port{dtype: a.DType, length: a.Len, stride: a.Outer[lane]}
	}
	c.input = c.regs.add(acc)
	body := &bodyCompiler{registers: &c.regs, body: e.Body, ports: ports, laneLoop: lane, input: c.input}
	body.prepare()
	body.fuse(nil)
	for n := range e.Body {
		if s := body.instr(n); s != nil {
			c.steps = append(c.steps, s)
		}
	}
	return c
}

func (c *epilogue) frame() *frame { return c.regs.frame(c.first+len(c.access), c.loops, nil) }

// run applies the body to n accumulators at acc; index says where the first of them is.
func (c *epilogue) run(f *frame, index []int, acc unsafe.Pointer, n int) {
	copy(f.index, index)
	for at := 0; at < n; at += Lanes {
		f.n = min(n-at, Lanes)
		f.reg[c.input] = unsafe.Add(acc, at*c.size)
		for i, a := range c.access {
			e := a.Offset
			for loop, stride := range a.Outer {
				e += f.index[loop] * stride
			}
			f.base[c.first+i] = e
		}
		run(c.steps, f)
		f.index[c.lane] += f.n
	}
}
