package scan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/device/kernel/x86/exec"
	"github.com/go-acap/acap/tensor/dtype"
)

// ErrUnsupported is wrapped by the errors of Compile for what is left to another back
// end.
var ErrUnsupported = errors.New("scan: not supported")

const (
	// most is the number of accumulators of the widest group.
	most = 8
	// rowsEach bounds the rows of one call, which cannot be preempted.
	rowsEach = 8192
	// unitLines is about how many lines a unit has.
	unitLines = 512
)

// code walks through the lines of a scan in groups of accumulators, each of lanes lines.
type code struct {
	k        *kernel.Scan
	lanes    int
	entry    map[int]int // by accumulators of the group: offset in the code
	blocks   int         // units side by side
	identity []byte      // of one accumulator
	listing  *asm.Code
	exec     *exec.Code
}

// Compile generates the code of a scan whose lines fill at least one vector.
func Compile(k *kernel.Scan, f cpu.Features) (kernel.Code, error) {
	vector := f.Level.VectorBytes()
	g := generator{a: asm.New(), f: f, k: k, bytes: vector}
	if !g.pick() {
		return nil, fmt.Errorf("%w: %s of %s", ErrUnsupported, k.Fold, k.X.DType)
	}
	c := &code{k: k, lanes: vector / g.acc.Size(), entry: map[int]int{}}
	stride := k.Inner * k.X.DType.Size()
	if k.Inner < c.lanes || stride > math.MaxInt32/2 {
		return nil, fmt.Errorf("%w: %d lines side by side", ErrUnsupported, k.Inner)
	}
	c.blocks = max(1, k.Inner/unitLines)
	for n := most; n >= 1; n /= 2 {
		g.a.Align(64)
		c.entry[n] = g.a.Len()
		g.group(n, stride)
	}
	for range c.lanes {
		bits := kernel.Bits(g.acc, g.identity)
		c.identity = append(c.identity, binary.LittleEndian.AppendUint64(nil, bits)[:g.acc.Size()]...)
	}
	c.listing = g.a.Assemble()
	var err error
	if c.exec, err = exec.Load(c.listing.Bytes); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *code) Units() int         { return c.k.Outer * c.blocks }
func (c *code) UnitNanos() float64 { return 0.5 * float64(c.k.N*c.k.Inner/c.blocks) }
func (c *code) Scratch() int       { return most * len(c.identity) }
func (c *code) Listing() string    { return c.listing.String() }
func (c *code) Close()             { c.exec.Close() }

func (c *code) Run(args *kernel.Args, lo, hi int) {
	each := c.k.Inner / c.blocks / c.lanes * c.lanes // lines of a unit; the last takes the rest
	for u := lo; u < hi; u++ {
		first, end := u%c.blocks*each, c.k.Inner
		if u%c.blocks < c.blocks-1 {
			end = first + each
		}
		c.unit(args, u/c.blocks*c.k.N*c.k.Inner, first, end)
	}
}

// unit does the lines from first to end of an outer point. What does not fill a vector
// at the end is done with lines before it once more.
func (c *code) unit(args *kernel.Args, outer, first, end int) {
	for n := most; n >= 1; n /= 2 {
		for ; first+n*c.lanes <= end; first += n * c.lanes {
			c.lines(args, outer+first, n)
		}
	}
	if first < end {
		c.lines(args, outer+end-c.lanes, 1)
	}
}

// lines does n accumulators of lines, some rows at a time.
func (c *code) lines(args *kernel.Args, at, n int) {
	size := c.k.X.DType.Size()
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(args.Scratch, i*len(c.identity))), len(c.identity)), c.identity)
	}
	for row := 0; row < c.k.N; row += rowsEach {
		offset := (at + row*c.k.Inner) * size
		call := [4]uintptr{uintptr(args.Ptr[0]) + uintptr(offset), uintptr(args.Ptr[1]) + uintptr(offset),
			uintptr(min(rowsEach, c.k.N-row)), uintptr(args.Scratch)}
		c.exec.CallAt(c.entry[n], unsafe.Pointer(&call))
	}
}

