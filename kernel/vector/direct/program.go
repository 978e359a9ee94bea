package direct

import (
	"math"
	"slices"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// Words of the call block.
const (
	wordFault  = iota
	wordImage  // the input at the first tile's first pixel and filter row; it may lie outside the image
	wordFilter // packed filters, from the first filter row inside the image on
	wordRows   // filter rows inside the image
	wordSkip   // bytes of packed filters from one channel's last row to the next's first
	wordCount  // of tiles side by side
	wordSums   // memory for sums that are transposed
	wordAhead  // packed filters that are fetched
	wordPorts  // of the epilogue, at the first tile
)

// shapeWord is the word that is 1 for tiles of a shape to run, else 0.
func (p *plan) shapeWord(n int) int { return wordPorts + len(p.Epilogue.Access) + n }

// borderWord is the word that is 1 if the image has the columns of a border of the shape that runs, else 0.
func (p *plan) borderWord(n int) int { return p.shapeWord(len(p.shapes) + n) }

// words is the number of words.
func (p *plan) words() int {
	n := 0
	for _, t := range p.shapes {
		n = max(n, len(t.borders))
	}
	return p.borderWord(n)
}

// writer writes the code of tiles of a shape.
type writer struct {
	*plan
	*vector.Builder
	*tiles
	epilogue *nest.Epilogue
	kind     vector.Kind // of the sums
	vecs     int         // of the panel, with channels
	byLane   bool        // products are by a lane of a vector, which needs no broadcast
}

const (
	unrolledColumns  = 16 // filter columns in a turn of a loop, at most
	unrolledChannels = 4  // of a 1×1 filter in a turn, at most
	manyProducts     = 48 // in a turn for its own instructions to be few beside them
	quarter          = 4  // lanes of the 16 bytes in which an operation multiplies by a lane
)

// laneLoop is the loop of the kernel along which the vectors of the epilogue lie: columns or channels.
func (p *plan) laneLoop() int {
	if p.transposed {
		return 3
	}
	return 1
}

// rowLoop is the loop along which vectors of the epilogue that have an address in common differ.
func (p *plan) rowLoop() int { return 4 - p.laneLoop() }

// program writes the tiles of all shapes.
func (p *plan) program(to vector.Backend) *vector.Program {
	b := vector.NewBuilder("convolution", p.lanes).For(to)
	epilogue := nest.NewEpilogue(&p.Epilogue, 2, p.laneLoop(), p.features.FlushesBF16()).In(b)
	for n, t := range p.shapes {
		w := &writer{plan: p, Builder: b, tiles: t, epilogue: epilogue, kind: vector.F32, vecs: kernel.Pieces(t.channels, p.lanes)}
		if p.cells != nil {
			w.kind = vector.I32
		}
		w.byLane = p.lanes == quarter && to.Has(vector.LaneMul, w.kind, vector.None)
		b.When(b.Arg(p.shapeWord(n)), w.write)
	}
	return b.Optimised()
}

// write writes the loop over tiles side by side.
func (w *writer) write() {
	from := []vector.Val{w.Arg(wordImage), w.Arg(wordAhead)}
	for i := range w.Epilogue.Access {
		from = append(from, w.Arg(wordPorts+i))
	}
	w.Loop(w.Arg(wordCount), 1, from, func(_ vector.Val, at []vector.Val) []vector.Val {
		sums := w.Zeros(w.kind, w.rows*w.cols*w.vecs)
		next := []vector.Val{w.Offset(at[0], w.cols*w.Stride[1]*w.X.Strides[3]*w.elem), at[1]}
		if w.R == 1 && w.taps == 1 {
			w.pointwise(at[0], sums)
		} else {
			next[1] = w.window(at[0], at[1], sums)
		}
		if w.transposed {
			w.finishPixels(sums, at[2:])
		} else {
			w.finishChannels(sums, at[2:])
		}
		return append(next, w.moved(at[2:], 0, 0, w.cols)...)
	})
}

// moved returns the addresses of the epilogue's operands some channels, rows and columns further on.
func (w *writer) moved(ports []vector.Val, channels, rows, cols int) []vector.Val {
	next := w.Vals(len(ports))
	for i, a := range w.Epilogue.Access {
		next[i] = w.Offset(ports[i], (channels*a.Outer[1]+rows*a.Outer[2]+cols*a.Outer[3])*a.DType.Size())
	}
	return next
}

// offset returns the bytes from the tile's origin to what pixel i reads at filter column s.
func (w *writer) offset(i, s int) int {
	row, col := i/w.cols, i%w.cols
	return (row*w.Stride[0]*w.X.Strides[2]+col*w.Stride[1]*w.X.Strides[3])*w.elem + w.tapOffset(s)
}

// window adds the products of all channels and filter rows to the sums. It returns what is fetched next.
func (w *writer) window(image, ahead vector.Val, sums []vector.Val) vector.Val {
	lines, skip := w.linesAhead(), w.Arg(wordSkip)
	from := []vector.Val{image, w.Arg(wordFilter), ahead}
	end := w.Loop(w.Word(w.depth), 1, from, func(_ vector.Val, state []vector.Val) []vector.Val {
		for n := range lines {
			w.Prefetch(state[2], n*64)
		}
		rows := w.Loop(w.Arg(wordRows), 1, state[:2], func(_ vector.Val, state []vector.Val) []vector.Val {
			w.fetchImage(state[0])
			return w.filterRow(state, sums)
		})
		return []vector.Val{w.Offset(state[0], w.channel*w.elem), w.Op(vector.WordAdd, rows[1], skip), w.Offset(state[2], lines*64)}
	})
	return end[2]
}

// fetchImage fetches the first and the last pixel that the tile reads from a filter row some channels later.
func (w *writer) fetchImage(at vector.Val) {
	if channels := w.channelsAhead(); channels > 0 {
		ahead := channels * w.channel * w.elem
		w.Prefetch(at, ahead)
		w.Prefetch(at, ahead+w.span()-w.elem)
	}
}

// filterRow adds the products of one filter row to the sums, given the addresses of the image and of the filters, and
// returns the addresses of the next row. A row that is too long to unroll is a loop; its image has a border, so no
// column lies outside.
func (w *writer) filterRow(from, sums []vector.Val) []vector.Val {
	columns := func(state []vector.Val, n int) []vector.Val {
		held := w.heldColumns(w.rows*w.cols, w.vecs)
		for s := 0; s < n; s += held {
			w.columns(s, min(held, n-s), state[0], state[1], sums)
		}
		return []vector.Val{w.Offset(state[0], n*w.tap*w.elem), w.Offset(state[1], n*w.width()*f32)}
	}
	state, rest := from, w.taps
	if w.taps > unrolledColumns {
		state = w.Loop(w.Word(w.taps/unrolledColumns), 1, state, func(_ vector.Val, state []vector.Val) []vector.Val {
			return columns(state, unrolledColumns)
		})
		rest = w.taps % unrolledColumns
	}
	if rest > 0 {
		state = columns(state, rest)
	}
	return []vector.Val{w.Offset(from[0], w.Dilation[0]*w.X.Strides[2]*w.elem), state[1]}
}

// product multiplies an element of the image by the filters of a tap, for the sums of a pixel.
type product struct {
	offset  int // of the element
	border  int // the number of the border that the element is in, -1 if the image always has the element
	pixel   int
	filters []vector.Val
}

// columns adds the products of count filter columns, whose filters are held in registers: what one pixel of the result
// reads at a column its neighbour reads at another, so each element of the image is loaded once. Every sum adds its
// products in the order of the columns.
func (w *writer) columns(first, count int, image, filters vector.Val, sums []vector.Val) {
	list := make([]product, 0, count*w.rows*w.cols)
	for s := first; s < first+count; s++ {
		list = w.tapProducts(list, s, filters)
	}
	slices.SortStableFunc(list, func(a, b product) int { return a.offset - b.offset })
	w.add(list, image, sums)
}

// tapProducts appends the products of a tap.
func (w *writer) tapProducts(list []product, tap int, filters vector.Val) []product {
	held := w.filters(filters, tap)
	for i := range w.rows * w.cols {
		if border, ok := w.inside(i%w.cols, tap); ok {
			list = append(list, product{w.offset(i, tap), border, i, held})
		}
	}
	return list
}

// add adds products to the sums: products of a border only if the image has it.
func (w *writer) add(list []product, image vector.Val, sums []vector.Val) {
	for len(list) > 0 {
		n := 1
		for ; n < len(list) && list[n].border == list[0].border; n++ {
		}
		if list[0].border < 0 {
			w.products(list[:n], image, sums)
		} else {
			w.When(w.Arg(w.borderWord(list[0].border)), func() { w.products(list[:n], image, sums) })
		}
		list = list[n:]
	}
}

// products adds products to the sums. Elements are read one by one, or those that lie in one vector together if products
// are by lanes.
func (w *writer) products(list []product, image vector.Val, sums []vector.Val) {
	for len(list) > 0 {
		n, count := w.together(list)
		first := list[0].offset
		x := w.elements(image, first, count)
		for _, p := range list[:n] {
			w.multiply(p.pixel, x, (p.offset-first)/f32, p.filters, sums)
		}
		list = list[n:]
	}
}

// together returns how many of the next products have elements that are read together, in how many lanes: a vector of
// 16 or 8 bytes, which ends no later than the last product's element.
func (w *writer) together(list []product) (n, count int) {
	first, last := list[0].offset, list[len(list)-1].offset
	for count = w.lanes; w.byLane && count > 1; count /= 2 {
		if first+(count-1)*f32 > last {
			continue
		}
		for n = 1; n < len(list) && list[n].offset < first+count*f32 && (list[n].offset-first)%f32 == 0; n++ {
		}
		if list[n-1].offset > first {
			return n, count
		}
	}
	for n = 1; n < len(list) && list[n].offset == first; n++ {
	}
	return n, 1
}

// filters loads the filters of a tap.
func (w *writer) filters(at vector.Val, tap int) []vector.Val {
	list := w.Vals(w.vecs)
	for j := range list {
		list[j] = w.Load(w.kind, at, vector.Access{Offset: (tap*w.width() + j*w.lanes) * f32})
	}
	return list
}

// elements reads some elements of the image side by side, or has one in all lanes if products are not by lanes.
func (w *writer) elements(image vector.Val, offset, count int) vector.Val {
	if w.byLane {
		return w.Load(w.kind, image, vector.Access{Offset: offset, Count: count % w.lanes})
	}
	return w.Splat(w.kind, image, vector.Access{Offset: offset})
}

// multiply adds the products of an element of the image, in a lane or in all, with filters to the sums of a pixel.
func (w *writer) multiply(pixel int, x vector.Val, lane int, filters, sums []vector.Val) {
	for j, f := range filters {
		sum := sums[pixel*w.vecs+j]
		switch {
		case w.cells != nil:
			w.Set(sum, vector.DotMixed, 0, x, f, sum)
		case w.byLane:
			w.Set(sum, vector.LaneMul, lane, f, x, sum)
		default:
			w.Set(sum, vector.MulAdd, 0, f, x, sum)
		}
	}
}

// pointwise adds the products of a 1×1 filter to the sums, if it is inside the image.
func (w *writer) pointwise(image vector.Val, sums []vector.Val) {
	channel := func(state []vector.Val) []vector.Val {
		w.add(w.tapProducts(nil, 0, state[1]), state[0], sums)
		return []vector.Val{w.Offset(state[0], w.channel*w.elem), w.Offset(state[1], w.width()*f32)}
	}
	var channels vector.Repeated
	w.When(w.Arg(wordRows), func() {
		state := []vector.Val{image, w.Arg(wordFilter)}
		unrolled := min(kernel.Pieces(manyProducts, len(sums)), unrolledChannels)
		if rounds := w.depth / unrolled; rounds > 0 {
			state = w.Loop(w.Word(rounds), 1, state, func(_ vector.Val, state []vector.Val) []vector.Val {
				return w.Copies(&channels, unrolled, state, channel)
			})
		}
		if rest := w.depth % unrolled; rest > 0 {
			w.Copies(&channels, rest, state, channel)
		}
	})
}

// finishChannels writes the epilogue with channels in the lanes.
func (w *writer) finishChannels(sums, ports []vector.Val) {
	for i := range w.rows * w.cols {
		for j := range w.vecs {
			at := w.moved(ports, j*w.lanes, i/w.cols, 0)
			w.epilogue.Write(sums[i*w.vecs+j], at, 3, i%w.cols, min(w.lanes, w.channels-j*w.lanes)%w.lanes)
		}
	}
}

// finishPixels writes the epilogue with pixels in the lanes: sums that are not one square go to memory, and come back as
// squares of pixels by channels that are transposed.
func (w *writer) finishPixels(sums, ports []vector.Val) {
	if w.rows*w.vecs == 1 && w.cols <= w.lanes {
		w.square(sums, ports, w.channels)
		return
	}
	memory, pixels := w.Arg(wordSums), w.rows*w.cols
	for i := range pixels {
		for j := range w.vecs {
			w.Store(sums[i*w.vecs+j], memory, vector.Access{Offset: (j*pixels + i) * w.lanes * f32})
		}
	}
	whole, tail := w.channels/w.lanes, w.channels%w.lanes
	rows := append([]vector.Val{memory}, ports...)
	w.Loop(w.Word(w.rows), 1, rows, func(_ vector.Val, at []vector.Val) []vector.Val {
		rest := at
		if whole > 0 {
			rest = w.Loop(w.Word(whole), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
				w.squares(at[0], at[1:], w.lanes)
				return append([]vector.Val{w.Offset(at[0], pixels*w.lanes*f32)}, w.moved(at[1:], w.lanes, 0, 0)...)
			})
		}
		if tail > 0 {
			w.squares(rest[0], rest[1:], tail)
		}
		return append([]vector.Val{w.Offset(at[0], w.cols*w.lanes*f32)}, w.moved(at[1:], 0, 1, 0)...)
	})
}

