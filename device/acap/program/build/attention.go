package build

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// fused builds attention. Every head of a group owns as many cascades as it has tiles of queries. The cascades of the
// first head come first, and cascades fill the columns one above the other. The cores of a cascade, top to bottom, are
// its stages, each with a range of the keys. Queries and keys share a stream, the values have one; both go to all
// cascades of the head, and a core keeps the queries that are its own. The streams of several heads can come as one
// stream, which a mem tile parts. Keys come in chunks of the head dimension. A mask follows every tile of keys on the
// same stream: the tiles of all cascades pass by, unless it is the same for all queries, and fill whole objects.
type fused struct {
	*builder
	a              *workload.Attention
	tiles          int // of queries of one head: its cascades
	slices         int // of the value dimension
	slice          int
	blocks         int // of queries
	steps          int // key tiles of a stage
	chunk, chunks  int // of the head dimension
	pieces         int // key tiles as long as a query tile
	padQ, padK     int
	maskEach       int     // objects of a tile of the mask, 0 for none
	maskTiles      int     // that pass by
	keys, values   [][]int // FIFOs that cores read, by head and stage
	outerK, outerV [][]int // those that the host fills, by heads that share a stream and stage
	out            []int   // FIFOs that last stages fill, by cascade
	outer          []int   // those that the host empties, by column
}

func (b *builder) attention(a *workload.Attention) {
	g := &b.mapping
	f := &fused{builder: b, a: a, tiles: g.QueryTiles()}
	f.chunk, f.chunks = g.Chunks(a.D)
	f.maskEach, f.maskTiles = g.MaskObjects(a)
	f.slice = min(g.TN, a.DV)
	f.slices = up(a.DV, f.slice)
	f.blocks = up(a.Sq, f.tiles*g.Tile)
	f.steps = up(a.Sk, g.TK*g.Cascade)
	f.pieces = up(g.Tile, g.TK)
	f.padQ = f.blocks * f.tiles * f.pieces * g.TK
	f.padK = f.steps * g.TK * g.Cascade
	style := b.machine.Compute.Styles[g.Style]
	read := b.machine.Compute.KeysShare(&style, a.DType)
	b.shares = []float64{read, read, read, 1, read} // queries and masks come by the channel of the keys; results are written
	if f.pieces*g.TK != g.Tile {
		b.fail("tiles of %d queries are no multiple of %d keys", g.Tile, g.TK)
		return
	}
	f.args()
	f.streams()
	for h := range g.Heads {
		for q := range f.tiles {
			for k := range g.Cascade {
				b.p.Cores = append(b.p.Cores, f.core(h, q, k))
			}
		}
	}
	if b.err == nil {
		f.host()
	}
}

func (f *fused) place(h, q, k int) program.Coord {
	col, row := f.mapping.CascadeAt(h*f.tiles + q)
	return f.coreAt(col, row+f.mapping.Cascade-1-k)
}

func (f *fused) args() {
	a := f.a
	dv := f.slices * f.slice
	f.p.Args = []program.Arg{
		{Name: "q", Shape: []int{a.Batch * a.Heads, f.padQ, a.D}, DType: a.DType},
		{Name: "k", Shape: []int{a.Batch * a.KVHeads, f.padK, a.D}, DType: a.DType},
		{Name: "v", Shape: []int{a.Batch * a.KVHeads, f.padK, dv}, DType: a.DType},
		{Name: "o", Shape: []int{a.Batch * a.Heads, f.padQ, dv}, DType: a.DType, Output: true},
	}
	if m := a.Mask; m != nil {
		f.p.Args = append(f.p.Args, program.Arg{Name: "mask", DType: m.DType,
			Shape: []int{m.Matrices(), m.Rows(f.padQ), f.padK}})
	}
}

