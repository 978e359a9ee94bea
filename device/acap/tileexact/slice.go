package tileexact

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/kernel"
)

// sliced returns a nest whose slices begin where the scalars of this run say.
func (t *tiling) sliced(k *kernel.Nest) (*kernel.Nest, error) {
	n, list := describe.Sliced(k)
	for _, s := range list {
		place, err := t.place(&s)
		if err != nil {
			return nil, err
		}
		a := &n.Access[s.Port]
		low, high := 0, 0 // what the loops add to the place
		for i, stride := range append(append([]int(nil), a.Outer...), a.Inner...) {
			extents := append(append([]int(nil), n.Outer...), n.Inner...)
			low += min(0, (extents[i]-1)*stride)
			high += max(0, (extents[i]-1)*stride)
		}
		a.Offset += place
		if a.Offset+low < 0 || a.Offset+high >= a.Len {
			return nil, fmt.Errorf("a slice of port %d reads elements %d to %d of %d", s.Port, a.Offset+low, a.Offset+high, a.Len)
		}
	}
	return n, nil
}

// place computes where a slice begins.
func (t *tiling) place(s *describe.Slice) (int, error) {
	code, err := t.compile(s.Place)
	if err != nil {
		return 0, err
	}
	defer code.Close()
	out := buf.New(dtype.I64, []int{1})
	var ptrs []unsafe.Pointer
	for _, port := range s.From {
		ptrs = append(ptrs, t.ports[port].Pointer())
	}
	if !execute(code, append(ptrs, out.Pointer())) {
		return 0, fmt.Errorf("the place of port %d reads outside of its scalars", s.Port)
	}
	return int(out.Int64(0)), nil
}
