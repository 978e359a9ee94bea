package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// registers lays out the registers of a kernel: each is Lanes elements of its
// type in the frame's memory, unless it stands for another one.
type registers struct {
	offset []int // words from the start of the memory
	words  int
	consts []constant
}

type constant struct {
	reg   int
	dtype dtype.DType
	bits  uint64
}

func (r *registers) add(d dtype.DType) int {
	r.offset = append(r.offset, r.words)
	r.words += Lanes * widened(d).Size() / 8
	return len(r.offset) - 1
}

// constant adds a register of equal lanes.
func (r *registers) constant(d dtype.DType, bits uint64) int {
	n := r.add(d)
	r.consts = append(r.consts, constant{n, d, bits})
	return n
}

// frame makes a frame with all registers and the constants in place.
func (r *registers) frame(ports, loops int, kept []int) *frame {
	words := r.words
	for _, k := range kept {
		words += k
	}
	f := &frame{
		reg:    make([]unsafe.Pointer, len(r.offset)),
		base:   make([]int, ports),
		outer:  make([]int, ports),
		index:  make([]int, loops),
		kept:   make([]unsafe.Pointer, len(kept)),
		memory: make([]uint64, words+1),
	}
	for i, o := range r.offset {
		f.reg[i] = unsafe.Pointer(&f.memory[o])
	}
	words = r.words
	for i, k := range kept {
		f.kept[i] = unsafe.Pointer(&f.memory[words])
		words += k
	}
	for _, c := range r.consts {
		loadLanes(c.dtype, f.reg[c.reg], unsafe.Pointer(&c.bits), 0, Lanes)
	}
	return f
}

// bodyCompiler turns the instructions of one body into steps.
type bodyCompiler struct {
	*registers
	body     kernel.Body
	ports    []port
	laneLoop int   // the loop that runs over the lanes
	reg      []int // register of each instruction
	lastUse  []int
	reads    []int  // how often each value is read, in the body and behind it
	fused    []bool // products that their readers compute
	store    int    // the first instruction that stores
	// varying are the values that depend on the inner point, nil if all do. lanesInside says that lanes of the other values
	// are equal.
	varying     []bool
	lanesInside bool
	// acc, kept and input give the registers of leaves that other code fills.
	acc   func(stage, reduction int) int
	kept  func(i *kernel.Instr) (reg int, s step)
	input int
}

func (c *bodyCompiler) prepare() {
	c.reg = make([]int, len(c.body))
	c.lastUse, c.reads = make([]int, len(c.body)), make([]int, len(c.body))
	c.store = len(c.body)
	for n := range c.body {
		i := &c.body[n]
		for _, o := range i.Operands() {
			c.lastUse[o] = n
			c.reads[o]++
		}
		if i.Op == kernel.Store && n < c.store {
			c.store = n
		}
	}
}

// owned keeps a load from being an alias of memory.
func (c *bodyCompiler) owned(n int) { c.lastUse[n] = len(c.body) + 1 }

// instr compiles instruction n; it returns nil if nothing has to be done.
func (c *bodyCompiler) instr(n int) step {
	i := &c.body[n]
	if c.fused[n] {
		return nil
	}
	switch i.Op {
	case kernel.Acc:
		c.reg[n] = c.acc(i.Port, int(i.Imm))
		return nil
	case kernel.Kept:
		r, s := c.kept(i)
		c.reg[n] = r
		return s
	case kernel.Input:
		c.reg[n] = c.input
		return nil
	case kernel.Const:
		c.reg[n] = c.constant(i.Type, i.Imm)
		return nil
	case kernel.Store:
		return storeStep(c.reg[i.A], i.Port, c.ports[i.Port])
	}
	d := c.add(i.Type)
	c.reg[n] = d
	switch i.Op {
	case kernel.Load:
		return loadStep(d, i.Port, c.ports[i.Port], c.lastUse[n] <= c.store)
	case kernel.LoadAt:
		return loadAtStep(d, c.reg[i.A], i.Port, c.ports[i.Port])
	case kernel.Index:
		return indexStep(d, i.Port, i.Port == c.laneLoop)
	case kernel.Cast:
		return castStep(d, c.reg[i.A], i.Type, c.body[i.A].Type)
	case kernel.Bitcast:
		return bitcastStep(d, c.reg[i.A], i.Type, c.body[i.A].Type)
	}
	return c.compute(i, d)
}

