package attention

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	lookups "github.com/go-acap/acap/kernel/vector/lookup"
)

const (
	// mostBlock is how many keys are read at once at most, where their places are neighbours.
	mostBlock = 256
	// leastBlock is how many there are at least: fewer are not worth a call. The keys that are copied at a time where
	// their places are no neighbours.
	leastBlock = lookups.Block
	// mostLookups is how many queries are done together.
	mostLookups = 64
)

// lookup is a compiled attention whose keys and values an index names. A unit is a block of queries of one batch entry.
// Keys are read in runs of neighbouring places, where they lie; those that are stored in blocks are unpacked to scratch
// memory, a run at a time. Keys that a mask of bools hides in front of the first visible key, or behind the last
// visible key, are not read. Each run is cut into pieces of a few lengths, whose contributions are added up. For a few
// queries there is code that reads all keys where they lie.
type lookup struct {
	kernel.OnePhase
	a       *kernel.Attention
	few     *lookups.Code // nil if there is none
	read    [2]operand    // keys and values
	queries int           // of a block
	blocks  int           // of queries, of an entry
	batches int
	lengths []int                 // of runs, the longest first
	scores  [2]map[int]*step      // of a run, by its length; for whole blocks of queries, and for the last
	product [2]map[addition]*step // of a run
	softmax [2]map[int]*step      // of a row, by its length
	row     int                   // elements from a row of scores to the next
	own     int                   // bytes that pieces need
	copied  int                   // bytes of keys that were copied
	steps   steps
	workers sync.Pool
}

// addition says of a product with the values of a run how many keys it has, and whether it adds to the result.
type addition struct {
	keys int
	more bool
}

// newLookup compiles the pieces.
func newLookup(a *kernel.Attention, t vector.Backend, compile Compiler) (*lookup, error) {
	k, v := widened(&a.K, a.Dim), widened(&a.V, a.VDim)
	if a.Causal || a.Acc != dtype.F32 || a.O.DType != dtype.F32 || a.Keys%leastBlock != 0 || k.Col != 1 || v.Col != 1 {
		return nil, fmt.Errorf("%w: %d keys that an index names, in %s", kernel.ErrUnsupported, a.Keys, a.O.DType)
	}
	c := &lookup{a: a, queries: min(a.Queries, mostLookups), batches: shape.Size(a.Batch), steps: steps{}}
	c.blocks = (a.Queries + c.queries - 1) / c.queries
	if c.lengths = []int{mostBlock, leastBlock}; a.Keys < mostBlock || a.K.Stored() || a.V.Stored() {
		c.lengths = c.lengths[1:]
	}
	c.row = c.rowFor(a.Keys)
	wide := *a
	wide.K, wide.V = k, v
	b := &builder{&code{a: &wide, keys: c.row, steps: c.steps}, compile}
	if t != nil {
		var err error
		if c.few, err = lookups.Compile(a, 4*c.row, t); err != nil && !errors.Is(err, kernel.ErrUnsupported) {
			return nil, err
		}
	}
	c.read = [2]operand{{Matrix: &a.K, port: 1, width: a.Dim}, {Matrix: &a.V, port: 2, width: a.VDim}}
	for i := range c.read {
		if err := c.read[i].compileUnpack(b); err != nil {
			c.Close()
			return nil, err
		}
	}
	for last, queries := range []int{c.queries, a.Queries - (c.blocks-1)*c.queries} {
		if err := c.compile(b, last, queries); err != nil {
			c.Close()
			return nil, err
		}
	}
	c.own, c.copied = c.steps.memory(), kernel.Aligned(leastBlock*max(k.Row*k.DType.Size(), v.Row*v.DType.Size()))
	if c.few != nil {
		c.own = max(c.own, c.few.Scratch())
	}
	c.workers.New = func() any { return new(worker) }
	return c, nil
}

// rowFor is how many scores a row has for some keys and a sink behind them: blocks whose number is a power of two.
func (c *lookup) rowFor(keys int) int {
	return leastBlock << bits.Len(uint(keys/leastBlock+sinks(c.a)-1))
}

// widened is how pieces see keys or values: rows that are stored in blocks are unpacked, side by side.
func widened(m *kernel.Matrix, width int) kernel.Matrix {
	if !m.Stored() {
		return *m
	}
	return kernel.Matrix{Port: kernel.Port{DType: dtype.F32}, Row: width, Col: 1}
}

// operand is keys or values. What is stored in blocks is unpacked: one row; or as many as are copied at once, nil if
// they do not lie side by side.
type operand struct {
	*kernel.Matrix
	port, width           int
	unpackRow, unpackRows *step
}

// compileUnpack compiles what unpacks an operand, if it is stored in blocks.
func (o *operand) compileUnpack(b *builder) (err error) {
	if !o.Stored() {
		return nil
	}
	bytes, _ := o.Format.RowBytes(o.width)
	unpack := func(rows int) (*step, error) {
		return b.step(&kernel.Unpack{Name: "unpack", X: kernel.Port{DType: dtype.U8, Format: o.Format, Len: rows * bytes},
			Out: kernel.Port{DType: dtype.F32, Write: true, Len: rows * o.width}})
	}
	if o.unpackRow, err = unpack(1); err == nil && o.Row == bytes {
		o.unpackRows, err = unpack(leastBlock)
	}
	return err
}

