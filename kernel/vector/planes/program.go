package planes

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Words of the call block.
const (
	wordFault  = iota
	wordWhole  // 1 for units with all their channels, else 0
	wordLast   // 1 for the last unit of a group if that has fewer
	wordUnits  // how many units; each reads the group of input planes behind the group of the unit before
	wordImage  // the first row of the first input plane
	wordFilter // of the first channel
	wordNext   // bytes from an input plane to the one that tiles fetch
	wordNextResult
	wordPorts // of the epilogue, in the first channel
)

// words is the number of words.
func (p *plan) words() int { return wordPorts + len(p.Epilogue.Access) }

// writer writes the code of units.
type writer struct {
	*plan
	*vector.Builder
	epilogue *nest.Epilogue
	channels int          // of this code
	filter   vector.Val   // its address
	weights  []vector.Val // its elements, if it is held
	even     vector.Val   // the numbers of every second lane, for a stride of 2
}

// place is where a tile or a strip begins: the image at the first row under the filter, the planes that are fetched if
// any are, of the image and of the result, and the operands of the epilogue.
type place struct {
	image          vector.Val
	fetched, ports []vector.Val
}

// list returns the words of a place, which loops carry.
func (p *place) list() []vector.Val {
	return append(append([]vector.Val{p.image}, p.fetched...), p.ports...)
}

// like returns the place with the words of a list.
func (p *place) like(list []vector.Val) *place {
	ports := 1 + len(p.fetched)
	return &place{list[0], list[1:ports], list[ports:]}
}

// program writes units with all their channels, and with those that are left over.
func (p *plan) program(t vector.Backend) *vector.Program {
	b := vector.NewBuilder("planes", p.lanes).For(t)
	for last, channels := range []int{p.channels, p.perGroup % p.channels} {
		if channels > 0 {
			w := &writer{plan: p, Builder: b, epilogue: nest.NewEpilogue(&p.Epilogue, 2, 3, false).In(b), channels: channels}
			b.When(b.Arg(wordWhole+last), w.write)
		}
	}
	return b.Optimised()
}

// write writes the units.
func (w *writer) write() {
	at := &place{image: w.Arg(wordImage)}
	for i := range w.Epilogue.Access {
		at.ports = append(at.ports, w.Arg(wordPorts+i))
	}
	if w.Stride[1] == 2 && w.lanes > partLanes {
		w.even = w.evenLanes()
	}
	from := append(at.list(), w.Arg(wordFilter))
	w.Loop(w.Arg(wordUnits), 1, from, func(_ vector.Val, list []vector.Val) []vector.Val {
		at, w.filter = at.like(list[:len(list)-1]), list[len(list)-1]
		w.unit(at)
		next := w.moved(at, 1, w.channels)
		next.image = w.Offset(at.image, w.depth*w.X.Strides[1]*f32)
		return append(next.list(), w.Offset(w.filter, w.channels*w.Filter.Strides[0]*f32))
	})
}

// unit writes the strips of a unit: equal ones are a loop.
func (w *writer) unit(at *place) {
	if w.held {
		w.weights = w.weights[:0]
		for n := range w.R * w.S {
			w.weights = append(w.weights, w.weight(w.filter, n/w.S, n%w.S, 0))
		}
	}
	if w.ahead > 0 {
		all := *at
		all.fetched = []vector.Val{w.Op(vector.WordAdd, at.image, w.Arg(wordNext)),
			w.Op(vector.WordAdd, at.ports[w.result()], w.Arg(wordNextResult))}
		at = &all
	}
	for column := 0; column < w.Q; {
		count := 1
		for w.plain(column) && w.plain(column+count*w.lanes) {
			count++
		}
		at = w.repeat(count, at, func(at *place) *place { return w.strip(column, at) })
		column += count * w.lanes
	}
}

// repeat writes a body as often as a count says, each time at the place that the one before returned.
func (w *writer) repeat(count int, at *place, body func(*place) *place) *place {
	if count == 1 {
		return body(at)
	}
	return at.like(w.Loop(w.Word(count), 1, at.list(), func(_ vector.Val, list []vector.Val) []vector.Val {
		return body(at.like(list)).list()
	}))
}

