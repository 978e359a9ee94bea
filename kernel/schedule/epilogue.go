package schedule

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// Nests compiles the loop nests that epilogues become when they are not in the code of the sums.
type Nests func(*kernel.Nest) (kernel.Code, error)

// Epilogue is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch memory.
type Epilogue struct {
	access []kernel.Access
	nests  [2][2]kernel.Code // by whether the unit is the last along rows, and along columns; equal extents have the same
	codes  []kernel.Code
	args   kernel.ArgsPool
}

// NewEpilogue compiles e. Sums says how the sums lie along the loops of a unit, outer which strides an operand has
// along these, and extents how long they are in units that are the last along rows or columns, or not; nil if there are
// none. An epilogue that asks for its place, or walks backwards, is [kernel.ErrUnsupported].
func NewEpilogue(e *kernel.Epilogue, sums kernel.Access, outer func(kernel.Access) []int,
	extents func(lastRow, lastColumn bool) []int, compile Nests) (*Epilogue, error) {
	if compile == nil {
		return nil, fmt.Errorf("%w: an epilogue that is not emitted in line", kernel.ErrUnsupported)
	}
	for _, i := range e.Body {
		if i.Op == kernel.Index || i.Op == kernel.LoadAt {
			return nil, fmt.Errorf("%w: %v in an epilogue", kernel.ErrUnsupported, i.Op)
		}
	}
	for _, a := range e.Access {
		for _, stride := range outer(a) {
			if stride < 0 {
				return nil, fmt.Errorf("%w: a negative stride in an epilogue", kernel.ErrUnsupported)
			}
		}
	}
	d := &Epilogue{access: e.Access}
	var known [][]int // extents of the codes
	for i := range 2 {
		for j := range 2 {
			loops := extents(i == 1, j == 1)
			if loops == nil {
				continue
			}
			if n := slices.IndexFunc(known, func(k []int) bool { return slices.Equal(k, loops) }); n >= 0 {
				d.nests[i][j] = d.codes[n]
				continue
			}
			s := sums
			s.Len = 1
			for l, n := range loops {
				s.Len += (n - 1) * s.Outer[l]
			}
			code, err := compile(e.OnSums(s, loops, outer))
			if err != nil {
				d.Close()
				return nil, fmt.Errorf("%w: %v", kernel.ErrUnsupported, err)
			}
			d.nests[i][j] = code
			known, d.codes = append(known, loops), append(d.codes, code)
		}
	}
	return d, nil
}

// Run runs the nest of a unit on its sums. At is the element of an operand that the unit begins with.
func (d *Epilogue) Run(args *kernel.Args, lastRow, lastColumn bool, sums, scratch unsafe.Pointer, at func(a *kernel.Access) int) {
	n := d.nests[number(lastRow)][number(lastColumn)]
	own := d.args.Get()
	own.Ptr, own.Scratch = append(own.Ptr, sums), scratch
	for i := range d.access {
		a := &d.access[i]
		own.Ptr = append(own.Ptr, unsafe.Add(args.Ptr[2+i], at(a)*a.DType.Size()))
	}
	n.Run(own, 0, n.Units())
	d.args.Put(own, args)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Scratch is the memory that the nests need.
func (d *Epilogue) Scratch() int {
	most := 0
	for _, c := range d.codes {
		most = max(most, c.Scratch())
	}
	return kernel.Aligned(most)
}

// Close frees the code.
func (d *Epilogue) Close() {
	for _, c := range d.codes {
		c.Close()
	}
}
