package program

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
)

// The versions of mlir-aie whose text there is. Since July 2026 locks take a value, descriptors name their parts, and
// an acquired object is a memref.
const (
	Dialect = "1.4"
	Current = "2026-07"
)

// String returns the program in the shape of the aie dialect: at the object
// FIFO level, or with buffers, locks, descriptors and flows once it is lowered.
func (p *Program) String() string { return p.text(Dialect) }

// Text is [Program.String] in the shape of a version of mlir-aie, [Dialect] or [Current]. Another version is an error.
func (p *Program) Text(version string) (string, error) {
	if version != Dialect && version != Current {
		return "", fmt.Errorf("no text of mlir-aie %q; there are %s and %s", version, Dialect, Current)
	}
	return p.text(version), nil
}

func (p *Program) text(version string) string {
	w := &printer{p: p, tiles: make(map[Coord]string), named: version == Current}
	level := "object FIFO level"
	if p.Lowered {
		level = "lowered level"
	}
	w.line("// %s on %s, %s, in the shape of mlir-aie %s", p.Name, p.Machine.Name, level, version)
	w.open("module {")
	w.open("aie.device(%s) {", w.p.Machine.Architecture().Upstream(w.p.Machine))
	w.printTiles()
	if p.Lowered {
		w.printMemory()
		w.printDMAs()
	} else {
		w.printFIFOs()
	}
	w.printKernels()
	for i := range p.Cores {
		w.printCore(&p.Cores[i])
	}
	w.printRuntime()
	w.close("}")
	w.close("}")
	return w.b.String()
}

type printer struct {
	p     *Program
	b     strings.Builder
	depth int
	value int
	tiles map[Coord]string
	rings map[*Endpoint]string // counters of the slots of a core's rings
	named bool                 // descriptors name their parts, and what goes with it: the form of Current
	locks int                  // values for locks so far
	text  []byte               // of a line, to be used again
}

func (w *printer) indent() {
	for range w.depth {
		w.b.WriteString("  ")
	}
}

func (w *printer) line(format string, args ...any) {
	w.indent()
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *printer) open(format string, args ...any) {
	w.line(format, args...)
	w.depth++
}

func (w *printer) close(format string, args ...any) {
	w.depth--
	w.line(format, args...)
}

// fresh returns a new SSA name.
func (w *printer) fresh() string {
	w.value++
	return fmt.Sprintf("%%%d", w.value-1)
}

func (w *printer) printTiles() {
	seen := make(map[Coord]bool)
	var all []Coord
	add := func(c Coord) {
		if !seen[c] {
			seen[c] = true
			all = append(all, c)
		}
	}
	for i := range w.p.FIFOs {
		add(w.p.FIFOs[i].Producer)
		for _, c := range w.p.FIFOs[i].Consumers {
			add(c)
		}
	}
	for _, c := range w.p.Cores {
		add(c.Tile)
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].Col < all[j].Col || all[i].Col == all[j].Col && all[i].Row < all[j].Row
	})
	for _, c := range all {
		w.tiles[c] = fmt.Sprintf("%%tile_%d_%d", c.Col, c.Row)
		w.line("%s = aie.tile(%d, %d)", w.tiles[c], c.Col, c.Row)
	}
}

// memref is the type of an object. A truth value is a byte: memory has no bits.
func memref(o Object) string {
	var b strings.Builder
	b.WriteString("memref<")
	for _, s := range o.Shape {
		b.WriteString(strconv.Itoa(s))
		b.WriteByte('x')
	}
	if o.DType == dtype.Bool {
		o.DType = dtype.I8
	}
	return b.String() + o.DType.MLIR() + ">"
}

