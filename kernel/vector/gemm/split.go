package gemm

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Tiles multiply no f32, but an f32 number is the sum of three bf16 numbers, exactly: 24 bits are three times 8. So a
// product of f32 matrices is a sum of products of their pieces, and six of these matter (G. Henry, P. T. P. Tang, A.
// Heinecke, "Leveraging the bfloat16 Artificial Intelligence Datatype For Higher-Precision Computations", ARITH 2019):
// with the first piece rounded to the nearest, the second is at most 2^-8 of the number and the third 2^-16, so that
// what is left out, second by third, third by second and third by third, is less than 2^-23 of a product at worst and
// 2^-25 typically, about what one rounding of a sum in f32 adds. Six products of tiles take less time than FMA on
// vectors. An f16 number is the sum of two bf16 numbers, and a bf16 number is one; operands may differ.
//
// # Range
//
// TDPBF16PS takes subnormal numbers for zero, and gives no subnormal ones: whatever is below 2^-126 is lost, and a
// third piece already where the number is below 2^-102. And an infinite first piece meets zeros among the pieces of the
// other operand, so that an infinity would become NaN. Whether the largest numbers of some rows of A and of a panel of
// B suit, fits tells; where they do not, the unit of work is left to vectors, see type whole.
const stripDepth = 2 * tileSide // elements of the depth in a step of tiles

// piecesOf says how many bf16 numbers an element is the sum of.
var piecesOf = map[dtype.DType]int{dtype.BF16: 1, dtype.F16: 2, dtype.F32: 3}

// allTerms are the pairs of a piece of A and a piece of B whose products matter. In this order each pair shares a piece
// with the pair before, also where operands with fewer pieces drop some of the pairs.
var allTerms = [...][2]int{{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}}

// termsOf returns the pairs of pieces whose products make up a product of elements of A and B, given the pieces of
// each.
func termsOf(pieces [2]int) (terms [][2]int) {
	for _, term := range allTerms {
		if term[0] < pieces[0] && term[1] < pieces[1] {
			terms = append(terms, term)
		}
	}
	return terms
}

// splits reports whether elements are split into pieces.
func (p *plan) splits() bool { return max(p.arith.pieces[0], p.arith.pieces[1]) > 1 }

// Costs of a product in pieces, in multiply-adds on vectors; a thousand took 17 ns where they were measured (Xeon with
// AMX, its cores shared): a fit to 250 random products of BenchmarkPieces, with half of the times within 7 %.
const (
	splitMultiply = 0.11 // a multiply-add of whole tiles, for each product of pieces
	splitNear     = 4    // splitting an element, for each piece, where these stay in the second-level cache
	splitFar      = 10   // and where they do not
	splitShared   = 2    // and fetching the piece, which another thread has made, from its cache
	splitRead     = 3    // reading a byte of B to split, beyond what the second-level cache keeps; vectors multiply meanwhile
	splitSum      = 12   // leaving a sum in memory and reading it again
	splitStart    = 4000
)

// splitGain is how many times as fast products in pieces must seem to be chosen. Tests change it to reach small ones.
var splitGain = 1.05

// suitsSplit reports whether products with sums in f32 are faster in pieces.
func (p *plan) suitsSplit() bool {
	pieces := [2]int{piecesOf[p.a.DType], piecesOf[p.b.DType]}
	if !p.features.Tiles || p.arith.acc != dtype.F32 || min(pieces[0], pieces[1]) == 0 ||
		max(pieces[0], pieces[1]) == 1 || min(p.m, p.n, p.k) < tileSide {
		return false
	}
	a, b := p.m*p.k*p.a.Entries(p.batch)*pieces[0], p.k*p.n*p.b.Entries(p.batch)*pieces[1]
	shared := splitFar + splitShared
	if (a+b)*dtype.BF16.Size() <= p.features.L2/2 {
		shared = splitNear + splitShared
	}
	ofA, ofB := shared, shared
	if p.servesOnce() {
		ofB = splitNear
	}
	if p.eachSplitsA() {
		ofA = 2 * splitNear // each of two threads
	}
	if p.a.Const {
		a = 0
	}
	read := p.k * p.n * p.b.Entries(p.batch) * p.b.DType.Size()
	if p.b.Const {
		read, b = 0, 0
	}
	whole := func(n, by int) int { return kernel.Pieces(n, by) * by }
	m, k, n := whole(p.m, tileSide), whole(p.k, stripDepth), whole(p.n, blockColumns)
	terms := len(termsOf(pieces))
	each := splitMultiply*float64(terms*m*k*n) + splitSum*float64(m*n)
	cost := float64(p.entries)*each + float64(ofA*a+ofB*b+splitStart+splitRead*max(0, read-p.features.L2))
	return float64(p.entries*p.m*p.k*p.n) > splitGain*cost
}