// squares writes the epilogue of a row of pixels by some channels, with a vector of channels for each pixel.
func (w *writer) squares(memory vector.Val, ports []vector.Val, channels int) {
	for first := 0; first < w.cols; first += w.lanes {
		pixels := w.Vals(min(w.lanes, w.cols-first))
		for i := range pixels {
			pixels[i] = w.Load(w.kind, memory, vector.Access{Offset: (first + i) * w.lanes * f32})
		}
		w.square(pixels, w.moved(ports, 0, 0, first), channels)
	}
}

// square is [writer.squares] of at most as many pixels as a vector has lanes.
func (w *writer) square(pixels, ports []vector.Val, channels int) {
	for i, v := range transpose.Square(w.Builder, pixels)[:channels] {
		w.epilogue.Write(v, ports, 1, i, len(pixels)%w.lanes)
	}
}

// mostAhead bounds the prefetches in a round over one channel.
const mostAhead = 12

// linesAhead returns how many lines of the next panel each round over a channel fetches into the second-level cache: the
// filters of late layers come from memory, and the first tile of a panel would wait for them.
func (p *plan) linesAhead() int {
	tiles := p.rowBlock * kernel.Pieces(p.Q, p.tileQ)
	n := kernel.Pieces(kernel.Pieces(p.R*p.taps*p.width()*f32, 64), tiles)
	if p.Groups*p.panels*p.panel < p.features.L2/2 || n > mostAhead {
		return 0
	}
	return n
}

const (
	stepsAhead = 48  // steps of a sum that go by while a line of the image comes from the second-level cache
	farApart   = 512 // bytes between channels, from which on processors do not see what is read next
)

// channelsAhead returns how many channels before they are multiplied pixels are fetched: 0 where the first-level cache
// keeps what a tile reads, and where channels are not far apart, or too far for a displacement.
func (p *plan) channelsAhead() int {
	lines, channels, apart := p.span()/64+1, kernel.Pieces(stepsAhead, p.R*p.taps), p.channel*p.elem
	kept := p.depth*p.R*(lines*64+p.taps*p.width()*f32) <= p.features.L1D
	if kept || apart < farApart || channels*apart > math.MaxInt32/2 {
		return 0
	}
	return channels
}

// span returns the bytes from the first pixel that a tile reads of a row to the end of the last pixel.
func (p *plan) span() int {
	return ((p.tileQ-1)*p.Stride[1]*p.X.Strides[3]+(p.S-1)*p.Dilation[1]*p.X.Strides[3])*p.elem + p.elem
}