func indexStep(d, loop int, lanes bool) step {
	return func(f *frame) {
		v, x := lanesOf[int64](f, d), int64(f.index[loop])
		for i := range v {
			v[i] = x
			if lanes {
				x++
			}
		}
	}
}

// compute compiles an operation whose operands are registers of one type.
func (c *bodyCompiler) compute(i *kernel.Instr, d int) step {
	operand := c.body[i.A].Type
	if i.Op == kernel.Select {
		operand = i.Type
	}
	r := operands{d: d, a: c.reg[i.A], op: i.Op, width: operand.Bits()}
	if n := i.Op.Arity(); n > 1 {
		r.b = c.reg[i.B]
		if n > 2 {
			r.c = c.reg[i.C]
		}
	}
	s := c.computeFused(i, d)
	if s != nil {
		return s
	}
	if operand == dtype.Bool {
		s = r.boolean()
	} else {
		s = arithmeticOf[operand].compute(r)
	}
	if s == nil {
		panic("BUG: portable: " + i.Op.String() + " of " + operand.String())
	}
	if isHalf(i.Type) && rounds(i.Op) {
		compute := s
		return func(f *frame) {
			compute(f)
			round(i.Type, lanesOf[float32](f, d))
		}
	}
	return s
}

// rounds reports whether the operation can give a value that is not in the half type of its operands.
func rounds(op kernel.Op) bool {
	switch op {
	case kernel.Select, kernel.Neg, kernel.Abs, kernel.Min, kernel.Max, kernel.MinNum,
		kernel.MaxNum, kernel.CopySign:
		return false
	}
	return true
}

// operands are the registers of one instruction.
type operands struct {
	op         kernel.Op
	d, a, b, c int
	width      int
}

func (r operands) boolean() step {
	switch {
	case r.op == kernel.Not:
		return unaryStep(r, notBool)
	case r.op == kernel.Select:
		return ternaryStep(r, selectLanes[uint8])
	case r.op.IsCompare():
		return binaryStep(r, compare[uint8](r.op))
	}
	return binaryStep(r, boolBinary(r.op))
}

func (integers[T]) compute(r operands) step {
	switch {
	case r.op == kernel.Select:
		return ternaryStep(r, selectLanes[T])
	case r.op.IsCompare():
		return binaryStep(r, compare[T](r.op))
	case r.op.Arity() == 1:
		return unaryStep(r, integerUnary[T](r.op, r.width))
	}
	return binaryStep(r, integerBinary[T](r.op))
}

func (floats[T]) compute(r operands) step {
	switch r.op {
	case kernel.Select:
		return ternaryStep(r, selectLanes[T])
	case kernel.FMA:
		return ternaryStep(r, fmaLanes[T])
	case kernel.IsNaN:
		return unaryStep(r, isNaN[T])
	case kernel.IsInf:
		return unaryStep(r, isInf[T])
	}
	switch {
	case r.op.IsCompare():
		return binaryStep(r, compare[T](r.op))
	case r.op.Arity() == 1:
		return unaryStep(r, floatUnary[T](r.op))
	}
	return binaryStep(r, floatBinary[T](r.op))
}

// unaryStep and binaryStep are loops from lanes of type T to lanes of type D, nil without one.
func unaryStep[D, T any](r operands, loop func(d []D, a []T)) step {
	if loop == nil {
		return nil
	}
	return func(f *frame) { loop(lanesOf[D](f, r.d), lanesOf[T](f, r.a)) }
}

func binaryStep[D, T any](r operands, loop func(d []D, a, b []T)) step {
	if loop == nil {
		return nil
	}
	return func(f *frame) { loop(lanesOf[D](f, r.d), lanesOf[T](f, r.a), lanesOf[T](f, r.b)) }
}

// ternaryStep is a loop whose first operand may be of another type.
func ternaryStep[A, T any](r operands, loop func(d []T, a []A, b, c []T)) step {
	return func(f *frame) { loop(lanesOf[T](f, r.d), lanesOf[A](f, r.a), lanesOf[T](f, r.b), lanesOf[T](f, r.c)) }
}
