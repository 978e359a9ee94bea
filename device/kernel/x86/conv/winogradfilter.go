package conv

import (
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
)

// filterBytes returns the size of the packed filters of a full unit of channels.
func (g *winograd) filterBytes() int {
	if g.channelUnits == 1 {
		return 0
	}
	return (g.products[0].(kernel.Packer).PackedBytes(1) + 63) &^ 63
}

// PackedBytes implements kernel.Packer.
func (g *winograd) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return (g.channelUnits-1)*g.filterBytes() + g.products[1].(kernel.Packer).PackedBytes(1)
}

// Pack implements kernel.Packer: it transforms the filters, in f64, and packs those of each unit as
// its product wants them.
func (g *winograd) Pack(_ int, dst, src unsafe.Pointer) {
	u := make([]float32, places*g.C*g.channels)
	for unit := range g.channelUnits {
		first := unit * g.channels
		channels := min(g.channels, g.K-first)
		for k := range channels {
			for c := range g.C {
				w := g.window(src, first+k, c)
				for place, v := range transformFilter(&w) {
					u[(place*g.C+c)*channels+k] = float32(v)
				}
			}
		}
		product := g.products[(unit+1)/g.channelUnits].(kernel.Packer)
		product.Pack(1, unsafe.Add(dst, unit*g.filterBytes()), unsafe.Pointer(&u[0]))
	}
}

// window returns the filter from channel c to channel k.
func (g *winograd) window(src unsafe.Pointer, k, c int) (w [3][3]float64) {
	st := g.Filter.Strides
	for r := range 3 {
		for s := range 3 {
			at := g.Filter.Offset + k*st[0] + c*st[1] + r*st[2] + s*st[3]
			w[r][s] = float64(*(*float32)(unsafe.Add(src, at*f32)))
		}
	}
	return w
}

// transformFilter returns G·w·Gᵀ with G = [1 0 0; ½ ½ ½; ½ -½ ½; 0 0 1].
func transformFilter(w *[3][3]float64) (u [places]float64) {
	apply := func(x, y, z float64) [4]float64 {
		return [4]float64{x, (x + y + z) / 2, (x - y + z) / 2, z}
	}
	var rows [3][4]float64
	for r := range 3 {
		rows[r] = apply(w[r][0], w[r][1], w[r][2])
	}
	for s := range 4 {
		for r, v := range apply(rows[0][s], rows[1][s], rows[2][s]) {
			u[4*r+s] = v
		}
	}
	return u
}
