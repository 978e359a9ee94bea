package winograd

import (
	"math"
	"slices"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// Words of the call block of the transformation of the sums.
const (
	outputFrom  = operands + iota // place 0 of the first tile
	outputTiles                   // rows of tiles, which lie below each other
	outputRows                    // of results, of each tile
	outputPorts                   // of the epilogue, where the first results are
)

// outputTile is a block of results: channels by pixels of a row. A vector holds the pixels of one channel.
type outputTile struct{ channels, pixels int }

// stripTiles is how many tiles have pixels side by side that are a vector.
func (u *units) stripTiles() int { return u.lanes / 2 }

// results returns the blocks of results that occur: whole ones, and those at the ends of channels and of rows.
func (u *units) results(c *kernel.Convolution) (list []outputTile) {
	ends := func(n int) []int {
		if n%u.lanes == 0 || n < u.lanes {
			return []int{min(n, u.lanes)}
		}
		return []int{u.lanes, n % u.lanes}
	}
	pixels := ends(c.Q)
	if u.reachesBack(c) {
		pixels = pixels[:1]
	}
	for _, channels := range ends(c.K) {
		for _, pixels := range pixels {
			list = append(list, outputTile{channels, pixels})
		}
	}
	return list
}

// reachesBack reports whether the last strip of a row is as wide as other strips, and computes pixels of the strip
// before it again. The epilogue must not read what it may have written: nothing that it reads differs between pixels.
func (u *units) reachesBack(c *kernel.Convolution) bool {
	for _, i := range c.Epilogue.Body {
		if i.Op == kernel.Load && c.Epilogue.Access[i.Port-2].Outer[3] != 0 {
			return false
		}
	}
	return c.Q > u.lanes && c.Q%2 == 0
}

// outputs is the transformation Aᵀ·m·A of the sums, whose lanes are channels, and the epilogue.
type outputs struct {
	*units
	*kernel.Convolution
	tile outputTile
	b    *vector.Builder
}

// write writes the transformation of rows of tiles. A tile has two rows of results: rows 1 and 2 of its sums are added,
// and row 0, or they are subtracted, and row 3. A factor of 1 or -1 says which.
func (o *outputs) write() {
	b, access := o.b, o.Epilogue.Access
	epilogue := nest.NewEpilogue(&o.Epilogue, 2, 3, false).In(b)
	factors := b.Table([]uint64{uint64(math.Float32bits(1)) | uint64(math.Float32bits(-1))<<32})
	at := []vector.Val{b.Arg(outputFrom)}
	for i := range access {
		at = append(at, b.Arg(outputPorts+i))
	}
	b.Loop(b.Arg(outputTiles), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
		state := append([]vector.Val{at[0], factors}, at[1:]...)
		state = b.Loop(b.Arg(outputRows), 1, state, func(_ vector.Val, state []vector.Val) []vector.Val {
			channels := transpose.Square(b, o.row(at[0], state[0], b.Splat(vector.F32, state[1], vector.Access{})))
			for i, v := range channels[:o.tile.channels] {
				epilogue.Write(v, state[2:], 1, i, o.tile.pixels%o.lanes)
			}
			next := []vector.Val{b.Offset(state[0], 3*4*o.sumPlace()*f32), b.Offset(state[1], f32)}
			for i, a := range access {
				next = append(next, b.Offset(state[2+i], a.Outer[2]*a.DType.Size()))
			}
			return next
		})
		return append([]vector.Val{b.Offset(at[0], o.tileCols*o.sumRow()*f32)}, state[2:]...)
	})
}

// row writes the pixels of a row of results, whose lanes are channels.
func (o *outputs) row(from, other, factor vector.Val) []vector.Val {
	b := o.b
	var pixels []vector.Val
	for i := range (o.tile.pixels + 1) / 2 {
		load := func(at vector.Val, row, column int) vector.Val {
			return b.Load(vector.F32, at, vector.Access{Offset: (i*o.sumRow() + (4*row+column)*o.sumPlace()) * f32})
		}
		var s [4]vector.Val
		for j := range s {
			s[j] = load(from, 1, j)
			s[j] = b.Op(vector.MulAdd, factor, load(from, 2, j), s[j])
			s[j] = b.Op(vector.MulAdd, factor, load(other, 0, j), s[j])
		}
		left := b.Op(vector.Add, b.Op(vector.Add, s[0], s[1]), s[2])
		right := b.Op(vector.Sub, b.Op(vector.Sub, s[1], s[2]), s[3])
		pixels = append(pixels, left, right)
	}
	return pixels[:o.tile.pixels]
}

// transformSums computes the results of a vector of channels, from k on, in those rows of a block that no block before
// it has.
func (g *code) transformSums(args *kernel.Args, sums uintptr, block, k int) {
	n, block := block/g.blocks, block%g.blocks
	start, row := g.firstRow(block), block*g.blockRows
	end := start + g.blockRows
	sums += uintptr((row - start) * g.tileCols * g.sumRow() * f32)
	for strip := 0; strip < g.tileCols; strip += g.stripTiles() {
		tile := strip
		if g.reachesBack(g.Convolution) {
			tile = min(tile, g.tileCols-g.stripTiles())
		}
		words := g.words(args, output+part(slices.Index(g.outputs, outputTile{min(g.lanes, g.K-k), min(g.lanes, g.Q-2*tile)})))
		for r := row; r < end; {
			count := max(1, min(end, g.P/2)-r)
			words[outputFrom] = sums + uintptr(((r-row)*g.tileCols+tile)*g.sumRow()*f32)
			words[outputTiles], words[outputRows] = uintptr(count), uintptr(min(2, g.P-2*r))
			for i := range g.Epilogue.Access {
				a := &g.Epilogue.Access[i]
				at := a.Offset + n*a.Outer[0] + k*a.Outer[1] + 2*r*a.Outer[2] + 2*tile*a.Outer[3]
				words[outputPorts+i] = uintptr(args.Ptr[2+i]) + uintptr(at*a.DType.Size())
			}
			g.machine.Call(args.Scratch)
			r += count
		}
	}
}
