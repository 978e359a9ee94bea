package schedule

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Nests compiles the loop nests that epilogues become when they are not in the code of the sums.
type Nests func(*kernel.Nest) (kernel.Code, error)

// Along is a loop of the sums of a unit.
type Along struct {
	Loop         int // of the kernel
	Extent, Unit int // points of the loop, and of a unit; the last unit has what is left
	Stride       int // elements from one sum to the next
}

// points is how many points of the loop a unit has that is the last one, or not; 0 if there is none.
func (l Along) points(last bool) int {
	switch {
	case last:
		return l.Extent - (kernel.Pieces(l.Extent, l.Unit)-1)*l.Unit
	case l.Extent > l.Unit:
		return l.Unit
	}
	return 0
}

// Epilogue is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch memory. Nil has no
// memory, and no code to free.
type Epilogue struct {
	access []kernel.Access
	loops  []Along
	nests  []kernel.Code // by a bit for each loop: 1 where the unit is the loop's last; equal extents share a nest
	codes  []kernel.Code
	args   kernel.ArgsPool
}

// NewEpilogue compiles e for sums of a type along up to three loops of a unit. An epilogue that asks for its place, or
// walks backwards, is [kernel.ErrUnsupported].
func NewEpilogue(e *kernel.Epilogue, sums dtype.DType, loops []Along, compile Nests) (*Epilogue, error) {
	if compile == nil {
		return nil, fmt.Errorf("%w: an epilogue that is not emitted in line", kernel.ErrUnsupported)
	}
	if e.Body.Has(kernel.Index, kernel.LoadAt) {
		return nil, fmt.Errorf("%w: load_at or index in an epilogue", kernel.ErrUnsupported)
	}
	outer := func(a kernel.Access) (strides []int) {
		for _, l := range loops {
			strides = append(strides, a.Outer[l.Loop])
		}
		return strides
	}
	for _, a := range e.Access {
		if slices.Min(outer(a)) < 0 {
			return nil, fmt.Errorf("%w: a negative stride in an epilogue", kernel.ErrUnsupported)
		}
	}
	d := &Epilogue{access: e.Access, loops: loops, nests: make([]kernel.Code, 1<<len(loops))}
	var known [][]int // extents of the codes
	for last := range d.nests {
		s := kernel.Access{Port: kernel.Port{DType: sums, Len: 1}}
		var extents []int
		for i, l := range loops {
			n := l.points(last>>i&1 == 1)
			extents, s.Outer = append(extents, n), append(s.Outer, l.Stride)
			s.Len += (n - 1) * l.Stride
		}
		if slices.Contains(extents, 0) {
			continue
		}
		n := slices.IndexFunc(known, func(k []int) bool { return slices.Equal(k, extents) })
		if n < 0 {
			code, err := compile(e.OnSums(s, extents, func(a kernel.Access) kernel.Access {
				b := kernel.Access{Port: a.Port, Outer: outer(a)} // from the first element of the unit on
				b.Len, b.Const = 1, false
				for i, stride := range b.Outer {
					b.Len += (extents[i] - 1) * stride
				}
				return b
			}))
			if err != nil {
				d.Close()
				return nil, fmt.Errorf("%w: %v", kernel.ErrUnsupported, err)
			}
			n, known, d.codes = len(known), append(known, extents), append(d.codes, code)
		}
		d.nests[last] = d.codes[n]
	}
	return d, nil
}

// Run runs the nest of the unit that begins at some points of the loops on its sums. At is the element of an operand that
// the loops begin with.
func (d *Epilogue) Run(args *kernel.Args, first [3]int, sums, scratch unsafe.Pointer, at func(a *kernel.Access) int) {
	last := 0
	for i, l := range d.loops {
		if first[i]+l.Unit >= l.Extent {
			last |= 1 << i
		}
	}
	own := d.args.Get()
	own.Ptr, own.Scratch = append(own.Ptr, sums), scratch
	for i := range d.access {
		a := &d.access[i]
		element := at(a)
		for k, l := range d.loops {
			element += first[k] * a.Outer[l.Loop]
		}
		own.Ptr = append(own.Ptr, unsafe.Add(args.Ptr[2+i], element*a.DType.Size()))
	}
	n := d.nests[last]
	n.Run(own, 0, n.Units())
	d.args.Put(own, args)
}

// Scratch is the memory that the nests need.
func (d *Epilogue) Scratch() int {
	if d == nil {
		return 0
	}
	most := 0
	for _, c := range d.codes {
		most = max(most, c.Scratch())
	}
	return kernel.Aligned(most)
}

// Close frees the code.
func (d *Epilogue) Close() {
	if d != nil {
		for _, c := range d.codes {
			c.Close()
		}
	}
}
