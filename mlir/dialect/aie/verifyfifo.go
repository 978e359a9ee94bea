package aie

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// depths are the numbers of objects at the producer and the consumers, or one for all of them.
func depths(op *mlir.Operation) ([]int, bool) {
	switch a := op.Attrs.Get("elemNumber").(type) {
	case mlir.IntegerAttr:
		return []int{int(a.Value)}, true
	case mlir.ArrayAttr, mlir.DenseArrayAttr:
		return mlir.IntList(a)
	}
	return nil, false
}

func verifyFIFO(op *mlir.Operation) error {
	a, _ := op.Attrs.Get("elemType").(mlir.TypeAttr)
	o, ok := a.Type.(mlir.OpaqueType)
	if !ok || o.Dialect != "aie" || !strings.HasPrefix(o.Text, "objectfifo<") {
		return fmt.Errorf("is of type !aie.objectfifo<…>, not %v", a.Type)
	}
	object, ok := objectType(o).(mlir.MemRefType)
	if !ok {
		return fmt.Errorf("holds a value that is no memory: %s", o)
	}
	if slices.Contains(object.Shape, mlir.Dynamic) {
		return fmt.Errorf("holds objects of open extents: %s", object)
	}
	if len(op.Operands) < 2 {
		return fmt.Errorf("needs a tile that produces and one that consumes")
	}
	list, ok := depths(op)
	if !ok || len(list) != 1 && len(list) != len(op.Operands) {
		return fmt.Errorf("needs one depth, or one for the producer and each of the %d consumers", len(op.Operands)-1)
	}
	for _, n := range list {
		if n < 1 {
			return fmt.Errorf("holds %d objects", n)
		}
	}
	for _, v := range op.Operands {
		if v.Def != nil && v.Def.Name != "aie.tile" && v.Def.Name != "aie.logical_tile" {
			return fmt.Errorf("ends at a value of type %s, which is no tile", v.Def.Name)
		}
	}
	for i, v := range op.Operands {
		if k, ok := kindOf(v); ok {
			if err := orders(op, i, k, object); err != nil {
				return err
			}
		}
	}
	if init, ok := op.Attrs.Get("initValues").(mlir.ArrayAttr); ok && len(init) != list[0] {
		return fmt.Errorf("has %d first objects, and holds %d", len(init), list[0])
	}
	from, known := kindOf(op.Operands[0])
	if op.Attrs.Get("initValues") != nil && known && from == shim {
		return fmt.Errorf("has first objects on an interface tile, which has no memory")
	}
	if n, given := intOf(op, "repeat_count"); given && n < 1 {
		return fmt.Errorf("repeats %d times", n)
	}
	if op.Attrs.Get("padDimensions") != nil {
		if known && from != mem {
			return fmt.Errorf("pads on a %s, and only mem tiles do", from.name)
		}
		if op.Attrs.Get("dimensionsToStream") == nil {
			return fmt.Errorf("pads without dimensions on the way to the stream")
		}
	}
	return nil
}

// orders checks the dimensions in which an end sends or takes objects against what descriptors of its tile count.
func orders(op *mlir.Operation, end int, k kind, object mlir.MemRefType) error {
	names := [2]string{"dimensionsToStream", "dimensionsToStream"}
	if end > 0 {
		names = [2]string{"dimensionsFromStream", fmt.Sprintf("dimensionsFromStream%d", end)}
	}
	list, _ := op.Attrs.Get(names[1]).(mlir.ArrayAttr)
	if len(list) != 2 {
		return nil
	}
	sizes, _ := mlir.IntList(list[0])
	strides, _ := mlir.IntList(list[1])
	if err := counts(k, object, sizes, strides); err != nil {
		return fmt.Errorf("in %s: %w", names[0], err)
	}
	return nil
}

// fifo is the object FIFO of a name in the device around an operation.
func fifo(op *mlir.Operation, name string) *mlir.Operation {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Body() == nil {
			continue
		}
		for _, inner := range p.Body().Ops {
			if inner.Name == "aie.objectfifo" && inner.Symbol() == name {
				return inner
			}
		}
	}
	return nil
}