func (f *fused) streams() {
	g, a := &f.mapping, f.a
	key := array([]int{g.TK, f.chunk}, a.DType)
	value := array([]int{g.TK, f.slice}, a.DType)
	result := array([]int{g.Tile, f.slice}, a.DType)
	mm, kk, _ := f.machine.Shape(a.DType)
	// The streams with the queries come first: they carry most, so that each has an interface tile to itself.
	f.outerK, f.keys = f.inward("qk", key, blocked(1, g.TK, f.chunk, mm, kk))
	f.outerV, f.values = f.inward("v", value, blocked(1, g.TK, f.slice, kk, kk))
	cascades, above := g.Heads*f.tiles, g.Rows/g.Cascade
	for i := 0; i < cascades; i += above {
		var from []program.Coord
		for n := i; n < min(i+above, cascades); n++ {
			from = append(from, f.place(n/f.tiles, n%f.tiles, g.Cascade-1))
		}
		inner, outer := f.outbound(fmt.Sprintf("o%d", i/above), result, nil, 1, from)
		f.out, f.outer = append(f.out, inner...), append(f.outer, outer...)
	}
}

// inward makes a stream of objects to the cores of every stage of heads that share a stream. It returns the FIFOs that
// the host fills, by heads that share a stream and stage, and those that cores read, by head and stage.
func (f *fused) inward(name string, object program.Object, order []program.Dim) (outer, inner [][]int) {
	g := &f.mapping
	outer, inner = make([][]int, g.Heads/g.FanOut), make([][]int, g.Heads)
	for fanOut := range outer {
		first := fanOut * g.FanOut
		for k := range g.Cascade {
			to := make([][]program.Coord, g.FanOut)
			for h := range to {
				for q := range f.tiles {
					to[h] = append(to[h], f.place(first+h, q, k))
				}
			}
			o, parts := f.inbound(inflow{fmt.Sprintf("%s%d_%d", name, first, k), 2, object, object, order, g.Depth}, to...)
			outer[fanOut] = append(outer[fanOut], o)
			for h, i := range parts {
				inner[first+h] = append(inner[first+h], i)
			}
		}
	}
	return outer, inner
}

// core writes the program of stage k of cascade q of head h.
func (f *fused) core(h, q, k int) program.Core {
	g, a := &f.mapping, f.a
	core := program.Core{Tile: f.place(h, q, k), Locals: []program.Object{
		array([]int{f.pieces * f.chunks, g.TK, f.chunk}, a.DType), // queries
		array([]int{g.Tile, 2}, a.Acc),                            // greatest score and sum of every row
		array([]int{g.Tile, g.TK}, a.DType),                       // scores
	}}
	queries, scores := program.ObjectRef{FIFO: -1}, program.ObjectRef{FIFO: -1, Index: 2}
	// Weighted values: the last stage sums in the tile that leaves.
	sum := program.ObjectRef{FIFO: f.out[h*f.tiles+q]}
	if k < g.Cascade-1 {
		sum = program.ObjectRef{FIFO: -1, Index: len(core.Locals)}
		core.Locals = append(core.Locals, array([]int{g.Tile, f.slice}, a.DType))
	}
	state := []program.ObjectRef{sum, {FIFO: -1, Index: 1}}
	keys, values := f.keys[h][k], f.values[h][k]
	take := func(call ...program.Stmt) []program.Stmt {
		body := append([]program.Stmt{program.Acquire{FIFO: keys, N: 1}}, call...)
		return append(body, program.Release{FIFO: keys, N: 1})
	}
	body := pick("capture", keys, queries, f.pieces*f.chunks, q, f.tiles)
	if sum.FIFO >= 0 {
		body = append(body, program.Acquire{FIFO: sum.FIFO, Produce: true, N: 1})
	}
	body = append(body, program.Call{Kernel: "start", Args: state, Cycles: f.cycles(f.timing.Start)})
	part := f.cycles(f.timing.Step.Core) / (f.chunks + 1)
	var step []program.Stmt
	for i := range f.chunks {
		step = append(step, take(program.Call{Kernel: "score", Cycles: part, Piece: i,
			Args: []program.ObjectRef{queries, {FIFO: keys}, scores}})...)
	}
	attend := append([]program.ObjectRef{scores, {FIFO: values}}, state...)
	if a.Mask != nil {
		mask := program.ObjectRef{FIFO: -1, Index: len(core.Locals)}
		core.Locals = append(core.Locals, array([]int{a.Mask.Rows(g.Tile), g.TK}, a.Mask.DType))
		step = append(step, pick("mask", keys, mask, f.maskEach, q, f.maskTiles)...)
		attend = append(attend, mask)
	}
	step = append(step, program.Acquire{FIFO: values, N: 1},
		program.Call{Kernel: "attend", Cycles: f.cycles(f.timing.Step.Core) - f.chunks*part, Args: attend},
		program.Release{FIFO: values, N: 1})
	body = append(body, program.Loop{Count: f.steps, Body: step})
	body = append(body, f.merge(h, q, k, state)...)
	rounds := int(f.timing.Rounds)
	core.Body = []program.Stmt{program.Loop{Count: rounds, Body: body}}
	return core
}

