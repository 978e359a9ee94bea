package rows

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

const (
	// mostRows is how many rows there may be: for more, panels of B that are packed for all of them are faster.
	mostRows = 48
	// leastBytes is how large B is at least: a smaller one stays in the cache, packed or not.
	leastBytes = 256 << 10
	// unitBytes is about how much of B a unit reads.
	unitBytes = 256 << 10
)

// code is a compiled contraction.
type code struct {
	vector.Code
	columns *schedule.Columns
	k       *kernel.Contraction
	product product
	machine *vector.Machine
}

// suits reports whether a contraction has a few rows, and operands that are read in place.
func suits(k *kernel.Contraction, lanes int) bool {
	bytes := k.B.DType.Size()
	switch {
	case k.M < 2 || k.M > mostRows || k.K%lanes != 0 || k.N*k.K*bytes < leastBytes || shape.Size(k.Batch) == 0:
		return false
	case k.A.DType != dtype.F32 || k.Acc != dtype.F32 || k.A.Col != 1 || k.A.Row < 0:
		return false
	case k.B.Const || k.B.Stored() || k.B.Row != 1 || k.B.Col < 0:
		return false
	case k.B.DType != dtype.F32 && k.B.DType != dtype.F16 && k.B.DType != dtype.BF16:
		return false
	}
	return max(bytes*k.B.Col*2*tileCols, 4*k.A.Row*mostRows+4*k.K) <= math.MaxInt32/2 // strides
}

// Compile compiles a contraction of a few rows. nests compiles epilogues.
func Compile(k *kernel.Contraction, t vector.Backend, nests schedule.Nests) (kernel.Code, error) {
	bytes, lanes := k.B.DType.Size(), t.VectorBytes()/4
	if !suits(k, lanes) {
		return nil, kernel.ErrUnsupported
	}
	c := &code{k: k}
	cols := min(tileCols, k.N)
	perUnit := min(max(unitBytes/(bytes*k.K), cols)/cols*cols, k.N)
	for k.N%perUnit > 0 && k.N%perUnit < cols { // the last unit has a whole group, too
		perUnit = min(perUnit+cols, k.N)
	}
	var err error
	if c.columns, err = schedule.NewColumns(k, perUnit, 1, nests); err != nil {
		return nil, err
	}
	c.product = product{lanes: lanes, b: k.B.DType, rows: k.M, cols: cols, depth: k.K, aRow: 4 * k.A.Row,
		bColumn: bytes * k.B.Col, sumRow: 4 * perUnit}
	if c.machine = c.Build(t, c.product.program, words, wordFault); c.Err() != nil {
		c.columns.Close()
		return nil, c.Err()
	}
	elements := float64(perUnit * k.K)
	c.Count, c.Nanos = c.columns.Units(), max(elements*float64(bytes)/14, elements*float64(k.M)/30)
	c.Memory = c.columns.SumBytes() + c.work() + c.columns.Scratch()
	c.Title = fmt.Sprintf("; %d rows, %d columns at once, units of %d columns\n", k.M, cols, perUnit)
	return c, nil
}

// work is the memory behind the sums: the call block, and a widened part of the columns of a group.
func (c *code) work() int {
	if !c.product.widens() {
		return c.BlockBytes()
	}
	return c.BlockBytes() + kernel.Aligned(c.product.cols*c.product.wideColumn())
}

// Close implements kernel.Code.
func (c *code) Close() {
	c.Code.Close()
	c.columns.Close()
}

// Run implements kernel.Code.
func (c *code) Run(args *kernel.Args, lo, hi int) {
	c.columns.RunUnits(args, lo, hi, c.work(), func(entry, first, count int) { c.sums(args, entry, first, count) })
}

// sums computes the sums of some columns of an entry. Columns that do not fill a group are computed with some before
// them, whose sums are then forgotten.
func (c *code) sums(args *kernel.Args, entry, first, count int) {
	sums := unsafe.Slice((*float32)(args.Scratch), c.k.M*c.columns.PerUnit)
	clear(sums)
	cols := c.product.cols
	groups := count / cols
	if count%cols > 0 {
		c.groups(args, entry, first, count-cols, 1)
		for row := range c.k.M {
			clear(sums[row*c.columns.PerUnit+count-cols : row*c.columns.PerUnit+groups*cols])
		}
	}
	c.groups(args, entry, first, 0, groups)
}

// groups adds the sums of some groups of columns of a unit, from a column on.
func (c *code) groups(args *kernel.Args, entry, first, column, groups int) {
	a, b := &c.k.A, &c.k.B
	at := unsafe.Add(args.Scratch, c.columns.SumBytes())
	block := unsafe.Slice((*uintptr)(at), words)
	block[wordA] = uintptr(args.Ptr[0]) + uintptr(4*a.EntryAt(c.k.Batch, entry))
	block[wordB] = uintptr(args.Ptr[1]) + uintptr(b.DType.Size()*(b.EntryAt(c.k.Batch, entry)+(first+column)*b.Col))
	block[wordSums], block[wordGroups] = uintptr(args.Scratch)+uintptr(4*column), uintptr(groups)
	block[wordWide] = uintptr(at) + uintptr(c.BlockBytes())
	c.machine.Call(at)
}
