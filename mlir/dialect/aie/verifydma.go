package aie

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// dmaOf is the sort of the tile whose descriptors an operation is among.
func dmaOf(op *mlir.Operation) (kind, bool) {
	for p := op.Parent(); p != nil; p = p.Parent() {
		switch p.Name {
		case "aie.mem":
			return core, true
		case "aie.memtile_dma":
			return mem, true
		case "aie.shim_dma", "aiex.dma_configure_task_for":
			return shim, true
		case "aiex.dma_configure_task":
			return kindOf(p.Operands[0])
		}
	}
	return kind{}, false
}

// verifyDMA checks a tile's DMA: its place, the end of each block, the number of descriptors and of locks, that no
// channel starts twice, and that descriptors stay inside the memory that the DMA reaches.
func verifyDMA(op *mlir.Operation) error {
	want := map[string]kind{"aie.mem": core, "aie.memtile_dma": mem, "aie.shim_dma": shim}[op.Name]
	if k, ok := kindOf(op.Operands[0]); ok && k != want {
		return fmt.Errorf("is on a %s and not on a %s", k.name, want.name)
	}
	d, known := deviceOf(op)
	at, placed := placeOf(op.Operands[0])
	if known && placed && want == shim && len(d.noc) > 0 && !slices.Contains(d.noc, at.col) {
		return fmt.Errorf("is in column %d, whose interface tile does not reach memory", at.col)
	}
	descriptors, started := 0, map[string]bool{}
	var wrong error
	refuse := func(inner *mlir.Operation, format string, args ...any) {
		if wrong == nil {
			wrong = fmt.Errorf("holds at %s %s", inner.Loc, fmt.Sprintf(format, args...))
		}
	}
	op.Walk(func(inner *mlir.Operation) {
		switch inner.Name {
		case "aie.dma_bd":
			descriptors++
			if known && placed {
				reaches(inner, d, at, want, refuse)
			}
		case "aie.dma_start", "aie.dma":
			name, _ := inner.Attrs.Get("channelDir").(mlir.StringAttr)
			n, _ := intOf(inner, "channelIndex")
			if key := fmt.Sprint(name, n); started[key] {
				refuse(inner, "a second start of channel %s %d", string(name), n)
			} else {
				started[key] = true
			}
			if inner.Name == "aie.dma" && len(op.Regions[0].Blocks) != 1 {
				refuse(inner, "aie.dma in a region of several blocks")
			}
		}
	})
	if wrong != nil {
		return wrong
	}
	if descriptors > want.descriptors {
		return fmt.Errorf("has %d descriptors, and a %s has %d", descriptors, want.name, want.descriptors)
	}
	for _, b := range op.Regions[0].Blocks {
		if err := descriptorBlock(b); err != nil {
			return err
		}
	}
	return nil
}

// reaches checks which memory and which locks a descriptor uses. A core's DMA uses its own tile's. A mem tile's uses
// its neighbours' too, except on the channels 4 and 5.
func reaches(bd *mlir.Operation, d device, at place, k kind, refuse func(*mlir.Operation, string, ...any)) {
	used := []*mlir.Value{}
	for _, op := range bd.Block.Ops {
		if (op.Name == "aie.use_lock" || op.Name == "aie.dma_bd") && len(op.Operands) > 0 {
			used = append(used, op.Operands[0])
		}
	}
	channel := channelOf(bd)
	for _, v := range used {
		if v.Def == nil || len(v.Def.Operands) == 0 || v.Def.Name != "aie.buffer" && v.Def.Name != "aie.lock" {
			continue
		}
		there, ok := placeOf(v.Def.Operands[0])
		switch {
		case !ok || there == at:
		case k == core && v.Def.Name == "aie.lock" && d.near(at, there) && d.first:
		case k == mem && d.beside(at, there) && channel < 4:
		default:
			refuse(bd, "%s in column %d and row %d, which its channel in column %d and row %d does not reach",
				v.Def.Name, there.col, there.row, at.col, at.row)
		}
	}
}