// merge receives the state of the stage above, and passes it on or finishes.
func (f *fused) merge(h, q, k int, state []program.ObjectRef) []program.Stmt {
	g, a := &f.mapping, f.a
	partial := array([]int{g.Tile, f.slice + 2}, a.Acc)
	name := func(k int) string { return fmt.Sprintf("p%d_%d_%d", h, q, k) }
	beat := partial.Bytes() / max(1, f.machine.Compute.CascadeBytes.Int())
	var body []program.Stmt
	if k > 0 {
		above := f.named(name(k - 1))
		body = append(body, program.Acquire{FIFO: above, N: 1},
			program.Call{Kernel: "merge", Args: append([]program.ObjectRef{{FIFO: above}}, state...), Cycles: beat},
			program.Release{FIFO: above, N: 1})
	}
	if k < g.Cascade-1 {
		down := f.fifo(program.FIFO{Name: name(k), Producer: f.place(h, q, k), Depth: 1, Object: partial,
			Consumers: []program.Coord{f.place(h, q, k+1)}, Cascade: true})
		return append(body, program.Acquire{FIFO: down, Produce: true, N: 1},
			program.Call{Kernel: "pass", Args: append(append([]program.ObjectRef{}, state...),
				program.ObjectRef{FIFO: down}), Cycles: beat},
			program.Release{FIFO: down, Produce: true, N: 1})
	}
	return append(body, program.Call{Kernel: "finish", Args: state},
		program.Release{FIFO: f.out[h*f.tiles+q], Produce: true, N: 1})
}

// named finds a FIFO; the stage above made it just before.
func (f *fused) named(name string) int {
	for i := len(f.p.FIFOs) - 1; i >= 0; i-- {
		if f.p.FIFOs[i].Name == name {
			return i
		}
	}
	panic("BUG: program: no FIFO " + name)
}

// host issues, for every group of heads, block of queries and slice of values,
// the queries, keys and values of each stage.
func (f *fused) host() {
	g, a := &f.mapping, f.a
	all := a.Batch * a.Heads
	heads := make([]int, g.Heads)
	for group := range up(all, g.Heads) {
		for h := range heads {
			heads[h] = min(group*g.Heads+h, all-1)
		}
		for block := range f.blocks {
			for slice := range f.slices {
				for first := 0; first < g.Heads; first += g.FanOut {
					f.send(first/g.FanOut, heads[first:first+g.FanOut], block, slice)
				}
				f.await(f.receive(heads, block, slice))
				if f.err != nil {
					return
				}
			}
		}
	}
}

// send brings queries, keys and values of heads that share a stream.
func (f *fused) send(fanOut int, heads []int, block, slice int) {
	g, a := &f.mapping, f.a
	dv := f.slices * f.slice
	var queries, keys, values []int // where the operands of each head begin
	for _, head := range heads {
		kv := (head/a.Heads*a.KVHeads + head%a.Heads/max(1, a.Heads/a.KVHeads)) * f.padK
		queries = append(queries, f.row(head, block)*a.D)
		keys, values = append(keys, kv*a.D), append(values, kv*dv+slice*f.slice)
	}
	for k := range g.Cascade {
		first := k * f.steps * g.TK
		f.tasks(f.outerK[fanOut][k], queries, pieced{0, f.tiles * f.pieces, f.chunks, f.chunk, a.D})
		if a.Mask == nil {
			f.tasks(f.outerK[fanOut][k], plus(keys, first*a.D), pieced{1, f.steps, f.chunks, f.chunk, a.D})
		} else {
			f.sendMasked(f.outerK[fanOut][k], heads, block, keys, first)
		}
		f.tasks(f.outerV[fanOut][k], plus(values, first*dv), pieced{2, f.steps, 1, f.slice, dv})
	}
}

