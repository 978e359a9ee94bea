package convolution

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// byPatches is a convolution as products, for element types and strides that no other way takes. A
// unit copies the patches under the filter, for the pixels of a block of rows of one image, and
// multiplies them with the filters of each group.
type byPatches struct {
	kernel.OnePhase
	*kernel.Convolution
	rows     int // of a block
	blocks   int
	products [2]kernel.Code // of a block, and of the last one if it is lower
	patches  int            // bytes of a block's
	args     kernel.ArgsPool
}

// patchBytes and patchPixels are what a block should have: no more than stays in a second-level
// cache, and no fewer pixels than pay for packing the filters, which comes first. enoughUnits is how many
// blocks there should be, for threads to share.
const (
	patchBytes  = 512 << 10
	patchPixels = 64
	enoughUnits = 8
)

// ByPatches makes code of a convolution as products of the patches under the filter, which the function compiles.
// Epilogues that ask for their place, or walk backwards, and extents of 0 are [kernel.ErrUnsupported].
func ByPatches(c *kernel.Convolution, compile func(*kernel.Contraction) (kernel.Code, error)) (kernel.Code, error) {
	for _, n := range []int{c.N, c.C, c.H, c.W, c.K, c.P, c.Q, c.R, c.S} {
		if n == 0 {
			return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
		}
	}
	if c.Epilogue.Body.Has(kernel.Index, kernel.LoadAt) {
		return nil, fmt.Errorf("%w: load_at or index in an epilogue", kernel.ErrUnsupported)
	}
	g := &byPatches{Convolution: c}
	rowBytes := c.C * c.R * c.S * c.Q * c.X.DType.Size()
	g.rows = min(max(1, patchBytes/rowBytes), kernel.Pieces(c.P, kernel.Pieces(enoughUnits, c.N)))
	g.rows = min(c.P, max(g.rows, kernel.Pieces(patchPixels, c.Q)))
	for _, a := range c.Epilogue.Access {
		if min(a.Outer[1], a.Outer[2], a.Outer[3]) < 0 {
			return nil, fmt.Errorf("%w: a negative stride in an epilogue", kernel.ErrUnsupported)
		}
		if a.Outer[2] != c.Q*a.Outer[3] {
			g.rows = 1 // rows do not follow each other
		}
	}
	g.blocks, g.patches = kernel.Pieces(c.P, g.rows), kernel.Aligned(g.rows*rowBytes)
	for i, rows := range []int{g.rows, c.P % g.rows} {
		if rows == 0 {
			continue
		}
		code, err := compile(g.contraction(rows))
		if err != nil {
			g.Close()
			return nil, err
		}
		g.products[i] = code
	}
	return g, nil
}

// contraction returns the product of a block: pixels are its rows and output channels its columns.
func (g *byPatches) contraction(rows int) *kernel.Contraction {
	perGroup, depth, pixels := g.K/g.Groups, g.depth(), rows*g.Q
	d := &kernel.Contraction{
		Name: g.Name, Batch: []int{g.Groups}, M: pixels, N: perGroup, K: depth, Acc: g.Acc,
	}
	d.A = kernel.Matrix{Batch: []int{depth * pixels}, Row: 1, Col: pixels}
	d.A.Port = kernel.Port{DType: g.X.DType, Len: g.Groups * depth * pixels}
	d.B = kernel.Matrix{Batch: []int{perGroup * depth}, Row: 1, Col: depth}
	if g.inOrder() {
		w := g.Filter.Strides
		d.B = kernel.Matrix{Batch: []int{perGroup * w[0]}, Row: w[3], Col: w[0]}
	}
	d.B.Port = kernel.Port{DType: g.Filter.DType}
	d.B.Len = (g.Groups-1)*d.B.Batch[0] + (perGroup-1)*d.B.Col + (depth-1)*d.B.Row + 1
	d.Epilogue.Body = g.Epilogue.Body
	for _, a := range g.Epilogue.Access {
		s := a.Outer
		b := kernel.Access{Port: a.Port, Outer: []int{perGroup * s[1], s[3], s[1]}}
		b.Len, b.Const = (g.K-1)*s[1]+(pixels-1)*s[3]+1, false
		d.Epilogue.Access = append(d.Epilogue.Access, b)
	}
	return d
}