// channelOf is the channel whose chain a descriptor belongs to, or -1.
func channelOf(bd *mlir.Operation) int {
	if p := bd.Parent(); p != nil && p.Name == "aie.dma" {
		n, _ := intOf(p, "channelIndex")
		return n
	}
	for _, b := range bd.Block.Region.Blocks {
		start := b.Terminator()
		if start == nil || start.Name != "aie.dma_start" || len(start.Successors) == 0 {
			continue
		}
		seen := map[*mlir.Block]bool{}
		for at := start.Successors[0].Block; at != nil && !seen[at]; {
			if seen[at] = true; at == bd.Block {
				n, _ := intOf(start, "channelIndex")
				return n
			}
			next := at.Terminator()
			if next == nil || next.Name != "aie.next_bd" || len(next.Successors) == 0 {
				break
			}
			at = next.Successors[0].Block
		}
	}
	return -1
}

// descriptorBlock checks the operations of one block: at most one descriptor, at most one lock acquired before the
// descriptor, and at most one lock released behind the descriptor.
func descriptorBlock(b *mlir.Block) error {
	descriptors, acquires, releases := 0, 0, 0
	for _, op := range b.Ops {
		action, _ := op.Attrs.Get("action").(mlir.StringAttr)
		switch {
		case op.Name == "aie.dma_bd":
			descriptors++
		case op.Name == "aie.use_lock" && action == "Release":
			releases++
		case op.Name == "aie.use_lock":
			acquires++
		}
	}
	if descriptors > 1 || acquires > 1 || releases > 1 {
		return fmt.Errorf("has a block with %d descriptors, %d acquires and %d releases, and a descriptor has one of each at most",
			descriptors, acquires, releases)
	}
	last := b.Terminator()
	if last == nil {
		return nil
	}
	if !slices.Contains([]string{"aie.dma_start", "aie.next_bd", "aie.end"}, last.Name) && last.Def() != nil && last.Def().Has(mlir.Terminator) {
		return fmt.Errorf("has a block that ends with %s", last.Name)
	}
	return nil
}

// verifyDMAList checks that each list of a channel is a descriptor.
func verifyDMAList(op *mlir.Operation) error {
	if err := verifyStart(op); err != nil {
		return err
	}
	for _, r := range op.Regions {
		if len(r.Blocks) != 1 {
			return fmt.Errorf("has a descriptor of %d blocks", len(r.Blocks))
		}
		found := false
		for _, inner := range r.Blocks[0].Ops {
			found = found || inner.Name == "aie.dma_bd"
		}
		if !found {
			return fmt.Errorf("has a region without a descriptor")
		}
		if err := descriptorBlock(r.Blocks[0]); err != nil {
			return err
		}
	}
	if p := op.Parent(); p != nil && len(p.Regions) > 0 && len(p.Regions[0].Blocks) > 1 {
		return fmt.Errorf("stands in a region of several blocks")
	}
	return nil
}

func verifyStart(op *mlir.Operation) error {
	name, _ := op.Attrs.Get("channelDir").(mlir.StringAttr)
	if name != "MM2S" && name != "S2MM" {
		return fmt.Errorf("has the direction %s, neither MM2S nor S2MM", string(name))
	}
	if n, _ := intOf(op, "channelIndex"); n < 0 {
		return fmt.Errorf("starts channel %d", n)
	} else if k, ok := dmaOf(op); ok && n >= k.channels {
		return fmt.Errorf("starts channel %d, and a %s has 0 to %d each way", n, k.name, k.channels-1)
	}
	if n, given := intOf(op, "repeat_count"); given && (n < 0 || n > 255) {
		return fmt.Errorf("repeats %d times, and up to 255 are counted", n)
	}
	return nil
}

