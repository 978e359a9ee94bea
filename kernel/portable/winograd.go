package portable

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// A convolution 3×3 with stride 1 by Winograd's F(2×2, 3×3) (Lavin and Gray, Fast Algorithms for Convolutional Neural
// Networks, 2016): 16 multiplications give 4 elements of the result instead of 36. Pixels and filters are transformed
// into 16 matrices each, whose products are transformed back.
const (
	places = 16 // of a transformed tile, 4×4
	// cut is how many channels are transformed at once.
	cut = 32
	// transformLimit is the bound below which pixels and filters may be added up before they are multiplied: sums of
	// thousands of products of a few of them are then finite.
	transformLimit = 0x1p50
	// Fewer channels, filters or pixels than these are not worth the transformations.
	leastChannels, leastPixels = 8, 16
)

// winogradCode multiplies transformed filters of a group with transformed tiles of 2×2 pixels. A unit is some filters by
// some rows of tiles, or by a part of one; a unit with numbers that are not below the limit is left to the code of
// patches.
type winogradCode[T accumulator] struct {
	*convolutionCode[T]
	ofRow, ofColumn int // tiles of an image
	lines, across   int // rows of tiles of a unit, and tiles of a row
	down, parts     int // units of the rows of an image, and of a row
}

// winogradWork is the memory of one goroutine.
type winogradWork[T accumulator] struct {
	a    [places][tileRows * cut]T // filters, as in a tile
	b    [places][tileCols * cut]T // pixels
	c    [places][tileRows * tileCols]T
	rows [2][2 * tileCols]T // of the result, of one filter
	read [4][4]T            // a filter or a tile
}

// winogradFits reports whether a convolution gains from the transformations.
func winogradFits(k *kernel.Convolution) bool {
	one := [2]int{1, 1}
	return k.Acc.IsFloat() && k.R == 3 && k.S == 3 && k.Stride == one && k.Dilation == one &&
		min(k.C, k.K)/k.Groups >= leastChannels && k.P*k.Q >= leastPixels
}

func winogradOf[T accumulator](direct *convolutionCode[T]) kernel.Code {
	c := &winogradCode[T]{convolutionCode: direct, ofRow: (direct.k.Q + 1) / 2, ofColumn: (direct.k.P + 1) / 2}
	c.across = min(c.ofRow, tileCols)
	c.lines = min(tileCols/c.across, c.ofColumn)
	c.down, c.parts = (c.ofColumn+c.lines-1)/c.lines, (c.ofRow+c.across-1)/c.across
	c.tiled.unit, c.how = c.winograd, "Winograd's F(2×2, 3×3)"
	return c
}

func (c *winogradCode[T]) Units() int { return c.k.N * c.k.Groups * c.rows * c.down * c.parts }

func (c *winogradCode[T]) UnitNanos() float64 {
	return c.convolutionCode.UnitNanos() * float64(c.lines*c.across*4) / tileCols / 2
}

// region is the part of the result that a unit computes.
type region struct {
	image, group, filter int
	row, rows            int // of tiles
	col, cols            int
}

func (c *winogradCode[T]) winograd(w *worker[T], args *kernel.Args, u int) {
	if w.winograd == nil {
		w.winograd = new(winogradWork[T])
	}
	rest, row := u/c.parts/c.down, u/c.parts%c.down*c.lines
	b := region{row: row, rows: min(c.lines, c.ofColumn-row), col: u % c.parts * c.across}
	b.cols = min(c.across, c.ofRow-b.col)
	b.filter, rest = rest%c.rows*tileRows, rest/c.rows
	b.group, b.image = rest%c.k.Groups, rest/c.k.Groups
	if !c.transformed(w, w.winograd, args, &b) {
		c.exact(w, args, &b)
	}
}

// exact computes a unit by patches.
func (c *winogradCode[T]) exact(w *worker[T], args *kernel.Args, b *region) {
	end := min(2*(b.col+b.cols), c.k.Q)
	for row := 2 * b.row; row < min(2*(b.row+b.rows), c.k.P); row++ {
		for col := 2 * b.col; col < end; col += tileCols {
			c.multiplyPatches(w, args, patches{image: b.image, filter: b.group*(c.k.K/c.k.Groups) + b.filter,
				pixel: row*c.k.Q + col, extents: extents{n: min(tileCols, end-col)}})
		}
	}
}

