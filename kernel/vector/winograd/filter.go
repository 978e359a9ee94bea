package winograd

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Filters that stay in the second-level cache are transformed once. Transformed filters have 16/9 of the size. Filters
// that come from memory are therefore packed untransformed, in panels of output channels, and transformed at use, for
// as many input channels at a time as stay in that cache.

// product is sums over input channels, of some panels or places.
type product struct {
	input, filters, sums uintptr
	ahead                uintptr // what is fetched, if not 0
	depth, count         int     // channels; panels or places
	more                 bool    // sums are added to
}

// multiply computes a product.
func (g *code) multiply(args *kernel.Args, p product) {
	words := g.words(args, multiplying)
	words[productInput], words[productFilters], words[productSums] = p.input, p.filters, p.sums
	words[productCount], words[productAhead], words[productDepth] = uintptr(p.count), p.ahead, uintptr(p.depth)
	words[productMore] = vector.Flag(p.more)
	g.machine.Call(args.Scratch)
}

// lateProducts computes the sums of some panels, and transforms their filters.
func (g *code) lateProducts(args *kernel.Args, input, filters, sums uintptr, panels int) {
	lifted := sums + uintptr(g.sumBytes())
	for panel := range panels {
		for first := 0; first < g.C; first += g.lifted {
			depth := min(g.lifted, g.C-first)
			words := g.words(args, lifting)
			words[liftFrom], words[liftTo], words[liftChannels] = filters, lifted, uintptr(depth)
			g.machine.Call(args.Scratch)
			filters += uintptr(depth * taps * g.panelWidth() * f32)
			g.multiply(args, product{input + uintptr(first*g.inputRow()*f32), lifted,
				sums + uintptr(panel*g.panelWidth()*f32), filters, depth, places, first > 0})
		}
	}
}

// filterBytes returns the size of the packed filters of a unit of channels, placeBytes of one place
// of them, panelBytes of a panel.
func (g *code) filterBytes() int {
	if g.shared {
		return taps * g.placeBytes()
	}
	return places * g.placeBytes()
}
func (u *units) placeBytes() int { return u.depth * u.channels * f32 }
func (u *units) panelBytes() int { return u.depth * u.panelWidth() * f32 }

// filterPieces is the number of pieces of work that packing is: some input channels of a panel each.
func (g *code) filterPieces() int {
	return g.channelUnits * (g.channels / g.panelWidth()) * kernel.Pieces(g.C, transformed)
}

// packFilters does a piece of packing. Filters that are transformed now, in f64, go into panels of each place, for each
// unit of channels; the others into panels as they are. Channels that do not exist are zeros.
func (g *code) packFilters(dst, src unsafe.Pointer, piece int) {
	out := unsafe.Slice((*float32)(dst), g.Packed/f32)
	groups := kernel.Pieces(g.C, transformed)
	first := piece % groups * transformed
	for k := piece / groups * g.panelWidth(); k < (piece/groups+1)*g.panelWidth(); k++ {
		for c := first; c < min(first+transformed, g.C); c++ {
			var w [taps]float32
			if k < g.K {
				w = g.window(src, k, c)
			}
			if g.shared {
				at := (k/g.panelWidth()*g.C+c)*taps*g.panelWidth() + k%g.panelWidth()
				for i, v := range w {
					out[at+i*g.panelWidth()] = v
				}
				continue
			}
			unit, panel := k/g.channels, k%g.channels/g.panelWidth()
			at := (unit*g.filterBytes()+panel*g.panelBytes())/f32 + c*g.panelWidth() + k%g.panelWidth()
			for place, v := range transformFilter(w) {
				out[at+place*g.placeBytes()/f32] = v
			}
		}
	}
}

// window returns the filter from channel c to channel k.
func (g *code) window(src unsafe.Pointer, k, c int) (w [taps]float32) {
	st := g.Filter.Strides
	at := g.Filter.Offset + k*st[0] + c*st[1]
	for r := range 3 {
		for s := range 3 {
			w[3*r+s] = *(*float32)(unsafe.Add(src, (at+r*st[2]+s*st[3])*f32))
		}
	}
	return w
}

// transformFilter returns G·w·Gᵀ with G = [1 0 0; ½ ½ ½; ½ -½ ½; 0 0 1].
func transformFilter(w [taps]float32) (u [places]float32) {
	apply := func(x, y, z float64) [4]float64 { return [4]float64{x, (x + y + z) / 2, (x - y + z) / 2, z} }
	var rows [3][4]float64
	for r := range 3 {
		rows[r] = apply(float64(w[3*r]), float64(w[3*r+1]), float64(w[3*r+2]))
	}
	for s := range 4 {
		for r, v := range apply(rows[0][s], rows[1][s], rows[2][s]) {
			u[4*r+s] = float32(v)
		}
	}
	return u
}

// Words of the call block of the transformation of filters.
const (
	liftFrom = operands + iota
	liftTo
	liftChannels // of the input
)

// lift writes the transformation of packed filters from some input channels to a panel: it does what [transformFilter]
// does, for a vector of filters at a time. Halves are taken before sums: the sums do not overflow then where filters do
// not.
func (u *units) lift(b *vector.Builder) {
	half := b.Float(vector.F32, 0.5)
	// apply gives x, ½x + ½z ± ½y and z.
	apply := func(x, y, z vector.Val) [4]vector.Val {
		sum := b.Op(vector.MulAdd, z, half, b.Op(vector.Mul, x, half))
		return [4]vector.Val{x, b.Op(vector.MulAdd, y, half, sum), b.Op(vector.NegMul, y, half, sum), z}
	}
	at := func(i int) vector.Access { return vector.Access{Offset: i * u.panelWidth() * f32} }
	b.Loop(b.Arg(liftChannels), 1, []vector.Val{b.Arg(liftFrom), b.Arg(liftTo)}, func(_ vector.Val, c []vector.Val) []vector.Val {
		c = b.Loop(b.Word(panelVecs), 1, c, func(_ vector.Val, c []vector.Val) []vector.Val {
			from, to := c[0], c[1]
			var rows [3][4]vector.Val // of each column of the filter
			for s := range rows {
				load := func(r int) vector.Val { return b.Load(vector.F32, from, at(3*r+s)) }
				rows[s] = apply(load(0), load(1), load(2))
			}
			for r := range 4 {
				for s, v := range apply(rows[0][r], rows[1][r], rows[2][r]) {
					b.Store(v, to, vector.Access{Offset: (4*r + s) * u.liftedPlace() * f32})
				}
			}
			return []vector.Val{b.Offset(from, u.lanes*f32), b.Offset(to, u.lanes*f32)}
		})
		return []vector.Val{b.Offset(c[0], (taps-1)*u.panelWidth()*f32), c[1]}
	})
}