// compile compiles the pieces for a number of queries.
func (c *lookup) compile(b *builder, last, queries int) (err error) {
	c.scores[last], c.product[last], c.softmax[last] = map[int]*step{}, map[addition]*step{}, map[int]*step{}
	for n := leastBlock; n <= c.row; n *= 2 {
		if c.softmax[last][n], err = b.step(b.softmaxKernel(queries, n)); err != nil {
			return err
		}
	}
	if c.few != nil {
		return nil
	}
	for _, n := range c.lengths {
		if c.scores[last][n], err = b.step(b.scoresKernel(queries, n, false)); err != nil {
			return err
		}
		for _, more := range []bool{false, true} {
			k := b.productKernel(queries, n)
			if more {
				add := kernel.NewBody()
				add.Store(2, add.Binary(kernel.Add, add.Input(dtype.F32), add.Load(3, dtype.F32)))
				sum := k.Epilogue.Access[0]
				sum.Write = false
				k.Epilogue = kernel.Epilogue{Body: add.Body(), Access: append(k.Epilogue.Access, sum)}
			}
			if c.product[last][addition{n, more}], err = b.step(k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *lookup) Units() int { return c.batches * c.blocks }

// UnitNanos implements [kernel.Code]: as if three quarters of the keys were seen, since programs for twice as many keys
// serve longer sequences. Keys and values are read from memory, at 20 bytes a nanosecond.
func (c *lookup) UnitNanos() float64 {
	key := float64(c.queries*(c.a.Dim+c.a.VDim))/30 + 5
	for _, m := range []*kernel.Matrix{&c.a.K, &c.a.V} {
		key += float64(m.Row*m.DType.Size()) / 20
	}
	return float64(c.a.Keys) * 3 / 4 * key
}

// Scratch implements [kernel.Code]: scores, copied keys, and what the pieces need.
func (c *lookup) Scratch() int { return c.scoreBytes() + c.copied + c.own }

func (c *lookup) scoreBytes() int { return kernel.Aligned(4 * c.queries * c.row) }

func (c *lookup) Listing() string {
	if c.few != nil {
		return c.few.Listing() + c.softmax[0][leastBlock].code.Listing()
	}
	return c.scores[0][leastBlock].code.Listing() + c.softmax[0][leastBlock].code.Listing() + c.product[0][addition{leastBlock, true}].code.Listing()
}

func (c *lookup) Close() {
	if c.few != nil {
		c.few.Close()
	}
	c.steps.close()
}

func (c *lookup) Run(args *kernel.Args, lo, hi int) {
	w := c.workers.Get().(*worker)
	w.args.Scratch = unsafe.Add(args.Scratch, c.scoreBytes()+c.copied)
	for u := lo; u < hi && args.Fault == 0; u++ {
		c.unit(w, args, u/c.blocks, u%c.blocks)
	}
	*w = worker{}
	c.workers.Put(w)
}

// unit does a block of queries of a batch entry.
func (c *lookup) unit(w *worker, args *kernel.Args, batch, block int) {
	a, last := c.a, 0
	if block == c.blocks-1 {
		last = 1
	}
	of := queries{batch, block * c.queries, min(c.queries, a.Queries-block*c.queries)}
	from, to := c.seen(args, of)
	q, o := at(args.Ptr[0], a, &a.Q, batch, of.first), at(args.Ptr[3], a, &a.O, batch, of.first)
	row := c.rowFor(to - from)
	c.fill(args.Scratch, of.count, to-from, row)
	putSinks(args, a, of, unsafe.Add(args.Scratch, 4*(to-from)), c.row)
	if c.few != nil {
		c.inPlace(w, args, of, from, to, c.softmax[last][row])
		return
	}
	for key := from; key < to; {
		n, k := c.rows(w, args, &c.read[0], batch, key, to)
		if n == 0 {
			args.Fault = 1
			return
		}
		ports := append(w.ptr[:0], q, k, unsafe.Add(args.Scratch, 4*(key-from)))
		if a.Mask != nil {
			m := at(args.Ptr[4], a, a.Mask, batch, of.first)
			ports = append(ports, unsafe.Add(m, key*a.Mask.Col*a.Mask.DType.Size()))
		}
		c.scores[last][n].run(&w.args, ports)
		key += n
	}
	c.softmax[last][row].run(&w.args, append(w.ptr[:0], args.Scratch, args.Scratch))
	for key := from; key < to; {
		n, v := c.rows(w, args, &c.read[1], batch, key, to)
		more := key > from
		ports := append(w.ptr[:0], unsafe.Add(args.Scratch, 4*(key-from)), v, o)
		if more {
			ports = append(ports, o)
		}
		c.product[last][addition{n, more}].run(&w.args, ports)
		key += n
	}
}

// inPlace does a few queries, which see the keys between two, by code for them.
func (c *lookup) inPlace(w *worker, args *kernel.Args, q queries, from, to int, softmax *step) {
	a := c.a
	row := func(port int, m *kernel.Matrix, row int) unsafe.Pointer {
		return at(args.Ptr[port], a, m, q.batch, row)
	}
	o := lookups.Operands{Q: row(0, &a.Q, q.first), K: row(1, &a.K, 0), V: row(2, &a.V, 0), Out: row(3, &a.O, q.first),
		Places: row(a.IndexPort(), a.Index, from), Scores: args.Scratch, Keys: to - from}
	if a.Mask != nil {
		o.Mask = unsafe.Add(row(4, a.Mask, q.first), from*a.Mask.DType.Size())
	}
	if !c.few.Scores(w.args.Scratch, &o) {
		args.Fault = 1
		return
	}
	softmax.run(&w.args, append(w.ptr[:0], args.Scratch, args.Scratch))
	c.few.Sums(w.args.Scratch, &o)
}

// seen returns the keys that queries see, in whole blocks of keys, at least one: all between the first and the last key
// that a mask of bools shows to one of the queries.
func (c *lookup) seen(args *kernel.Args, q queries) (from, to int) {
	a := c.a
	if a.Mask == nil || !a.MaskIsBool || a.Mask.Col != 1 {
		return 0, a.Keys
	}
	if a.Mask.Row == 0 {
		q.count = 1
	}
	from, to = a.Keys, 0
	for i := range q.count {
		row := unsafe.Slice((*byte)(at(args.Ptr[4], a, a.Mask, q.batch, q.first+i)), a.Keys)
		for n := len(row); n > to; n-- {
			if row[n-1] != 0 {
				to = n
			}
		}
		for n, shown := range row[:min(from, to)] {
			if shown != 0 {
				from = n
				break
			}
		}
	}
	from, to = min(from, to)/leastBlock*leastBlock, (to+leastBlock-1)/leastBlock*leastBlock
	return from, max(to, from+leastBlock)
}

// fill hides what the rows of scores have behind the keys that are seen.
func (c *lookup) fill(scores unsafe.Pointer, queries, seen, row int) {
	for i := range queries {
		list := unsafe.Slice((*float32)(unsafe.Add(scores, 4*i*c.row)), row)[seen:]
		for j := range list {
			list[j] = float32(math.Inf(-1))
		}
	}
}

// rows returns rows of keys or values from a key on: as many as pieces are for and have neighbouring places, or else the
// first few of them, copied to scratch memory. It returns 0 if a place does not exist.
func (c *lookup) rows(w *worker, args *kernel.Args, o *operand, batch, key, to int) (n int, rows unsafe.Pointer) {
	a := c.a
	places, stride := at(args.Ptr[a.IndexPort()], a, a.Index, batch, key), a.Index.Row
	place := func(j int) int { return int(*(*int64)(unsafe.Add(places, 8*j*stride))) }
	start := at(args.Ptr[o.port], a, o.Matrix, batch, 0)
	from, size := place(0), o.Row*o.DType.Size()
	if o.Stored() {
		return c.unpacked(w, args, o, start, place)
	}
	for _, n := range c.lengths {
		if n > to-key || from < 0 || from+n > a.Places {
			continue
		}
		same := 1
		for same < n && place(same) == from+same {
			same++
		}
		if same == n {
			return n, unsafe.Add(start, from*size)
		}
	}
	rows = unsafe.Add(args.Scratch, c.scoreBytes())
	for j := range leastBlock {
		p := place(j)
		if p < 0 || p >= a.Places {
			return 0, nil
		}
		line := unsafe.Slice((*byte)(unsafe.Add(start, p*size)), o.width*o.DType.Size())
		copy(unsafe.Slice((*byte)(unsafe.Add(rows, j*size)), len(line)), line)
	}
	return leastBlock, rows
}

// unpacked returns rows of keys or values that are stored in blocks, unpacked to scratch memory. It returns 0 if a
// place does not exist.
func (c *lookup) unpacked(w *worker, args *kernel.Args, o *operand, start unsafe.Pointer, place func(int) int) (n int, rows unsafe.Pointer) {
	size, rows := o.Row*o.DType.Size(), unsafe.Add(args.Scratch, c.scoreBytes())
	from, together := place(0), o.unpackRows != nil
	for j := range leastBlock {
		p := place(j)
		if p < 0 || p >= c.a.Places {
			return 0, nil
		}
		together = together && p == from+j
	}
	if together {
		o.unpackRows.run(&w.args, append(w.ptr[:0], unsafe.Add(start, from*size), rows))
		return leastBlock, rows
	}
	for j := range leastBlock {
		o.unpackRow.run(&w.args, append(w.ptr[:0], unsafe.Add(start, place(j)*size), unsafe.Add(rows, 4*j*o.width)))
	}
	return leastBlock, rows
}
