package stream

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// Operands are what a product reads, and what becomes of its sums.
type Operands struct {
	tiles.Multiply
	X, Matrix    dtype.DType
	tiles.Ending // of one row, whose lanes are columns
}

// Words of the call block.
const (
	wordX = iota
	wordMatrix
	wordGroups // of columns, or columns of each stream
	wordTail   // 1 if a last group has fewer
	wordSums
	wordApart     // bytes from a stream of [Dots] to the next
	wordSumsApart // likewise, of their sums
	wordPorts
)

// Call says what a call computes.
type Call struct {
	X, Matrix        uintptr
	Groups           int  // of columns, or columns of each stream of [Dots]
	Tail             bool // a last group has fewer columns
	Sums             uintptr
	Apart, SumsApart uintptr
	Ports            []uintptr // of the epilogue, at the first column
}

// Code is the code of a product.
type Code struct{ *vector.Machine }

// Run runs a call, in a call block of [vector.Machine.BlockBytes] bytes.
func (c *Code) Run(call *Call, block []uintptr) {
	block[wordX], block[wordMatrix], block[wordGroups], block[wordTail] = call.X, call.Matrix, uintptr(call.Groups), vector.Flag(call.Tail)
	block[wordSums], block[wordApart], block[wordSumsApart] = call.Sums, call.Apart, call.SumsApart
	copy(block[wordPorts:], call.Ports)
	c.Call(unsafe.Pointer(unsafe.SliceData(block)))
}

// build makes the code of a program.
func (o *Operands) build(t vector.Backend, write func(w *writer)) (*Code, error) {
	m, err := t.Build(func() *vector.Program {
		w := &writer{Operands: o, Builder: vector.NewBuilder("stream", t.VectorBytes()/o.Kind.Size()).For(t), ahead: t.Ahead()}
		w.epilogue = o.In(w.Builder)
		write(w)
		return w.Optimised()
	}, wordPorts+o.Ports()+1, wordPorts+o.Ports())
	return &Code{m}, err
}

// writer writes a program.
type writer struct {
	*Operands
	*vector.Builder
	epilogue *nest.Epilogue
	ahead    int // bytes that lines are fetched ahead
}

// place is where a group of columns is: in the matrix, its sums, and the epilogue's operands.
type place struct {
	matrix, sums vector.Val
	ports        []vector.Val
}

// groups writes the loop over groups of columns, each with its columns and their bytes of the matrix, and a last group.
func (w *writer) groups(bytes, columns int, tail bool, group func(at place, last bool)) {
	list := []vector.Val{w.Arg(wordMatrix), w.Arg(wordSums)}
	for i := range w.Ports() {
		list = append(list, w.Arg(wordPorts+i))
	}
	list = w.Loop(w.Arg(wordGroups), 1, list, func(_ vector.Val, c []vector.Val) []vector.Val {
		group(place{c[0], c[1], c[2:]}, false)
		next := []vector.Val{w.Offset(c[0], bytes), w.Offset(c[1], columns*w.Kind.Size())}
		for i := range w.Ports() {
			next = append(next, w.Offset(c[2+i], columns*w.LaneBytes(i)))
		}
		return next
	})
	if tail {
		w.When(w.Arg(wordTail), func() { group(place{list[0], list[1], list[2:]}, true) })
	}
}

// finish stores vector j of the sums of a group, or writes its epilogue; count lanes are in use, 0 for all.
func (w *writer) finish(sum vector.Val, at place, j, count int) {
	if w.epilogue == nil {
		w.Store(sum, at.sums, vector.Access{Offset: j * w.vectorBytes()})
		return
	}
	w.epilogue.WriteVector(sum, at.ports, w.RowLoop, 0, j, count)
}

func (w *writer) vectorBytes() int { return w.Lanes() * w.Kind.Size() }

// load reads count elements of a type from an address and an offset on, all lanes for 0.
func (w *writer) load(t dtype.DType, at vector.Val, offset, count int) vector.Val {
	_, mem := vector.Element(t)
	return w.Load(w.Kind, at, vector.Access{Mem: mem, Offset: offset, Count: count})
}