// row is the first query of a block of a head.
func (f *fused) row(head, block int) int { return head*f.padQ + block*f.tiles*f.mapping.Tile }

// plus returns the sums of numbers with n.
func plus(numbers []int, n int) []int {
	out := slices.Clone(numbers)
	for i := range out {
		out[i] += n
	}
	return out
}

// pieced are tiles of TK rows of an argument that has so many columns, each in pieces of width columns.
type pieced struct{ arg, tiles, pieces, width, columns int }

// tasks sends tiles of several heads. heads has the element at which each head begins; the pieces of all heads are side
// by side.
func (f *fused) tasks(fifo int, heads []int, s pieced) {
	rows := f.mapping.TK
	if apart, even := spaced(heads); even {
		f.task(fifo, s.arg, heads[0], dim(s.tiles, rows*s.columns), dim(s.pieces, s.width), dim(len(heads), apart),
			dim(rows, s.columns), dim(s.width, 1))
		return
	}
	for tile := range s.tiles {
		for piece := range s.pieces {
			for _, head := range heads {
				f.task(fifo, s.arg, head+tile*rows*s.columns+piece*s.width, dim(rows, s.columns), dim(s.width, 1))
			}
		}
	}
}

// sendMasked sends the keys of a stage of heads that share a stream, and the masks of every tile of them: of one head a
// tile at once, of several as many rows of each as an object has space for.
func (f *fused) sendMasked(fifo int, heads []int, block int, keys []int, first int) {
	g, a := &f.mapping, f.a
	rows, line := a.Mask.Rows(g.Tile), g.TK*a.Mask.DType.Size()
	padding := f.maskEach*g.TK*f.chunk*a.DType.Size() - rows*line
	pieces := 1
	if len(heads) > 1 {
		pieces = f.maskEach
	}
	each := rows / pieces
	for step := range f.steps {
		key := first + step*g.TK
		f.tasks(fifo, plus(keys, key*a.D), pieced{1, 1, f.chunks, f.chunk, a.D})
		for t := range f.maskTiles {
			var masks []int // where the mask of each head begins
			for _, head := range heads {
				row := a.Mask.Matrix(head) * a.Mask.Rows(f.padQ)
				if a.Mask.Queries > 1 {
					row += (block*f.tiles + t) * g.Tile
				}
				masks = append(masks, row*f.padK+key)
			}
			if apart, even := spaced(masks); even && padding == 0 {
				f.task(fifo, 4, masks[0], dim(pieces, each*f.padK), dim(len(masks), apart), dim(each, f.padK), dim(g.TK, 1))
				continue
			}
			for from := 0; from < rows; from += each {
				for _, mask := range masks {
					f.task(fifo, 4, mask+from*f.padK, dim(each, f.padK), dim(g.TK, 1))
					f.fill(fifo, padding)
				}
			}
		}
		if f.err != nil {
			return
		}
	}
}

// spaced returns how far numbers are apart, if they are so evenly.
func spaced(numbers []int) (apart int, even bool) {
	if len(numbers) > 1 {
		apart = numbers[1] - numbers[0]
	}
	for i := 1; i < len(numbers); i++ {
		if apart < 0 || numbers[i]-numbers[i-1] != apart {
			return 0, false
		}
	}
	return apart, true
}

// receive takes the results of all cascades, column by column, and returns the last transfer of each.
func (f *fused) receive(heads []int, block, slice int) (last []int) {
	g, dv := &f.mapping, f.slices*f.slice
	above, cascades := g.Rows/g.Cascade, g.Heads*f.tiles
	for column, outer := range f.outer {
		task := 0
		end := min((column+1)*above, cascades)
		for i := column * above; i < end; {
			h, q := i/f.tiles, i%f.tiles
			n := min(f.tiles-q, end-i) // of one head
			task = f.task(outer, 3, (f.row(heads[h], block)+q*g.Tile)*dv+slice*f.slice, dim(n*g.Tile, dv), dim(f.slice, 1))
			i += n
		}
		last = append(last, task)
	}
	return last
}