// depth is the number of elements of a patch in one group.
func (g *byPatches) depth() int { return g.C / g.Groups * g.R * g.S }

// inOrder reports whether filters lie in the order of the patches already: channels, rows, columns.
func (g *byPatches) inOrder() bool {
	w := g.Filter.Strides
	return w[0] >= 0 && w[3] > 0 && (g.R == 1 || w[2] == g.S*w[3]) &&
		(g.C == g.Groups || w[1] == g.R*g.S*w[3])
}

func (g *byPatches) Units() int { return g.N * g.blocks }

const copyNanos = 0.3 // for each element of a patch

func (g *byPatches) UnitNanos() float64 {
	p := g.products[0]
	return float64(p.Units())*p.UnitNanos() + copyNanos*float64(g.patches/g.X.DType.Size())
}

// Scratch implements [kernel.Code]: the patches, and what the products need.
func (g *byPatches) Scratch() int {
	most := 0
	for _, p := range g.products {
		if p != nil {
			most = max(most, kernel.Aligned(p.Shared())+p.Scratch())
		}
	}
	return g.patches + most
}

func (g *byPatches) Listing() string {
	return fmt.Sprintf("products with the patches of %d rows\n%s", g.rows, g.products[0].Listing())
}

func (g *byPatches) Close() {
	for _, p := range g.products {
		if p != nil {
			p.Close()
		}
	}
}

func (g *byPatches) Run(args *kernel.Args, lo, hi int) {
	filters := unsafe.Add(args.Ptr[1], g.Filter.Offset*g.Filter.DType.Size())
	if !g.inOrder() {
		filters = args.Ptr[len(args.Ptr)-1]
	}
	own := g.args.Get()
	for u := lo; u < hi; u++ {
		g.unit(own, args, filters, u/g.blocks, u%g.blocks*g.rows)
	}
	g.args.Put(own, args)
}

// unit does the block of an image that begins with a row.
func (g *byPatches) unit(own, args *kernel.Args, filters unsafe.Pointer, image, row int) {
	p, rows := g.products[0], g.rows
	if row+rows > g.P {
		p, rows = g.products[1], g.P-row
	}
	copies[g.X.DType.Size()].patches(g, args.Scratch, args.Ptr[0], image, row, rows)
	own.Ptr = append(own.Ptr[:0], args.Scratch, filters)
	for i, a := range g.Epilogue.Access {
		at := a.Offset + image*a.Outer[0] + row*a.Outer[2]
		own.Ptr = append(own.Ptr, unsafe.Add(args.Ptr[2+i], at*a.DType.Size()))
	}
	rest := unsafe.Add(args.Scratch, g.patches)
	own.Scratch, own.Ptr = unsafe.Add(rest, kernel.Aligned(p.Shared())), append(own.Ptr, rest)
	kernel.RunAll(p, own)
}

// Shared implements [kernel.Code]: filters that do not lie in the order of the patches are brought into it.
func (g *byPatches) Shared() int { return g.PrologueUnits() * g.depth() * g.Filter.DType.Size() }

func (g *byPatches) PrologueUnits() int {
	if g.inOrder() {
		return 0
	}
	return g.K
}

// RunPrologue implements [kernel.Code]: a unit is a filter.
func (g *byPatches) RunPrologue(args *kernel.Args, lo, hi int) {
	for k := lo; k < hi; k++ {
		copies[g.Filter.DType.Size()].filter(g, args.Ptr[len(args.Ptr)-1], args.Ptr[1], k)
	}
}