// verifyDescriptor checks a descriptor against what its tile's have.
func verifyDescriptor(op *mlir.Operation) error {
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs a buffer")
	}
	if a, ok := op.Attrs.Get("packet").(mlir.OpaqueAttr); ok {
		if err := packetInfo(a.Text); err != nil {
			return err
		}
	}
	k, ok := dmaOf(op)
	if !ok {
		return nil
	}
	sizes, _ := mlir.IntList(op.Attrs.Get("sizes"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	if len(sizes) != len(strides) {
		return fmt.Errorf("has %d sizes and %d strides", len(sizes), len(strides))
	}
	if id, given := intOf(op, "bd_id"); given && (id < 0 || id >= k.descriptors) {
		return fmt.Errorf("has the number %d, and a %s has descriptors 0 to %d", id, k.name, k.descriptors-1)
	}
	m, _ := op.Operands[0].Type.(mlir.MemRefType)
	if err := counts(k, m, sizes, strides); err != nil {
		return err
	}
	return inside(op, m, sizes, strides)
}

// counts checks sizes and strides of elements against what descriptors of a tile have room for.
func counts(k kind, m mlir.MemRefType, sizes, strides []int) error {
	bits := max(mlir.BitWidth(m.Elem), 1)
	if len(sizes) > k.dims {
		return fmt.Errorf("has %d dimensions, and descriptors of a %s have up to %d", len(sizes), k.name, k.dims)
	}
	whole := true // no dimension but the last steps
	for i, n := range sizes {
		whole = whole && (n == 1 || i == len(sizes)-1)
	}
	for i, n := range sizes {
		last := i == len(sizes)-1
		words := n
		if last {
			words = n * bits / 32
		}
		switch s := strides[i]; {
		case n == mlir.DynamicStride || s == mlir.DynamicStride:
		case n <= 0:
			return fmt.Errorf("dimension %d has the size %d", i, n)
		case n > 1 && s <= 0:
			return fmt.Errorf("dimension %d has the stride %d", i, s)
		case last && s == 1 && whole: // all of it is one piece
		case last && n > 1 && s != 1 && bits < 32:
			return fmt.Errorf("steps by %d elements of %d bits in its last dimension, and a word has 32", s, bits)
		case last && n > 1 && n*bits%32 != 0:
			return fmt.Errorf("has a last dimension of %d elements of %d bits, no whole words of 32", n, bits)
		case !last && n > 1 && s*bits%32 != 0:
			return fmt.Errorf("dimension %d has the stride %d of elements of %d bits, no whole words of 32", i, s, bits)
		case words > k.size:
			return fmt.Errorf("dimension %d has the size %d, and up to %d words are counted on a %s", i, n, k.size, k.name)
		case s*bits/32 > k.stride:
			return fmt.Errorf("dimension %d has the stride %d, and up to %d words are stepped on a %s", i, s, k.stride, k.name)
		}
	}
	return nil
}

// inside checks that a transfer stays in its buffer.
func inside(op *mlir.Operation, m mlir.MemRefType, sizes, strides []int) error {
	total := 1
	for _, n := range m.Shape {
		if n < 0 {
			return nil
		}
		total *= n
	}
	offset, _ := intOf(op, "offset")
	if offset < 0 {
		return fmt.Errorf("begins at %d", offset)
	}
	length, given := intOf(op, "len")
	end := offset + length
	if len(sizes) > 0 {
		end = offset + 1
		for i, n := range sizes {
			if n == mlir.DynamicStride || strides[i] == mlir.DynamicStride {
				return nil
			}
			end += (n - 1) * strides[i]
		}
	} else if !given {
		end = offset + total
	}
	if op.Attrs.Get("dynamic_offset") != nil || op.Attrs.Get("dynamic_len") != nil {
		return nil
	}
	if op.Operands[0].Def == nil && holderOf(op) != nil && holderOf(op).Name != "aie.bd_chain" {
		return nil // memory of the host, whose type says nothing
	}
	if end > total {
		return fmt.Errorf("reaches element %d of %d of %s", end-1, total, m)
	}
	return nil
}