func dims(d []Dim) string {
	var parts []string
	for _, x := range d {
		parts = append(parts, fmt.Sprintf("<size = %d, stride = %d>", x.Size, x.Stride))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// order is the pattern of a descriptor of a tile, with dimensions that are longer than it counts split.
func (w *printer) order(at Coord, d []Dim, bytes int) []Dim {
	words := 1<<w.p.Machine.TileAt(at).WrapBits.Int() - 1
	for i, x := range d {
		n := x.Size
		if i == len(d)-1 && x.Stride == 1 {
			n = x.Size * bytes / word
		}
		if n > words {
			if split, ok := factored(Compact(d), bytes, words); ok {
				return split
			}
		}
	}
	return d
}

func (w *printer) printFIFOs() {
	for i := range w.p.FIFOs {
		f := &w.p.FIFOs[i]
		if f.Cascade {
			continue
		}
		var to []string
		for _, c := range f.Consumers {
			s := w.tiles[c]
			if len(f.FromStream) > 0 {
				s += " dimensionsFromStream " + dims(w.order(c, f.FromStream, f.Object.DType.Size()))
			}
			to = append(to, s)
		}
		from := w.tiles[f.Producer]
		if len(f.ToStream) > 0 {
			from += " dimensionsToStream " + dims(w.order(f.Producer, f.ToStream, f.Object.DType.Size()))
		}
		logic := ""
		if w.portName(Port{Tile: f.Producer}) == "PLIO" || w.portName(Port{Tile: f.Consumers[0]}) == "PLIO" {
			logic = " {plio = true}"
		}
		w.line("aie.objectfifo @%s(%s, {%s}, %d : i32)%s : !aie.objectfifo<%s>", f.Name, from,
			strings.Join(to, ", "), f.Depth, logic, memref(f.Object))
	}
	w.printCascades()
	for _, l := range w.p.Links {
		w.line("aie.objectfifo.link [%s] -> [%s] (%s %s)", w.symbols(l.In), w.symbols(l.Out),
			w.offsets(l.In, l.Out[0]), w.offsets(l.Out, l.In[0]))
		for _, x := range l.Windows {
			w.line("// window at %d %s", x.Offset, dims(x.Dims))
		}
	}
}

func (w *printer) symbols(fifos []int) string {
	var s []string
	for _, f := range fifos {
		s = append(s, "@"+w.p.FIFOs[f].Name)
	}
	return strings.Join(s, ", ")
}

// offsets lists where the parts of a join or a distribution lie in the whole.
func (w *printer) offsets(parts []int, whole int) string {
	if len(parts) < 2 {
		return "[]"
	}
	part := w.p.FIFOs[whole].Object.Elements() / len(parts)
	var s []string
	for i := range parts {
		s = append(s, fmt.Sprint(i*part))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

func (w *printer) printMemory() {
	for _, b := range w.p.Buffers {
		name := w.bufferName(&b)
		w.line("%%%s = aie.buffer(%s) {address = %d : i32, mem_bank = %d : i32, "+
			"sym_name = %q} : %s", name, w.tiles[b.Tile], b.Address, b.Bank, name, memref(b.Object))
	}
	for i := range w.p.Locks {
		l := &w.p.Locks[i]
		w.line("%s = aie.lock(%s, %d) {init = %d : i32, sym_name = %q}", w.lock(i),
			w.tiles[l.Tile], l.ID, l.Init, w.lock(i)[1:])
	}
	for _, f := range w.p.Flows {
		w.line("aie.flow(%s, %s : %d, %s, %s : %d)", w.tiles[f.From.Tile], w.portName(f.From), f.From.Channel,
			w.tiles[f.To.Tile], w.portName(f.To), f.To.Channel)
	}
	w.printCascades()
}

// portName names the port that a flow is plugged into: on interface tiles of the first generation a stream of the
// programmable logic.
func (w *printer) portName(p Port) string {
	if p.Tile.Row == 0 && w.p.Machine.Family == machine.AIE1 {
		return "PLIO"
	}
	return "DMA"
}

// printCascades writes the accumulator links; several FIFOs may share a link.
func (w *printer) printCascades() {
	seen := make(map[[2]Coord]bool)
	for i := range w.p.FIFOs {
		f := &w.p.FIFOs[i]
		if !f.Cascade || seen[[2]Coord{f.Producer, f.Consumers[0]}] {
			continue
		}
		seen[[2]Coord{f.Producer, f.Consumers[0]}] = true
		w.line("aie.cascade_flow(%s, %s)", w.tiles[f.Producer], w.tiles[f.Consumers[0]])
	}
}

// bufferName is unique in the device: locals carry their tile.
func (w *printer) bufferName(b *Buffer) string {
	return fmt.Sprintf("%s_%d_%d", b.Name, b.Tile.Col, b.Tile.Row)
}

func (w *printer) lock(i int) string {
	l := &w.p.Locks[i]
	return fmt.Sprintf("%%%s_%d_%d", l.Name, l.Tile.Col, l.Tile.Row)
}

// printDMAs writes the descriptor chains of every tile, and the allocation of
// interface channels to FIFOs.
func (w *printer) printDMAs() {
	byTile := make(map[Coord][]int)
	var order []Coord
	for i, d := range w.p.DMAs {
		if len(d.Descriptors) == 0 {
			continue
		}
		if byTile[d.Tile] == nil {
			order = append(order, d.Tile)
		}
		byTile[d.Tile] = append(byTile[d.Tile], i)
	}
	for _, c := range order {
		op := "aie.mem"
		if c.Row <= w.p.Machine.Grid.MemRows {
			op = "aie.memtile_dma"
		}
		w.open("%s(%s) {", op, w.tiles[c])
		w.printChannels(byTile[c])
		w.close("}")
	}
	for i := range w.p.FIFOs {
		f := &w.p.FIFOs[i]
		for j, e := range f.Ends {
			if e.Tile.Row == 0 {
				d := &w.p.DMAs[e.DMA]
				symbol := f.Name
				if j > 0 && f.Producer.Row == 0 {
					symbol += "_back"
				}
				w.line("aie.shim_dma_allocation @%s(%s, %s, %d)", symbol, w.tiles[e.Tile], d.Dir,
					d.Channel)
			}
		}
	}
}

func (w *printer) printChannels(dmas []int) {
	block := 1
	for n, id := range dmas {
		d := &w.p.DMAs[id]
		first := block
		next := first + len(d.Descriptors)
		after := fmt.Sprintf("^bb%d", next)
		if n == len(dmas)-1 {
			after = "^end"
		}
		if n > 0 {
			w.depth--
			w.line("^bb%d:", first)
			w.depth++
			first, next = first+1, next+1
			if n < len(dmas)-1 {
				after = fmt.Sprintf("^bb%d", next)
			}
		}
		again := ""
		if d.Passes > 1 {
			again = fmt.Sprintf(", repeat_count = %d", d.Passes-1)
		}
		w.line("%s = aie.dma_start(%s, %d, ^bb%d, %s%s)", w.fresh(), d.Dir, d.Channel, first, after, again)
		for i := range d.Descriptors {
			w.printDescriptor(&d.Descriptors[i], first, i)
		}
		block = next
	}
	w.depth--
	w.line("^end:")
	w.depth++
	w.line("aie.end")
}

func (w *printer) printDescriptor(b *Descriptor, first, i int) {
	w.depth--
	w.line("^bb%d:", first+i)
	w.depth++
	acquire := w.acquireAction()
	if b.Acquire.Lock >= 0 {
		w.useOf(w.lock(b.Acquire.Lock), acquire, b.Acquire.Value)
	}
	w.line("aie.dma_bd(%s) {bd_id = %d : i32}", w.transfer(b), b.ID)
	if b.Release.Lock >= 0 {
		w.useOf(w.lock(b.Release.Lock), "Release", b.Release.Value)
	}
	if b.Next >= 0 {
		w.line("aie.next_bd ^bb%d", first+b.Next)
	} else {
		w.line("aie.end")
	}
}

// transfer prints the elements that a descriptor moves: a buffer, an offset, a length, and the order of the elements.
func (w *printer) transfer(b *Descriptor) string {
	buffer := &w.p.Buffers[b.Buffer]
	from := "%" + w.bufferName(buffer) + " : " + memref(buffer.Object)
	pattern := w.order(buffer.Tile, b.Dims, buffer.Object.DType.Size())
	if !w.named {
		order := ""
		if len(pattern) > 0 {
			order = ", " + dims(pattern)
		}
		return fmt.Sprintf("%s, %d, %d%s", from, b.Offset, b.Length, order)
	}
	from += fmt.Sprintf(" offset = %d len = %d", b.Offset, b.Length)
	if len(pattern) == 0 {
		return from
	}
	var sizes, strides []string
	for _, d := range pattern {
		sizes, strides = append(sizes, fmt.Sprint(d.Size)), append(strides, fmt.Sprint(d.Stride))
	}
	return from + " sizes = [" + strings.Join(sizes, ", ") + "] strides = [" + strings.Join(strides, ", ") + "]"
}

// useOf takes or releases a lock.
func (w *printer) useOf(lock, action string, n int) {
	if !w.named {
		w.line("aie.use_lock(%s, %s, %d)", lock, action, n)
		return
	}
	value := fmt.Sprintf("%%value%d", w.locks)
	w.locks++
	w.line("%s = arith.constant %d : i32", value, n)
	w.line("aie.use_lock(%s, %s, %s)", lock, action, value)
}