// unitsPerSplit is how many units a call of Run should do that splits A for itself: then the multiplications take much
// longer than the splitting.
const unitsPerSplit = 8

// eachSplitsA reports whether each call of Run splits A for itself, as units split their panels of B: where units need
// all rows of A and the pieces leave room in the second-level cache. To fetch a piece from the cache of the processor
// that has made it takes longer than to make it, and no thread waits for another one.
func (p *plan) eachSplitsA() bool {
	pieces := p.m * p.k * piecesOf[p.a.DType]
	return p.servesOnce() && pieces*dtype.BF16.Size() <= p.features.L2/4
}

// useSplit changes the arithmetic from vectors to tiles of pieces.
func (p *plan) useSplit() {
	pieces := [2]int{piecesOf[p.a.DType], piecesOf[p.b.DType]}
	p.arith = arithmetic{acc: dtype.F32, a: dtype.BF16, b: dtype.BF16, group: 2, tiles: true, pieces: pieces, terms: termsOf(pieces)}
	p.steps = kernel.Pieces(p.k, stripDepth) * tileSide
}

// rowTiles returns the number of rows of A, filled up to whole tiles.
func (p *plan) rowTiles() int { return kernel.Pieces(p.m, tileSide) * tileSide }

// maxima are the largest magnitudes of the elements in each lane of some vectors, as bits of f32, which are ordered
// like the numbers. Infinities and NaN come last: a unit that has one is left to vectors.
type maxima [tileSide]uint32

// panelMaxima are the largest magnitudes of a panel's columns, and extremes when the panel is packed.
type panelMaxima [blockColumns]uint32

const maximaBytes = int(unsafe.Sizeof(panelMaxima{}))

// Largest magnitudes of rows of A and of columns of B must be below 2^60, lest products or their sums overflow where
// FMA's would not, and not below 2^-70, with a product not below 2^-80: then what is lost below 2^-126 is 2^-43 of the
// largest product for each element of the depth, and an element keeps 24 bits unless it is 2^-32 of the largest.
const (
	splitMost         = 60
	splitLeastOne     = -70
	splitLeastProduct = -80
)

// exponent returns e for a number from 2^e to 2^(e+1), given the bits of a magnitude.
func exponent(bits uint32) int { return int(bits>>23) - 127 }

// fits reports whether products of numbers whose largest magnitudes are these may be made from
// pieces. Zeros always may.
func fits(a, b uint32) bool {
	ea, eb := exponent(a), exponent(b)
	switch {
	case ea >= splitMost || eb >= splitMost:
		return false
	case a == 0 || b == 0:
		return true
	}
	return min(ea, eb) >= splitLeastOne && ea+eb >= splitLeastProduct
}

// extremes are the largest and the least of the largest magnitudes of rows or columns, zeros apart.
type extremes struct{ most, least uint32 }

// extremesOf returns the extremes of largest magnitudes.
func extremesOf(magnitudes ...uint32) extremes {
	e := extremes{least: math.MaxUint32}
	for _, x := range magnitudes {
		if x > 0 {
			e.add(&extremes{x, x})
		}
	}
	return e
}

func (e *extremes) add(o *extremes) { e.most, e.least = max(e.most, o.most), min(e.least, o.least) }

// unitFits reports whether the operands of a unit may be multiplied in pieces.
func (g *code) unitFits(args *kernel.Args, u *unit) bool {
	ofA, ofB := extremesOf(), extremesOf()
	groups := unsafe.Add(g.copiedA(args, u.entry), g.rowTiles()*g.rowBytes())
	for i := u.row / rowsPerUnit; i*rowsPerUnit < u.row+u.rows; i++ {
		ofA.add((*extremes)(unsafe.Add(groups, i*maximaBytes)))
	}
	panels := args.Scratch
	if g.b.mode != unitPacked {
		panels = unsafe.Add(g.packedB(args, u.entry), u.first*g.panel)
	}
	for i := range u.count {
		ofB.add((*extremes)(unsafe.Add(panels, i*g.panel)))
	}
	return fits(ofA.most, ofB.most) && (ofA.most == 0 || ofB.most == 0 || fits(ofA.least, ofB.least))
}