// transformed computes a unit, or reports that numbers are too large; it has stored nothing then.
func (c *winogradCode[T]) transformed(w *worker[T], t *winogradWork[T], args *kernel.Args, b *region) bool {
	perGroup, channels := c.k.K/c.k.Groups, c.k.C/c.k.Groups
	m, n := min(perGroup-b.filter, tileRows), b.rows*b.cols
	for p := range t.c {
		clear(t.c[p][:m*tileCols])
	}
	for ch := 0; ch < channels; ch += cut {
		deep := min(channels-ch, cut)
		if !c.filters(t, args.Ptr[1], b.group*perGroup+b.filter, m, ch, deep) ||
			!c.pixels(t, args.Ptr[0], b, b.group*channels+ch, deep) {
			return false
		}
		for p := range places {
			multiply(t.c[p][:], t.a[p][:], t.b[p][:], extents{m, n, deep}, cut)
		}
	}
	for i := range m {
		c.results(w, t, b, i)
	}
	return true
}

// filters transforms the filters of some channels. It reports whether all numbers are below the limit.
func (c *winogradCode[T]) filters(t *winogradWork[T], p unsafe.Pointer, filter, m, ch, deep int) bool {
	s := &c.k.Filter.Strides
	largest := T(0)
	for i := range m {
		for x := range deep {
			at := c.k.Filter.Offset + (filter+i)*s[0] + (ch+x)*s[1]
			var g [4][3]T // of each column, transformed
			for r := range 3 {
				c.readW(t.read[r][:3], p, at+r*s[2], s[3])
			}
			for col := range 3 {
				g0, g1, g2 := t.read[0][col], t.read[1][col], t.read[2][col]
				largest = larger(larger(larger(largest, g0), g1), g2)
				sum := (g0 + g2) / 2
				g[0][col], g[1][col], g[2][col], g[3][col] = g0, sum+g1/2, sum-g1/2, g2
			}
			to := (i>>1)*2*cut + x*2 + i&1
			for r := range g {
				sum := (g[r][0] + g[r][2]) / 2
				t.a[4*r][to], t.a[4*r+1][to], t.a[4*r+2][to], t.a[4*r+3][to] = g[r][0], sum+g[r][1]/2, sum-g[r][1]/2, g[r][2]
			}
		}
	}
	return float64(largest) < transformLimit
}

// larger is the larger of a number and the magnitude of another, and NaN if one is.
func larger[T accumulator](x, y T) T {
	if y < 0 {
		y = -y
	}
	if x < y || y != y {
		return y
	}
	return x
}

// pixels transforms the tiles of some channels of an image. It reports whether all numbers are below the limit.
func (c *winogradCode[T]) pixels(t *winogradWork[T], p unsafe.Pointer, b *region, ch, deep int) bool {
	k, s := c.k, &c.k.X.Strides
	largest := T(0)
	for x := range deep {
		at := k.X.Offset + b.image*s[0] + (ch+x)*s[1]
		for j := range b.rows * b.cols {
			row, col := (b.row+j/b.cols)*2-k.Pad[0], (b.col+j%b.cols)*2-k.Pad[1]
			d := &t.read
			for r := range d {
				c.readRow(d[r][:], p, at+(row+r)*s[2], col, uint(row+r) < uint(k.H))
			}
			for r := range d {
				d0, d1, d2, d3 := d[r][0], d[r][1], d[r][2], d[r][3]
				largest = larger(larger(larger(larger(largest, d0), d1), d2), d3)
				d[r] = [4]T{d0 - d2, d1 + d2, d2 - d1, d1 - d3}
			}
			to := (j>>2)*4*cut + x*4 + j&3
			for q := range 4 {
				d0, d1, d2, d3 := d[0][q], d[1][q], d[2][q], d[3][q]
				t.b[q][to], t.b[4+q][to], t.b[8+q][to], t.b[12+q][to] = d0-d2, d1+d2, d2-d1, d1-d3
			}
		}
	}
	return float64(largest) < transformLimit
}

// results transforms the sums of filter i of a unit back and runs the epilogue on them, row by row of the image.
func (c *winogradCode[T]) results(w *worker[T], t *winogradWork[T], b *region, i int) {
	for line := range b.rows {
		for j := range b.cols {
			from := i*tileCols + line*b.cols + j
			var y [2][4]T
			for q := range 4 {
				m1, m2 := t.c[4+q][from], t.c[8+q][from]
				y[0][q], y[1][q] = t.c[q][from]+m1+m2, m1-m2-t.c[12+q][from]
			}
			for r := range y {
				t.rows[r][2*j], t.rows[r][2*j+1] = y[r][0]+y[r][1]+y[r][2], y[r][1]-y[r][2]-y[r][3]
			}
		}
		row, col := 2*(b.row+line), 2*b.col
		for r := range min(2, c.k.P-row) {
			w.index[0], w.index[1], w.index[2], w.index[3] = b.image, b.group*(c.k.K/c.k.Groups)+b.filter+i, row+r, col
			c.epilogue.run(w.frame, w.index, unsafe.Pointer(&t.rows[r]), min(2*b.cols, c.k.Q-col))
		}
	}
}
