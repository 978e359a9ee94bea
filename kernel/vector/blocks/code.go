package blocks

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
)

// mostRows is how many rows read blocks where they lie. More rounded rows read panels of bytes, which are filled once
// for all rows; more rows that are not rounded are left to columns whose values are written once for all of them.
const mostRows = 4

// A unit of few rows reads at most mostUnit bytes of B or, of a B that has fewer for each of leastUnits, at least
// leastUnit. Joined units read more: memory is the faster the longer a run is.
const (
	mostUnit, leastUnit = 256 << 10, 64 << 10
	leastUnits          = 16
)

// operands is a contraction with a B in blocks, as its units see it. The sums of a unit lie at the beginning of scratch
// memory, and behind them what the code needs.
type operands struct {
	vector.Code
	processor
	columns *schedule.Columns
	k       *kernel.Contraction
	copies  int // of A that differ
	column  int // bytes of the blocks of a column
}

// Compile makes code of a contraction whose B is stored in blocks. nests compiles epilogues. Other contractions are
// [kernel.ErrUnsupported].
func Compile(k *kernel.Contraction, t vector.Backend, dots Dots, nests schedule.Nests) (kernel.Code, error) {
	o := operands{processor: processor{t.VectorBytes() / 4, dots}, k: k, copies: k.A.Entries(k.Batch)}
	switch {
	case !Read(k.B.Format):
		return nil, fmt.Errorf("%w: blocks of %v", kernel.ErrUnsupported, k.B.Format)
	case k.M == 0 || k.N == 0 || k.K == 0 || shape.Size(k.Batch) == 0:
		return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
	case k.M > mostRows && (!k.Rounded || o.lanes == 4 && !dots.Lanes):
		return nil, fmt.Errorf("%w: %d rows", kernel.ErrUnsupported, k.M)
	case k.A.DType != dtype.F32 && k.A.DType != dtype.F16 && k.A.DType != dtype.BF16 || k.A.Col != 1 && !k.Rounded || k.A.Row < 0 || k.B.Col < 0 || k.Acc != dtype.F32:
		return nil, fmt.Errorf("%w: an A of %v with elements %d apart", kernel.ErrUnsupported, k.A.DType, k.A.Col)
	case max(k.B.Col, 4*k.A.Row*mostRows+4*k.K) > math.MaxInt32/2:
		return nil, fmt.Errorf("%w: strides too long", kernel.ErrUnsupported)
	}
	o.column, _ = k.B.Format.RowBytes(k.K)
	if k.M > mostRows {
		return compileMany(o, t, nests)
	}
	return compileFew(o, t, nests)
}

// row is a row of A of an entry.
func (o *operands) row(args *kernel.Args, entry, row int) unsafe.Pointer {
	a := &o.k.A
	return unsafe.Add(args.Ptr[0], (a.EntryAt(o.k.Batch, entry)+row*a.Row)*a.DType.Size())
}

// columnAt is a column of B of an entry.
func (o *operands) columnAt(args *kernel.Args, entry, column int) unsafe.Pointer {
	b := &o.k.B
	return unsafe.Add(args.Ptr[1], b.EntryAt(o.k.Batch, entry)+column*b.Col)
}

// sumRow is the bytes from the sums of a row to the sums of the next.
func (o *operands) sumRow() int { return 4 * o.columns.Joined * o.columns.PerUnit }

func (o *operands) Joined() (units, least int) { return o.columns.Joined, 1 }

// behind returns what lies behind the sums of a unit, as words.
func (o *operands) behind(args *kernel.Args, words int) (unsafe.Pointer, []uintptr) {
	at := unsafe.Add(args.Scratch, o.columns.SumBytes())
	return at, unsafe.Slice((*uintptr)(at), words)
}

// described says what a unit of c takes, and how much memory the unit needs behind its sums. An error says which machine code was not made.
func (o *operands) described(c kernel.Code, nanos float64, work int, title string) (kernel.Code, error) {
	if o.Err() != nil {
		o.columns.Close()
		return nil, o.Err()
	}
	o.Count, o.Nanos, o.Title = o.columns.Units(), nanos, title
	o.Memory = o.columns.SumBytes() + work + o.columns.Scratch()
	return c, nil
}

func (o *operands) Close() {
	o.Code.Close()
	o.columns.Close()
}
