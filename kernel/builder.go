package kernel

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// Builder writes a [Body]. Its methods return numbers of instructions. Equal pure instructions are written once, and
// a few identities that hold for every value (NaN and -0 included) are applied.
type Builder struct {
	body  Body
	seen  map[Instr]int // the last of equal instructions
	fence int           // behind the last store: no load from before it may stand for another
}

// NewBody returns an empty builder.
func NewBody() *Builder { return &Builder{seen: map[Instr]int{}} }

// Body returns what was written.
func (b *Builder) Body() Body { return b.body }

// Type returns the type of a value.
func (b *Builder) Type(v int) dtype.DType { return b.body[v].Type }

// Emit writes an instruction, or finds an equal one.
func (b *Builder) Emit(i Instr) int {
	n, ok := b.seen[i]
	switch {
	case i.Op == Store:
		b.fence = len(b.body) + 1 // another port may be the same memory
	case ok && (n >= b.fence || i.Op != Load && i.Op != LoadAt):
		return n
	}
	n = len(b.body)
	b.body = append(b.body, i)
	b.seen[i] = n
	return n
}

// Load reads a port at the current point.
func (b *Builder) Load(port int, t dtype.DType) int {
	return b.Emit(Instr{Op: Load, Type: t, Port: port})
}

// LoadAt reads a port at the current point plus an i64 offset in elements.
func (b *Builder) LoadAt(port int, t dtype.DType, offset int) int {
	return b.Emit(Instr{Op: LoadAt, Type: t, Port: port, A: offset})
}

// Store writes v to a port at the current point.
func (b *Builder) Store(port, v int) { b.Emit(Instr{Op: Store, Type: b.Type(v), Port: port, A: v}) }

// Index gives the i64 index of a loop; the outer loops come first.
func (b *Builder) Index(loop int) int { return b.Emit(Instr{Op: Index, Type: dtype.I64, Port: loop}) }

// Acc reads the result of a reduction of an earlier stage.
func (b *Builder) Acc(stage, reduction int, t dtype.DType) int {
	return b.Emit(Instr{Op: Acc, Type: t, Port: stage, Imm: uint64(reduction)})
}

// Kept reads a value that an earlier stage keeps.
func (b *Builder) Kept(stage, keep int, t dtype.DType) int {
	return b.Emit(Instr{Op: Kept, Type: t, Port: stage, Imm: uint64(keep)})
}

// Input is the accumulator of a contraction or convolution, in its epilogue.
func (b *Builder) Input(t dtype.DType) int { return b.Emit(Instr{Op: Input, Type: t}) }

// Const gives the value v, converted to t.
func (b *Builder) Const(t dtype.DType, v float64) int {
	return b.Emit(Instr{Op: Const, Type: t, Imm: Bits(t, v)})
}

// ConstBits gives the value with the given bits.
func (b *Builder) ConstBits(t dtype.DType, bits uint64) int {
	return b.Emit(Instr{Op: Const, Type: t, Imm: bits & mask(t)})
}

// Cast converts v to t.
func (b *Builder) Cast(t dtype.DType, v int) int {
	if b.Type(v) == t {
		return v
	}
	return b.Emit(Instr{Op: Cast, Type: t, A: v})
}

// Unary applies an operation on one operand; its result has the operand's type, or bool for a test.
func (b *Builder) Unary(op Op, x int) int {
	t := b.Type(x)
	if op.IsCompare() {
		t = dtype.Bool
	}
	return b.Emit(Instr{Op: op, Type: t, A: x})
}

// Binary applies an operation on two operands of one type.
func (b *Builder) Binary(op Op, x, y int) int {
	t := b.Type(x)
	switch {
	case op.IsCompare():
		t = dtype.Bool
	case (op == Mul || op == Div) && b.isConst(y, 1) && t != dtype.Bool:
		return x
	case op == Mul && b.isConst(x, 1) && t != dtype.Bool:
		return y
	case (op == Add || op == Sub) && t.IsInt() && b.isConst(y, 0):
		return x
	case op == Add && t.IsInt() && b.isConst(x, 0):
		return y
	}
	return b.Emit(Instr{Op: op, Type: t, A: x, B: y})
}

func (b *Builder) isConst(v int, value float64) bool {
	i := &b.body[v]
	return i.Op == Const && i.Imm == Bits(i.Type, value)
}

// FMA gives x·y + z, rounded once.
func (b *Builder) FMA(x, y, z int) int {
	return b.Emit(Instr{Op: FMA, Type: b.Type(x), A: x, B: y, C: z})
}

// Select gives x where cond holds and y elsewhere.
func (b *Builder) Select(cond, x, y int) int {
	if x == y {
		return x
	}
	return b.Emit(Instr{Op: Select, Type: b.Type(x), A: cond, B: x, C: y})
}

func mask(t dtype.DType) uint64 { return math.MaxUint64 >> (64 - 8*t.Size()) }

// Bits returns the bits of v in type t, zero-extended: what [Const] and Reduction.Init hold. Floats of 2 bytes are rounded
// from f32.
func Bits(t dtype.DType, v float64) uint64 {
	switch {
	case t.IsFloat() && t.Size() < 4:
		return t.Format().Encode(float64(float32(v)))
	case t.IsFloat():
		return t.Format().Encode(v)
	case t == dtype.Bool && v != 0:
		return 1
	}
	return uint64(int64(v)) & mask(t)
}

// Value is the inverse of [Bits]; large 64-bit integers round.
func Value(t dtype.DType, bits uint64) float64 {
	if t.IsFloat() {
		return t.Format().Decode(bits & mask(t))
	}
	return float64(Integer(t, bits))
}

// Integer returns the value of the bits of an integer or bool type.
func Integer(t dtype.DType, bits uint64) int64 {
	if t.IsSigned() {
		above := 64 - 8*t.Size()
		return int64(bits<<above) >> above
	}
	return int64(bits & mask(t))
}