// generator emits the loops.
type generator struct {
	a        *asm.Assembler
	f        cpu.Features
	k        *kernel.Scan
	bytes    int // of a vector
	acc      dtype.DType
	op       asm.Op
	identity float64
	narrow   bool // elements are f32, accumulators f64
	extreme  bool // of floats: NaN stays
}

// pick chooses instruction, accumulator and identity; -0 is that of a floating sum. It
// reports false if there is no instruction.
func (g *generator) pick() bool {
	d, fold := g.k.X.DType, g.k.Fold
	g.acc = d
	switch {
	case d == dtype.F32 && fold <= kernel.FoldMul:
		g.acc, g.narrow = dtype.F64, true
		fallthrough
	case d == dtype.F64 && fold <= kernel.FoldMul:
		g.op, g.identity = asm.VADDPD, math.Copysign(0, -1)
		if fold == kernel.FoldMul {
			g.op, g.identity = asm.VMULPD, 1
		}
	case d.IsFloat() && d.Size() >= 4 && (fold == kernel.FoldMax || fold == kernel.FoldMin):
		g.extreme, g.identity = true, math.Inf(1)
		g.op = map[int]asm.Op{4: asm.VMINPS, 8: asm.VMINPD}[d.Size()]
		if fold == kernel.FoldMax {
			g.op, g.identity = map[int]asm.Op{4: asm.VMAXPS, 8: asm.VMAXPD}[d.Size()], math.Inf(-1)
		}
	case d == dtype.I32 && fold == kernel.FoldAdd:
		g.op = asm.VPADDD
	case d == dtype.I64 && fold == kernel.FoldAdd:
		g.op = asm.VPADDQ
	default:
		return false
	}
	return true
}

// group emits the loop over rows for n accumulators: x in RSI, out in RDX, rows in RCX,
// the accumulators' memory in RAX.
func (g *generator) group(n, stride int) {
	a, width := g.a, g.bytes
	if g.narrow {
		width /= 2
	}
	for i, r := range []asm.Reg{asm.RSI, asm.RDX, asm.RCX, asm.RAX} {
		a.Emit(asm.MOV, r, asm.Ptr(asm.RDI, 8*i))
	}
	acc := func(i int) asm.Reg { return asm.Vec(g.bytes, i) }
	for i := range n {
		a.Emit(asm.VMOVUPS, acc(i), asm.Ptr(asm.RAX, i*g.bytes))
	}
	loop := a.Here()
	for i := range n {
		g.fold(acc(i), asm.Ptr(asm.RSI, i*width))
		out := acc(i)
		if g.narrow {
			out = asm.Vec(width, most)
			a.Emit(asm.VCVTPD2PS, out, acc(i))
		}
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, i*width), out)
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(int64(stride)))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(int64(stride)))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	for i := range n {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, i*g.bytes), acc(i))
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// fold folds a row into an accumulator.
func (g *generator) fold(acc asm.Reg, row asm.Mem) {
	a, x, nan := g.a, asm.Vec(g.bytes, most), asm.Vec(g.bytes, most+1)
	switch {
	case g.narrow:
		a.Emit(asm.VCVTPS2PD, x, row)
		a.Emit(g.op, acc, acc, x)
	case !g.extreme:
		a.Emit(g.op, acc, acc, row)
	default: // the instruction gives the row where either is NaN: NaNs of acc have to stay
		const unordered = 3
		compare, blend := asm.VCMPPS, asm.VBLENDVPS
		if g.acc == dtype.F64 {
			compare, blend = asm.VCMPPD, asm.VBLENDVPD
		}
		a.Emit(g.op, x, acc, row)
		if g.f.Level >= cpu.AVX512 {
			a.Emit(compare, asm.K(1), acc, acc, asm.Imm(unordered))
			move := asm.VMOVAPS
			if g.acc == dtype.F64 {
				move = asm.VMOVAPD
			}
			a.Emit(move, x.Mask(asm.K(1)), acc)
			a.Emit(asm.VMOVAPS, acc, x)
			return
		}
		a.Emit(compare, nan, acc, acc, asm.Imm(unordered))
		a.Emit(blend, acc, x, acc, nan)
	}
}
