package scatter

import (
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// eachCall bounds the updates of one call, which nothing can interrupt.
const eachCall = 8192

// code folds runs by machine code; where they are is up to the portable back end.
type code struct {
	kernel.Overwriter
	run       portable.ScatterRun
	size      int // of an element
	lanes     int
	machines  vector.Code
	row, each *vector.Machine
}

// Compile makes code of a scatter.
func Compile(k *kernel.Scatter, t vector.Backend) (kernel.Code, error) {
	d := k.Into.DType
	c := &code{size: d.Size()}
	c.Overwriter = portable.Scatter(k, func(run portable.ScatterRun) portable.ScatterFolder {
		c.run = run
		return c
	})
	f := &folding{fold: fold.Of(k.Fold, d, k.Unsigned && k.Fold != kernel.FoldAssign), dtype: d}
	if k.Fold == kernel.FoldAssign { // of bits
		f.dtype = map[int]dtype.DType{1: dtype.I8, 2: dtype.I16, 4: dtype.I32, 8: dtype.I64}[c.size]
	}
	f.kind, f.mem = vector.Element(f.dtype)
	f.lanes = t.VectorBytes() / f.kind.Size()
	c.lanes = f.lanes
	c.row = c.machines.Build(t, f.row, words, wordFault)
	c.each = c.machines.Build(t, func() *vector.Program { return f.each(c.run) }, words, wordFault)
	return c, c.machines.Err()
}

func (c *code) Scratch() int {
	return max(c.Overwriter.Scratch(), c.machines.BlockBytes())
}

func (c *code) Row(args *kernel.Args, dst, src unsafe.Pointer, n int) {
	b := unsafe.Slice((*uintptr)(args.Scratch), words)
	for first := 0; first < n; first += eachCall {
		part := min(eachCall, n-first)
		b[wordTarget], b[wordUpdate] = uintptr(unsafe.Add(dst, first*c.size)), uintptr(unsafe.Add(src, first*c.size))
		groups, whole := part&^(vectors*c.lanes-1), part&^(c.lanes-1)
		b[wordCount], b[wordSingles], b[wordOnes] = uintptr(groups), uintptr(whole-groups), uintptr(part-whole)
		c.row.Call(args.Scratch)
	}
	runtime.KeepAlive(args.Ptr)
}

func (c *code) Each(args *kernel.Args, dst, src, index unsafe.Pointer, n int) bool {
	b := unsafe.Slice((*uintptr)(args.Scratch), words)
	for first := 0; first < n; first += eachCall {
		part := min(eachCall, n-first)
		b[wordTarget] = uintptr(unsafe.Add(dst, first*c.run.Target*c.size))
		b[wordUpdate] = uintptr(unsafe.Add(src, first*c.run.Update*c.size))
		b[wordIndex] = uintptr(unsafe.Add(index, first*c.run.Index*8))
		b[wordCount], b[wordOnes], b[wordFault] = uintptr(part/unrolled*unrolled), uintptr(part%unrolled), 0
		c.each.Call(args.Scratch)
		if b[wordFault] != 0 {
			return false
		}
	}
	runtime.KeepAlive(args.Ptr)
	return true
}

func (c *code) Listing() string { return c.machines.Listing() }
func (c *code) Close()          { c.machines.Close() }