func named(op *mlir.Operation) string {
	if a, ok := op.Attrs.Get("objFifo_name").(mlir.SymbolRefAttr); ok && len(a) == 1 {
		return a[0]
	}
	return ""
}

// verifyPort checks an acquire or a release: the port, the number, that the FIFO ends at this core with that port, and
// what an acquire gives.
func verifyPort(op *mlir.Operation) error {
	port, _ := op.Attrs.Get("port").(mlir.StringAttr)
	if port != "Produce" && port != "Consume" {
		return fmt.Errorf("the port %s is neither Produce nor Consume", port)
	}
	n, _ := intOf(op, "size")
	if n < 1 {
		return fmt.Errorf("takes %d objects", n)
	}
	f := fifo(op, named(op))
	if f == nil {
		return fmt.Errorf("names @%s, which is no object FIFO here", named(op))
	}
	holder := holderOf(op)
	if holder == nil || dma(holder) {
		return fmt.Errorf("stands in no core")
	}
	ends := f.Operands[1:]
	if port == "Produce" {
		ends = f.Operands[:1]
	}
	if holder.Name == "aie.core" && !slices.ContainsFunc(ends, func(v *mlir.Value) bool { return sameTile(v, holder.Operands[0]) }) {
		return fmt.Errorf("is the port %s of @%s, which does not end so at this core", string(port), named(op))
	}
	a, _ := f.Attrs.Get("elemType").(mlir.TypeAttr)
	object := objectType(a.Type)
	for _, r := range op.Results {
		got := r.Type
		if inner := objectType(got); inner != nil {
			got = inner
		} else if len(op.Results) != n {
			return fmt.Errorf("gives %d objects and takes %d", len(op.Results), n)
		}
		if object != nil && !mlir.SameType(got, object) {
			return fmt.Errorf("gives %s of a FIFO of %s", got, object)
		}
	}
	return nil
}

// verifyPart checks what a core takes of a FIFO by name: one of its buffers, or the locks of a port.
func verifyPart(op *mlir.Operation) error {
	f := fifo(op, named(op))
	if f == nil {
		return fmt.Errorf("names @%s, which is no object FIFO here", named(op))
	}
	list, _ := depths(f)
	n, of := intOf(op, "index")
	if !of || len(list) == 0 { // the FIFO reports a depth that is no number
		return nil
	}
	if n >= slices.Max(list) {
		return fmt.Errorf("is buffer %d of @%s, which has %d", n, named(op), slices.Max(list))
	}
	a, _ := f.Attrs.Get("elemType").(mlir.TypeAttr)
	if object := objectType(a.Type); object != nil && !mlir.SameType(op.Result().Type, object) {
		return fmt.Errorf("gives %s of a FIFO of %s", op.Result().Type, object)
	}
	return nil
}

// verifyBinding checks that each channel has a direction and a number, and each lock its first value.
func verifyBinding(op *mlir.Operation) error {
	sizes, _ := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	if len(sizes) != 2 {
		return nil
	}
	for i, names := range [][]string{{"channel_dirs", "channel_indices", "head_bd_ids", "repeat_counts"}, {"lock_inits"}} {
		for _, name := range names {
			if list, ok := mlir.IntList(op.Attrs.Get(name)); ok && len(list) != sizes[i] {
				return fmt.Errorf("has %d %s for %d", len(list), name, sizes[i])
			}
		}
	}
	return nil
}

func sameTile(a, b *mlir.Value) bool {
	p, x := placeOf(a)
	q, y := placeOf(b)
	return a == b || x && y && p == q
}

func verifyAccess(op *mlir.Operation) error {
	n, _ := intOf(op, "index")
	most := 1
	if d := op.Operands[0].Def; d != nil {
		if d.Name != "aie.objectfifo.acquire" {
			return fmt.Errorf("is of a value that is no acquired object")
		}
		most, _ = intOf(d, "size")
	}
	if n < 0 || n >= most {
		return fmt.Errorf("is object %d of the %d that are acquired", n, most)
	}
	if t := objectType(op.Operands[0].Type); t != nil && !mlir.SameType(t, op.Result().Type) {
		return fmt.Errorf("is %s of objects of type %s", op.Result().Type, t)
	}
	return nil
}

