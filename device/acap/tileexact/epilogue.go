package tileexact

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// epilogue is the pointwise work on a tile of sums.
type epilogue struct {
	from    *kernel.Epilogue
	tm, tn  int
	scalars map[int]*buf.Buffer // by access: values that are not streamed
	code    kernel.Code
	indexed []int                                 // loops whose index the body reads
	place   func(core, block, row, col int) []int // the loops at a point of a tile
}

// indices returns the loops whose index a body reads. It is an error when the body needs more than that and the values
// at its point.
func indices(body kernel.Body) (loops []int, err error) {
	for _, i := range body {
		switch i.Op {
		case kernel.Index:
			if !slices.Contains(loops, i.Port) {
				loops = append(loops, i.Port)
			}
		case kernel.LoadAt:
			return nil, fmt.Errorf("the body gathers")
		}
	}
	return loops, nil
}

// run computes the results of a tile, one core's part of a block, from its sums and
// addends.
func (e *epilogue) run(core, block int, sums *buf.Buffer, addends []*memory) ([]*buf.Buffer, error) {
	t := &tileOperands{nest: kernel.Nest{Name: "tile", Outer: []int{e.tm, e.tn}}}
	t.add(sums, sums.DType, false, e.tn, 1)
	results, ports, err := e.bind(t, addends)
	if err != nil {
		return nil, err
	}
	index := make(map[int]int)
	for _, loop := range e.indexed {
		b := buf.New(dtype.I64, []int{e.tm, e.tn})
		for i := range b.Len() {
			if at := e.place(core, block, i/e.tn, i%e.tn); at != nil {
				b.SetInt64(i, int64(at[loop]))
			}
		}
		index[loop] = t.add(b, dtype.I64, false, e.tn, 1)
	}
	if e.code == nil {
		t.nest.Stages = []kernel.Stage{{Body: e.body(ports, index)}}
		if e.code, err = portable.Compile(&t.nest); err != nil {
			return nil, err
		}
	}
	execute(e.code, t.pointers)
	return results, nil
}

// tileOperands is a kernel of a tile with what it reads and writes.
type tileOperands struct {
	nest     kernel.Nest
	pointers []unsafe.Pointer
}

// add adds an operand and returns its port. row and col are the elements from row to row and from column to column of
// the tile.
func (t *tileOperands) add(b *buf.Buffer, d dtype.DType, write bool, row, col int) int {
	t.nest.Access = append(t.nest.Access, kernel.Access{Outer: []int{row, col}, Inner: []int{},
		Port: kernel.Port{DType: d, Write: write, Len: b.Len()}})
	t.pointers = append(t.pointers, b.Pointer())
	return len(t.pointers) - 1
}

// bind adds the operands of the epilogue. It returns the results, and the port of the tile for each port of the
// epilogue's body.
func (e *epilogue) bind(t *tileOperands, addends []*memory) (results []*buf.Buffer,
	ports map[int]int, err error) {
	ports = make(map[int]int)
	for i := range e.from.Access {
		a, port := &e.from.Access[i], multiplied+i
		switch {
		case a.Write:
			b := buf.New(a.DType, []int{e.tm, e.tn})
			results = append(results, b)
			ports[port] = t.add(b, a.DType, true, e.tn, 1)
		case e.scalars[i] != nil:
			ports[port] = t.add(e.scalars[i], a.DType, false, 0, 0)
		case len(addends) == 0:
			return nil, nil, fmt.Errorf("an input of the epilogue is missing")
		default:
			row, col := e.strides(addends[0].data)
			ports[port] = t.add(addends[0].data, a.DType, false, row, col)
			addends = addends[1:]
		}
	}
	return results, ports, nil
}

// strides of an addend within a tile: it may be one row for all, or one value per row.
func (e *epilogue) strides(d *buf.Buffer) (row, col int) {
	matrix := len(d.Shape) == 2
	switch {
	case matrix && d.Shape[0] == 1:
		return 0, 1
	case matrix && d.Shape[1] == 1:
		return 1, 0
	case d.Len() == e.tm*e.tn:
		return e.tn, 1
	case d.Len() == e.tn:
		return 0, 1
	}
	return 1, 0
}

// body returns the body on a tile's operands.
func (e *epilogue) body(ports, index map[int]int) kernel.Body {
	body := append(kernel.Body(nil), e.from.Body...)
	for i := range body {
		switch at := &body[i]; at.Op {
		case kernel.Input:
			at.Op, at.Port = kernel.Load, 0
		case kernel.Index:
			at.Op, at.Port = kernel.Load, index[at.Port]
		case kernel.Load, kernel.Store:
			at.Port = ports[at.Port]
		}
	}
	return body
}

// execute runs all of a kernel.
func execute(code kernel.Code, ptrs []unsafe.Pointer) bool {
	args := &kernel.Args{Ptr: ptrs}
	scratch := buf.Aligned(max(1, code.Scratch()))
	args.Scratch = unsafe.Pointer(unsafe.SliceData(scratch))
	for i := range ptrs {
		if bytes := code.PackedBytes(i); bytes > 0 {
			if args.Packed == nil {
				args.Packed = make([]unsafe.Pointer, len(ptrs))
			}
			args.Packed[i] = unsafe.Pointer(unsafe.SliceData(buf.Aligned(bytes)))
			code.Pack(i, args.Packed[i], ptrs[i])
		}
	}
	if n := code.Shared(); n > 0 {
		args.Ptr = append(ptrs[:len(ptrs):len(ptrs)], unsafe.Pointer(unsafe.SliceData(buf.Aligned(n))))
	}
	kernel.RunAll(code, args)
	return args.Fault == 0
}
