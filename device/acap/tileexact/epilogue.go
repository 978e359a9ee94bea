package tileexact

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/portable"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// epilogue is the pointwise work on a tile of sums.
type epilogue struct {
	from    *kernel.Epilogue
	first   int // number of its first port
	tm, tn  int
	scalars map[int]*buf.Buffer // by access: values that are not streamed
	code    kernel.Code
	indexed []int                                 // loops of which the body asks the index
	place   func(core, block, row, col int) []int // the loops at a point of a tile
}

// indices returns the loops of which a body asks the index. It is an error when the
// body needs more than that and the values at its point.
func indices(body kernel.Body) (loops []int, err error) {
	for _, i := range body {
		switch i.Op {
		case kernel.Index:
			if !slices.Contains(loops, i.Port) {
				loops = append(loops, i.Port)
			}
		case kernel.LoadAt, kernel.StoreAt:
			return nil, fmt.Errorf("the body gathers or scatters")
		}
	}
	return loops, nil
}

// run computes the results of a tile, one core's part of a block, from its sums and
// addends.
func (e *epilogue) run(core, block int, sums *buf.Buffer, addends []*memory) ([]*buf.Buffer, error) {
	n := &kernel.Nest{Name: "tile", Outer: []int{e.tm, e.tn}}
	var results []*buf.Buffer
	whole := []int{e.tn, 1}
	access := func(t dtype.DType, write bool, length int, strides []int) int {
		n.Access = append(n.Access, kernel.Access{Port: kernel.Port{DType: t, Write: write,
			Len: length}, Outer: strides, Inner: []int{}})
		return len(n.Access) - 1
	}
	ptrs := []unsafe.Pointer{sums.Pointer()}
	access(sums.DType, false, sums.Len(), whole)
	port := make(map[int]int)
	next := 0
	for i := range e.from.Access {
		a := &e.from.Access[i]
		switch {
		case a.Write:
			b := buf.New(a.DType, []int{e.tm, e.tn})
			results = append(results, b)
			port[e.first+i] = access(a.DType, true, b.Len(), whole)
			ptrs = append(ptrs, b.Pointer())
		case e.scalars[i] != nil:
			port[e.first+i] = access(a.DType, false, 1, []int{0, 0})
			ptrs = append(ptrs, e.scalars[i].Pointer())
		default:
			if next == len(addends) {
				return nil, fmt.Errorf("an input of the epilogue is missing")
			}
			d := addends[next].data
			next++
			strides := whole
			switch d.Len() {
			case e.tm * e.tn:
			case e.tn:
				strides = []int{0, 1}
			default:
				strides = []int{1, 0}
			}
			if len(d.Shape) == 2 && d.Shape[1] == 1 {
				strides = []int{1, 0}
			}
			if len(d.Shape) == 2 && d.Shape[0] == 1 {
				strides = []int{0, 1}
			}
			port[e.first+i] = access(a.DType, false, d.Len(), strides)
			ptrs = append(ptrs, d.Pointer())
		}
	}
	index := make(map[int]int)
	for _, loop := range e.indexed {
		b := buf.New(dtype.I64, []int{e.tm, e.tn})
		for i := range b.Len() {
			if at := e.place(core, block, i/e.tn, i%e.tn); at != nil {
				b.SetInt64(i, int64(at[loop]))
			}
		}
		index[loop] = access(dtype.I64, false, b.Len(), whole)
		ptrs = append(ptrs, b.Pointer())
	}
	if e.code == nil {
		body := append(kernel.Body(nil), e.from.Body...)
		for i := range body {
			switch body[i].Op {
			case kernel.Input:
				body[i].Op, body[i].Port = kernel.Load, 0
			case kernel.Index:
				body[i].Op, body[i].Port = kernel.Load, index[body[i].Port]
			case kernel.Load, kernel.Store:
				body[i].Port = port[body[i].Port]
			}
		}
		n.Stages = []kernel.Stage{{Body: body}}
		code, err := portable.Compile(n)
		if err != nil {
			return nil, err
		}
		e.code = code
	}
	execute(e.code, ptrs)
	return results, nil
}

// execute runs all of a kernel.
func execute(code kernel.Code, ptrs []unsafe.Pointer) bool {
	args := &kernel.Args{Ptr: ptrs}
	scratch := buf.Aligned(max(1, code.Scratch()))
	args.Scratch = unsafe.Pointer(unsafe.SliceData(scratch))
	if k, ok := code.(kernel.Packer); ok {
		for i := range ptrs {
			if bytes := k.PackedBytes(i); bytes > 0 {
				if args.Packed == nil {
					args.Packed = make([]unsafe.Pointer, len(ptrs))
				}
				args.Packed[i] = unsafe.Pointer(unsafe.SliceData(buf.Aligned(bytes)))
				k.Pack(i, args.Packed[i], ptrs[i])
			}
		}
	}
	if p, ok := code.(kernel.Prologue); ok && p.Shared() > 0 {
		shared := buf.Aligned(p.Shared())
		args.Ptr = append(ptrs[:len(ptrs):len(ptrs)], unsafe.Pointer(unsafe.SliceData(shared)))
		p.RunPrologue(args, 0, p.PrologueUnits())
	}
	code.Run(args, 0, code.Units())
	return args.Fault == 0
}