// verifyLink checks that the FIFOs meet at one tile, that one of the two sides is a single FIFO, and the places of
// parts.
func verifyLink(op *mlir.Operation) error {
	side := func(name string) ([]*mlir.Operation, error) {
		list, _ := op.Attrs.Get(name).(mlir.ArrayAttr)
		var out []*mlir.Operation
		for _, a := range list {
			ref, _ := a.(mlir.SymbolRefAttr)
			f := fifo(op, strings.Join(ref, "."))
			if f == nil {
				return nil, fmt.Errorf("names %s, which is no object FIFO here", ref)
			}
			out = append(out, f)
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("has no %s", name)
		}
		return out, nil
	}
	ins, err := side("fifoIns")
	if err != nil {
		return err
	}
	outs, err := side("fifoOuts")
	if err != nil {
		return err
	}
	if len(ins) > 1 && len(outs) > 1 {
		return fmt.Errorf("joins %d FIFOs to %d: one of the two sides is a single FIFO", len(ins), len(outs))
	}
	meet := outs[0].Operands[0]
	for _, f := range outs {
		if !sameTile(f.Operands[0], meet) {
			return fmt.Errorf("has no tile at which all its FIFOs meet")
		}
	}
	for _, f := range ins {
		if !slices.ContainsFunc(f.Operands[1:], func(v *mlir.Value) bool { return sameTile(v, meet) }) {
			return fmt.Errorf("has no tile at which all its FIFOs meet")
		}
	}
	if k, ok := kindOf(meet); ok && k == shim {
		return fmt.Errorf("joins on an interface tile, which has no memory")
	}
	for _, part := range []struct {
		name string
		many []*mlir.Operation
		all  *mlir.Operation
	}{{"src_offsets", ins, outs[0]}, {"dst_offsets", outs, ins[0]}} {
		offsets, _ := mlir.IntList(op.Attrs.Get(part.name))
		if len(part.many) == 1 && len(offsets) <= 1 {
			continue
		}
		if len(offsets) != len(part.many) {
			return fmt.Errorf("has %d %s for %d FIFOs", len(offsets), part.name, len(part.many))
		}
		total := elements(part.all)
		for i, at := range offsets {
			end := total
			if i+1 < len(offsets) {
				end = offsets[i+1]
			}
			if at < 0 || at >= total && total > 0 || i+1 < len(offsets) && end <= at {
				return fmt.Errorf("has %s %v of objects of %d elements", part.name, offsets, total)
			}
		}
	}
	return nil
}

// elements is the number of elements of a FIFO's objects.
func elements(f *mlir.Operation) int {
	a, _ := f.Attrs.Get("elemType").(mlir.TypeAttr)
	m, _ := objectType(a.Type).(mlir.MemRefType)
	n, _ := mlir.NumElements(m.Shape)
	return n
}

func verifyAllocate(op *mlir.Operation) error {
	f := fifo(op, named(op))
	if f == nil {
		return fmt.Errorf("names @%s, which is no object FIFO here", named(op))
	}
	d, known := deviceOf(op)
	at, placed := placeOf(op.Operands[0])
	for _, v := range f.Operands {
		if there, ok := placeOf(v); known && placed && ok && !d.near(there, at) {
			return fmt.Errorf("puts @%s where the tile in column %d and row %d does not reach it", named(op), there.col, there.row)
		}
	}
	return nil
}

func verifyRegister(op *mlir.Operation) error {
	if fifo(op, named(op)) == nil {
		return fmt.Errorf("names @%s, which is no object FIFO here", named(op))
	}
	if len(op.Operands) < 2 {
		return fmt.Errorf("registers no buffers")
	}
	if k, ok := kindOf(op.Operands[0]); ok && k != shim {
		return fmt.Errorf("is on a %s, and memory outside is reached from interface tiles", k.name)
	}
	return nil
}