// moved returns a place whose operands of the epilogue are some points further along a loop of the kernel.
func (w *writer) moved(at *place, loop, points int) *place {
	next := *at
	next.ports = nil
	for i, a := range w.Epilogue.Access {
		next.ports = append(next.ports, w.Offset(at.ports[i], points*a.Outer[loop]*a.DType.Size()))
	}
	return &next
}

// strip writes the tiles of a strip, and returns the place of the next strip.
func (w *writer) strip(column int, at *place) *place {
	tile := *at
	tile.image = w.Offset(at.image, -w.Pad[0]*w.X.Strides[2]*f32)
	below := &tile
	for row := 0; row < w.P; {
		count := 1
		for w.inside(row) && w.inside(row+count*w.rows) {
			count++
		}
		below = w.repeat(count, below, func(at *place) *place { return w.tile(row, column, at) })
		row += count * w.rows
	}
	next := w.moved(at, 3, w.lanes)
	next.image = w.Offset(at.image, w.lanes*w.Stride[1]*f32)
	next.fetched = below.fetched
	return next
}

// tile writes the rows from a row on, and returns the place of the tile below.
func (w *writer) tile(row, column int, at *place) *place {
	rows := min(w.rows, w.P-row)
	sums := make([]vector.Val, rows*w.channels)
	for i := range sums {
		sums[i] = w.Float(vector.F32, 0)
	}
	if w.depth == 1 {
		w.products(row, column, at.image, w.filter, sums)
	} else {
		from := append([]vector.Val{at.image, w.filter}, sums...)
		sums = w.Loop(w.Word(w.depth), 1, from, func(_ vector.Val, state []vector.Val) []vector.Val {
			next := append([]vector.Val(nil), state...)
			w.products(row, column, state[0], state[1], next[2:])
			next[0], next[1] = w.Offset(state[0], w.X.Strides[1]*f32), w.Offset(state[1], w.Filter.Strides[1]*f32)
			return next
		})[2:]
	}
	for n := range w.ahead {
		w.PrefetchNear(at.fetched[0], n*line)
		w.PrefetchWrite(at.fetched[1], n*line)
	}
	for k := range w.channels {
		channel := w.moved(at, 1, k)
		for i := range rows {
			w.epilogue.Write(sums[k*rows+i], channel.ports, 2, i, min(w.Q-column, w.lanes)%w.lanes)
		}
	}
	below := w.moved(at, 2, rows)
	below.image = w.Offset(at.image, rows*w.Stride[0]*w.X.Strides[2]*f32)
	below.fetched = nil
	for _, v := range at.fetched {
		below.fetched = append(below.fetched, w.Offset(v, w.ahead*line))
	}
	return below
}

// products adds the products of an input channel to the sums, which are the sums of the rows of each channel.
func (w *writer) products(row, column int, image, filter vector.Val, sums []vector.Val) {
	rows := len(sums) / w.channels
	for y := range (rows-1)*w.Stride[0] + (w.R-1)*w.Dilation[0] + 1 {
		if at := row*w.Stride[0] - w.Pad[0] + y; at < 0 || at >= w.H {
			continue
		}
		for s := range w.S {
			w.rowProducts(y, column, s, image, filter, sums)
		}
	}
}

// rowProducts adds the products of one row under the tile, with a column of the filter.
func (w *writer) rowProducts(y, column, s int, image, filter vector.Val, sums []vector.Val) {
	var x vector.Val
	loaded, rows := false, len(sums)/w.channels
	for r := range w.R {
		from := y - r*w.Dilation[0]
		if from < 0 || from%w.Stride[0] != 0 || from/w.Stride[0] >= rows {
			continue
		}
		if !loaded {
			if x, loaded = w.columns(image, y, column, s); !loaded {
				return
			}
		}
		for k := range w.channels {
			sum := &sums[k*rows+from/w.Stride[0]]
			if w.held {
				*sum = w.Op(vector.MulAdd, x, w.weights[r*w.S+s], *sum)
			} else {
				*sum = w.Op(vector.MulAdd, x, w.weight(filter, r, s, k), *sum)
			}
		}
	}
}

// weight loads an element of the filter of a channel into all lanes.
func (w *writer) weight(filter vector.Val, r, s, k int) vector.Val {
	st := w.Filter.Strides
	return w.Splat(vector.F32, filter, vector.Access{Offset: (k*st[0] + r*st[2] + s*st[3]) * f32})
}
