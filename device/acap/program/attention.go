package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/workload"
)

// fused builds attention. Head h of a group owns cols/heads columns; in each of them
// stand one cascade or several above each other. Cascade q of the head holds one tile of
// queries; its cores, top to bottom, are its stages, each with a range of the keys. Queries
// and keys share a stream, the values have one; both go to all cascades of the head, and a
// core keeps the queries that are its own. Keys come in chunks of the head dimension. A mask follows
// every tile of keys on the same stream: the tiles of all cascades pass by, unless it
// is the same for all queries, and fill whole objects.
type fused struct {
	*builder
	a              *workload.Attention
	columns        int // of one head
	above          int // cascades of a column
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
	outerK, outerV [][]int
	out            [][]int // FIFOs that the last stage fills, by head and column
	outer          [][]int
}

func (b *builder) attention(a *workload.Attention) {
	g := &b.mapping
	f := &fused{builder: b, a: a, columns: g.Cols / g.Heads, above: g.Rows / g.Cascade, tiles: g.QueryTiles()}
	f.chunk, f.chunks = g.Chunks(a.D)
	f.maskEach, f.maskTiles = g.MaskObjects(a)
	f.slice = min(g.TK, a.DV)
	f.slices = up(a.DV, f.slice)
	f.blocks = up(a.Sq, f.tiles*g.Tile)
	f.steps = up(a.Sk, g.TK*g.Cascade)
	f.pieces = up(g.Tile, g.TK)
	f.padQ = f.blocks * f.tiles * f.pieces * g.TK
	f.padK = f.steps * g.TK * g.Cascade
	if g.Cascade > g.Rows || f.pieces*g.TK != g.Tile {
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

func (f *fused) place(h, q, k int) Coord {
	g := &f.mapping
	return f.coreAt(h*f.columns+q/f.above, q%f.above*g.Cascade+g.Cascade-1-k)
}

func (f *fused) args() {
	a := f.a
	dv := f.slices * f.slice
	f.p.Args = []Arg{
		{Name: "q", Shape: []int{a.Batch * a.Heads, f.padQ, a.D}, DType: a.DType},
		{Name: "k", Shape: []int{a.Batch * a.KVHeads, f.padK, a.D}, DType: a.DType},
		{Name: "v", Shape: []int{a.Batch * a.KVHeads, f.padK, dv}, DType: a.DType},
		{Name: "o", Shape: []int{a.Batch * a.Heads, f.padQ, dv}, DType: a.DType, Output: true},
	}
	if m := a.Mask; m != nil {
		f.p.Args = append(f.p.Args, Arg{Name: "mask", DType: m.DType,
			Shape: []int{m.Matrices(), m.Rows(f.padQ), f.padK}})
	}
}

func (f *fused) streams() {
	g, a := &f.mapping, f.a
	key := Object{[]int{g.TK, f.chunk}, a.DType}
	value := Object{[]int{g.TK, f.slice}, a.DType}
	result := Object{[]int{g.Tile, f.slice}, a.DType}
	mm, kk, _ := f.machine.Shape(a.DType)
	for h := range g.Heads {
		var keys, values, outerK, outerV []int
		for k := range g.Cascade {
			var to []Coord
			for q := range f.tiles {
				to = append(to, f.place(h, q, k))
			}
			o, i := f.inbound(fmt.Sprintf("qk%d_%d", h, k), to[0].Col, key, key,
				blocked(1, g.TK, f.chunk, mm, kk), g.Depth, to)
			keys, outerK = append(keys, i), append(outerK, o)
			o, i = f.inbound(fmt.Sprintf("v%d_%d", h, k), to[0].Col, value, value,
				blocked(1, g.TK, f.slice, kk, kk), g.Depth, to)
			values, outerV = append(values, i), append(outerV, o)
		}
		f.keys, f.outerK = append(f.keys, keys), append(f.outerK, outerK)
		f.values, f.outerV = append(f.values, values), append(f.outerV, outerV)
		var out, outer []int
		for column := range f.columns {
			var from []Coord
			for q := range f.above {
				from = append(from, f.place(h, column*f.above+q, g.Cascade-1))
			}
			i, o := f.outbound(fmt.Sprintf("o%d_%d", h, column), from[0].Col, result, nil, 1, from)
			out, outer = append(out, i...), append(outer, o...)
		}
		f.out, f.outer = append(f.out, out), append(f.outer, outer)
	}
}

// core writes the program of stage k of cascade q of head h.
func (f *fused) core(h, q, k int) Core {
	g, a := &f.mapping, f.a
	core := Core{Tile: f.place(h, q, k), Locals: []Object{
		{[]int{f.pieces * f.chunks, g.TK, f.chunk}, a.DType}, // queries
		{[]int{g.Tile, 2}, a.Acc},                            // greatest score and sum of every row
		{[]int{g.Tile, g.TK}, a.DType},                       // scores
	}}
	queries, scores := ObjectRef{FIFO: -1}, ObjectRef{FIFO: -1, Index: 2}
	// Weighted values: the last stage sums in the tile that leaves.
	sum := ObjectRef{FIFO: f.out[h][q]}
	if k < g.Cascade-1 {
		sum = ObjectRef{FIFO: -1, Index: len(core.Locals)}
		core.Locals = append(core.Locals, Object{[]int{g.Tile, f.slice}, a.DType})
	}
	state := []ObjectRef{sum, {FIFO: -1, Index: 1}}
	keys, values := f.keys[h][k], f.values[h][k]
	take := func(call ...Stmt) []Stmt {
		body := append([]Stmt{Acquire{FIFO: keys, N: 1}}, call...)
		return append(body, Release{FIFO: keys, N: 1})
	}
	body := pick("capture", keys, queries, f.pieces*f.chunks, q, f.tiles)
	if sum.FIFO >= 0 {
		body = append(body, Acquire{FIFO: sum.FIFO, Produce: true, N: 1})
	}
	body = append(body, Call{Kernel: "start", Args: state, Cycles: f.cycles(f.timing.Start)})
	part := f.cycles(f.timing.Step.Core) / (f.chunks + 1)
	var step []Stmt
	for i := range f.chunks {
		step = append(step, take(Call{Kernel: "score", Cycles: part, Piece: i,
			Args: []ObjectRef{queries, {FIFO: keys}, scores}})...)
	}
	attend := append([]ObjectRef{scores, {FIFO: values}}, state...)
	if a.Mask != nil {
		mask := ObjectRef{FIFO: -1, Index: len(core.Locals)}
		core.Locals = append(core.Locals, Object{[]int{a.Mask.Rows(g.Tile), g.TK}, a.Mask.DType})
		step = append(step, pick("mask", keys, mask, f.maskEach, q, f.maskTiles)...)
		attend = append(attend, mask)
	}
	step = append(step, Acquire{FIFO: values, N: 1},
		Call{Kernel: "attend", Cycles: f.cycles(f.timing.Step.Core) - f.chunks*part, Args: attend},
		Release{FIFO: values, N: 1})
	body = append(body, Loop{Count: f.steps, Body: step})
	body = append(body, f.merge(h, q, k, state)...)
	rounds := int(f.timing.Rounds)
	core.Body = []Stmt{Loop{Count: rounds, Body: body}}
	return core
}

// merge receives the state of the stage above, and passes it on or finishes.
func (f *fused) merge(h, q, k int, state []ObjectRef) []Stmt {
	g, a := &f.mapping, f.a
	partial := Object{[]int{g.Tile, f.slice + 2}, a.Acc}
	name := func(k int) string { return fmt.Sprintf("p%d_%d_%d", h, q, k) }
	beat := partial.Bytes() / max(1, f.machine.Compute.CascadeBytes.Int())
	var body []Stmt
	if k > 0 {
		above := f.named(name(k - 1))
		body = append(body, Acquire{FIFO: above, N: 1},
			Call{Kernel: "merge", Args: append([]ObjectRef{{FIFO: above}}, state...), Cycles: beat},
			Release{FIFO: above, N: 1})
	}
	if k < g.Cascade-1 {
		down := f.fifo(FIFO{Name: name(k), Producer: f.place(h, q, k), Depth: 1, Object: partial,
			Consumers: []Coord{f.place(h, q, k+1)}, Cascade: true})
		return append(body, Acquire{FIFO: down, Produce: true, N: 1},
			Call{Kernel: "pass", Args: append(append([]ObjectRef{}, state...),
				ObjectRef{FIFO: down}), Cycles: beat},
			Release{FIFO: down, Produce: true, N: 1})
	}
	return append(body, Call{Kernel: "finish", Args: state},
		Release{FIFO: f.out[h][q], Produce: true, N: 1})
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
	groups := up(a.Batch*a.Heads, g.Heads)
	for group := range groups {
		for block := range f.blocks {
			for slice := range f.slices {
				var results []int
				for h := range g.Heads {
					head := min(group*g.Heads+h, a.Batch*a.Heads-1)
					results = append(results, f.round(h, head, block, slice)...)
				}
				f.await(results)
				if f.err != nil {
					return
				}
			}
		}
	}
}

func (f *fused) round(h, head, block, slice int) []int {
	g, a := &f.mapping, f.a
	dv := f.slices * f.slice
	shared := head / a.Heads * a.KVHeads
	kv := shared + head%a.Heads/(max(1, a.Heads/a.KVHeads))
	row := head*f.padQ + block*f.tiles*g.Tile
	for k := range g.Cascade {
		first := kv*f.padK + k*f.steps*g.TK
		f.task(f.outerK[h][k], 0, row*a.D, f.chunked(f.tiles*f.pieces)...)
		f.sendKeys(f.outerK[h][k], head, block, kv, k)
		f.task(f.outerV[h][k], 2, first*dv+slice*f.slice, Dim{f.steps * g.TK, dv},
			Dim{f.slice, 1})
	}
	var results []int
	for column := range f.columns {
		at := (row+column*f.above*g.Tile)*dv + slice*f.slice
		results = append(results, f.task(f.outer[h][column], 3, at, Dim{f.above * g.Tile, dv}, Dim{f.slice, 1}))
	}
	return results
}

// sendKeys sends the keys of stage k, and the mask of every tile of them.
func (f *fused) sendKeys(fifo, head, block, kv, k int) {
	g, a := &f.mapping, f.a
	first := k * f.steps * g.TK
	if a.Mask == nil {
		f.task(fifo, 1, (kv*f.padK+first)*a.D, f.chunked(f.steps)...)
		return
	}
	rows, matrix := a.Mask.Rows(g.Tile), a.Mask.Matrix(head)*a.Mask.Rows(f.padQ)
	padding := (f.maskEach*f.chunk*a.DType.Size() - rows*a.Mask.DType.Size()) * g.TK
	for step := range f.steps {
		key := first + step*g.TK
		f.task(fifo, 1, (kv*f.padK+key)*a.D, f.chunked(1)...)
		for t := range f.maskTiles {
			row := matrix
			if a.Mask.Queries > 1 {
				row += (block*f.tiles + t) * g.Tile
			}
			f.task(fifo, 4, row*f.padK+key, Dim{rows, f.padK}, Dim{g.TK, 1})
			f.fill(fifo, padding)
		}
		if f.err != nil {
			return
		}
	}
}

// chunked reads tiles of TK rows, each chunk by chunk of the head dimension.
func (f *fused) chunked(tiles int) []Dim {
	rows, d := f.mapping.TK, f.a.D
	return []Dim{{tiles, rows * d}, {f.chunks, f.chunk}, {rows, d}, {f.chunk, 1}}
}
