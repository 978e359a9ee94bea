package program

import (
	_ "embed"
	"fmt"
	"strings"
)

// Definitions is the part of the aie dialect that [Program.Generic] writes, in IRDL, which
// mlir-opt reads with -irdl-file.
//
//go:embed aie.irdl.mlir
var Definitions string

// Generic returns the device of a lowered program in MLIR's generic form: tiles, buffers,
// locks, flows and the descriptor chains of all channels, without what cores and the host
// do. An unmodified mlir-opt checks operands, attributes and types of it:
//
//	mlir-opt-19 --irdl-file=aie.irdl.mlir --allow-unregistered-dialect FILE
//
// Operations that end a block are in a dialect of their own, aie_terminator, as IRDL has no
// terminators; enumerations are their numbers in mlir-aie, except that the device is its name; the dimensions of a
// descriptor are pairs of size and stride.
func (p *Program) Generic() string {
	p.Lower()
	w := &printer{p: p, tiles: make(map[Coord]string)}
	w.open(`"aie.device"() ({`)
	w.genericTiles()
	w.genericMemory()
	w.genericDMAs()
	w.line(`"aie_terminator.end"() : () -> ()`)
	w.close(`}) {device = %q} : () -> ()`, w.p.Machine.Architecture().Upstream(w.p.Machine))
	return w.b.String()
}

func (w *printer) genericTiles() {
	scratch := &printer{p: w.p, tiles: w.tiles}
	scratch.printTiles() // which also names them
	seen := make(map[string]bool)
	for line := range strings.Lines(scratch.b.String()) {
		name, _, _ := strings.Cut(line, " ")
		for c, n := range w.tiles {
			if n == name && !seen[n] {
				seen[n] = true
				w.line(`%s = "aie.tile"() {col = %d : i32, row = %d : i32} : () -> index`, n, c.Col, c.Row)
			}
		}
	}
}

// Numbers of enumerations of mlir-aie.
const (
	bundleDMA           = 1
	acquire             = 0
	release             = 1
	acquireGreaterEqual = 2
)

func (w *printer) genericMemory() {
	for _, b := range w.p.Buffers {
		name := w.bufferName(&b)
		w.line(`%%%s = "aie.buffer"(%s) {address = %d : i32, mem_bank = %d : i32, sym_name = %q} : (index) -> %s`,
			name, w.tiles[b.Tile], b.Address, b.Bank, name, memref(b.Object))
	}
	for i := range w.p.Locks {
		l := &w.p.Locks[i]
		w.line(`%s = "aie.lock"(%s) {init = %d : i32, lockID = %d : i32, sym_name = %q} : (index) -> index`,
			w.lock(i), w.tiles[l.Tile], l.Init, l.ID, w.lock(i)[1:])
	}
	for _, f := range w.p.Flows {
		w.line(`"aie.flow"(%s, %s) {dest_bundle = %d : i32, dest_channel = %d : i32, source_bundle = %d : i32, `+
			`source_channel = %d : i32} : (index, index) -> ()`, w.tiles[f.From.Tile], w.tiles[f.To.Tile],
			bundleDMA, f.To.Channel, bundleDMA, f.From.Channel)
	}
	seen := make(map[[2]Coord]bool)
	for i := range w.p.FIFOs {
		f := &w.p.FIFOs[i]
		if f.Cascade && !seen[[2]Coord{f.Producer, f.Consumers[0]}] {
			seen[[2]Coord{f.Producer, f.Consumers[0]}] = true
			w.line(`"aie.cascade_flow"(%s, %s) : (index, index) -> ()`, w.tiles[f.Producer], w.tiles[f.Consumers[0]])
		}
	}
}

// genericDMAs writes the channels of every tile: a block that starts each, then the blocks of
// its descriptors.
func (w *printer) genericDMAs() {
	done := make(map[Coord]bool)
	for i := range w.p.DMAs {
		c := w.p.DMAs[i].Tile
		if done[c] || len(w.p.DMAs[i].Descriptors) == 0 {
			continue
		}
		done[c] = true
		op := "aie.mem"
		if c.Row <= w.p.Machine.Grid.MemRows {
			op = "aie.memtile_dma"
		}
		w.open(`%s = "%s"(%s) ({`, w.fresh(), op, w.tiles[c])
		first := true
		for j := range w.p.DMAs {
			d := &w.p.DMAs[j]
			if d.Tile != c || len(d.Descriptors) == 0 {
				continue
			}
			if !first {
				w.line("^start%d:", j)
			}
			first = false
			w.line(`"aie_terminator.dma_start"()[^bd%d_0, %s] {channel_dir = %d : i32, channel_index = %d : i32, repeat_count = %d : i32} : () -> ()`,
				j, w.startAfter(j), d.Dir, d.Channel, max(0, d.Passes-1))
			for n := range d.Descriptors {
				w.genericDescriptor(&d.Descriptors[n], j, n)
			}
		}
		w.line("^end:")
		w.line(`"aie_terminator.end"() : () -> ()`)
		w.close(`}) : (index) -> index`)
	}
}

// startAfter names the block that starts the next channel of the tile, or ends.
func (w *printer) startAfter(i int) string {
	for j := i + 1; j < len(w.p.DMAs); j++ {
		if w.p.DMAs[j].Tile == w.p.DMAs[i].Tile && len(w.p.DMAs[j].Descriptors) > 0 {
			return fmt.Sprintf("^start%d", j)
		}
	}
	return "^end"
}

func (w *printer) genericDescriptor(b *Descriptor, channel, i int) {
	w.line("^bd%d_%d:", channel, i)
	use := func(lock, action, value int) {
		if lock >= 0 {
			w.line(`"aie.use_lock"(%s) {action = %d : i32, value = %d : i32} : (index) -> ()`, w.lock(lock), action, value)
		}
	}
	action := acquireGreaterEqual
	if w.acquireAction() == "Acquire" {
		action = acquire
	}
	use(b.Acquire.Lock, action, b.Acquire.Value)
	var pairs []string
	for _, d := range b.Dims {
		pairs = append(pairs, fmt.Sprintf("%d, %d", d.Size, d.Stride))
	}
	order := "array<i64>"
	if len(pairs) > 0 {
		order = "array<i64: " + strings.Join(pairs, ", ") + ">"
	}
	buffer := &w.p.Buffers[b.Buffer]
	w.line(`"aie.dma_bd"(%%%s) {bd_id = %d : i32, dimensions = %s, len = %d : i32, offset = %d : i32} : (%s) -> ()`,
		w.bufferName(buffer), b.ID, order, b.Length, b.Offset, memref(buffer.Object))
	use(b.Release.Lock, release, b.Release.Value)
	if b.Next >= 0 {
		w.line(`"aie_terminator.next_bd"()[^bd%d_%d] : () -> ()`, channel, b.Next)
	} else {
		w.line(`"aie_terminator.end"() : () -> ()`)
	}
}
