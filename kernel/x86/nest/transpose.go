package nest

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// transposed is a copy whose source and destination are contiguous along different
// loops. Squares go through registers; what is left over at the edges is copied by
// nests of their own.
type transposed struct {
	n        *kernel.Nest // canonical
	row, col int          // the loops along which the source and the destination lie
	side     int          // of a square
	strips   int          // of squares along the row loop
	squares  int          // along the col loop
	machine  *exec.Code
	listing  *asm.Code
	edges    []kernel.Code
	units    []int // number of units before each edge
	rest     []int // the other loops
	main     int   // units of squares
}

// transposeBlock is what the code finds at its argument.
type transposeBlock struct {
	src, dst unsafe.Pointer
	count    int
}

// compileTranspose returns nil if the nest is no such copy.
func compileTranspose(n *kernel.Nest, f cpu.Features) (kernel.Code, error) {
	if !isCopy(n) {
		return nil, nil
	}
	t := &transposed{n: n.Canonical(), row: -1, col: -1}
	if len(t.n.Inner) != 0 {
		return nil, nil
	}
	src, dst := &t.n.Access[0], &t.n.Access[1]
	size := src.DType.Size()
	t.side = f.Level.VectorBytes() / max(size, 1)
	for l := range t.n.Outer {
		switch {
		case src.Outer[l] == 1 && dst.Outer[l] > 1:
			t.row = l
		case dst.Outer[l] == 1 && src.Outer[l] > 1:
			t.col = l
		default:
			t.rest = append(t.rest, l)
		}
	}
	if t.row < 0 || t.col < 0 || size < 4 || !t.reaches(src.Outer[t.col]*size, dst.Outer[t.row]*size) {
		return nil, nil
	}
	t.strips, t.squares = t.n.Outer[t.row]/t.side, t.n.Outer[t.col]/t.side
	if t.strips == 0 || t.squares == 0 {
		return nil, nil
	}
	return t, t.build(f, size)
}

func isCopy(n *kernel.Nest) bool {
	if len(n.Stages) != 1 || len(n.Access) != 2 || len(n.Stages[0].Body) != 2 {
		return false
	}
	b := n.Stages[0].Body
	return !n.Stages[0].Once && len(n.Stages[0].Reduce)+len(n.Stages[0].Keep) == 0 &&
		b[0].Op == kernel.Load && b[0].Port == 0 && b[1].Op == kernel.Store && b[1].Port == 1 && b[1].A == 0
}

// reaches reports whether the strides in bytes fit displacements.
func (t *transposed) reaches(strides ...int) bool {
	for _, s := range strides {
		if s <= 0 || s*t.side > 1<<30 {
			return false
		}
	}
	return true
}

func (t *transposed) build(f cpu.Features, size int) error {
	src, dst := &t.n.Access[0], &t.n.Access[1]
	a := asm.New()
	bytes := f.Level.VectorBytes()
	var rows, spare []asm.Reg
	for i := range t.side {
		rows = append(rows, asm.Vec(bytes, i))
	}
	for i := t.side; i < f.Level.VectorRegisters(); i++ {
		spare = append(spare, asm.Vec(bytes, i))
	}
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(argsReg, 0))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(argsReg, 8))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(argsReg, 16))
	again := a.Here()
	for i, r := range rows {
		a.Emit(asm.VMOVUPS, r, asm.Ptr(asm.RSI, i*src.Outer[t.col]*size))
	}
	for i, r := range transpose.Emit(a, rows, spare, size) {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, i*dst.Outer[t.row]*size), r)
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.side*src.Outer[t.col]*size))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(bytes))
	a.Emit(asm.SUB, asm.RCX, asm.Imm(1))
	a.Emit(asm.JNE, again)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	t.listing = a.Assemble()
	var err error
	if t.machine, err = exec.Load(t.listing.Bytes); err != nil {
		return err
	}
	t.main = t.strips
	for _, l := range t.rest {
		t.main *= t.n.Outer[l]
	}
	total := t.main
	for _, e := range t.edgeNests() {
		code, err := Compile(e, f)
		if err != nil {
			t.Close()
			return err
		}
		t.edges, t.units = append(t.edges, code), append(t.units, total)
		total += code.Units()
	}
	t.units = append(t.units, total)
	return nil
}

// edgeNests are the copies of the rows and columns that no square covers.
func (t *transposed) edgeNests() []*kernel.Nest {
	var out []*kernel.Nest
	part := func(loop, first, count int, other, otherCount int) {
		if count == 0 {
			return
		}
		e := *t.n
		e.Outer = append([]int(nil), t.n.Outer...)
		e.Outer[loop], e.Outer[other] = count, otherCount
		e.Access = append([]kernel.Access(nil), t.n.Access...)
		for i := range e.Access {
			e.Access[i].Offset += first * e.Access[i].Outer[loop]
		}
		out = append(out, &e)
	}
	rows, cols := t.strips*t.side, t.squares*t.side
	part(t.row, rows, t.n.Outer[t.row]-rows, t.col, t.n.Outer[t.col])
	part(t.col, cols, t.n.Outer[t.col]-cols, t.row, rows)
	return out
}

// Units implements [kernel.Code].
func (t *transposed) Units() int { return t.units[len(t.edges)] }

// UnitNanos implements [kernel.Code].
func (t *transposed) UnitNanos() float64 { return float64(t.squares) * 40 }

// Scratch implements [kernel.Code].
func (t *transposed) Scratch() int {
	n := 0
	for _, e := range t.edges {
		n = max(n, e.Scratch())
	}
	return n
}

// Listing implements [kernel.Code].
func (t *transposed) Listing() string { return t.listing.String() }

// Close implements [kernel.Code].
func (t *transposed) Close() {
	t.machine.Close()
	for _, e := range t.edges {
		e.Close()
	}
}

// Run implements [kernel.Code].
func (t *transposed) Run(args *kernel.Args, lo, hi int) {
	for u := lo; u < min(hi, t.main); u++ {
		t.strip(args, u)
	}
	for i, e := range t.edges {
		if first, last := max(lo, t.units[i]), min(hi, t.units[i+1]); first < last {
			e.Run(args, first-t.units[i], last-t.units[i])
		}
	}
}

func (t *transposed) strip(args *kernel.Args, u int) {
	var at [2]int
	row := u % t.strips * t.side
	u /= t.strips
	for i := range at {
		a := &t.n.Access[i]
		at[i] = a.Offset + row*a.Outer[t.row]
		rest := u
		for _, l := range t.rest {
			at[i] += rest % t.n.Outer[l] * a.Outer[l]
			rest /= t.n.Outer[l]
		}
	}
	size := t.n.Access[0].DType.Size()
	b := transposeBlock{unsafe.Add(args.Ptr[0], at[0]*size), unsafe.Add(args.Ptr[1], at[1]*size), t.squares}
	t.machine.Call(unsafe.Pointer(&b))
}
