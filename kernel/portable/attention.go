package portable

import (
	"math"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// attentionCode does blocks of queries against blocks of keys with a running
// maximum and sum for each query; a unit is one block of queries.
type attentionCode struct {
	described
	k        *kernel.Attention
	blocks   int        // of queries
	operands [3]operand // queries, keys and values
	mask     reader[float64]
	workers  sync.Pool
}

// operand is a matrix of rows that are read from a port.
type operand struct {
	*kernel.Matrix
	read        reader[float64]
	port, width int
}

// rows reads n rows of a batch entry, from the first on.
func (o *operand) rows(dst []float64, args *kernel.Args, entry, first, n int) {
	for i := range n {
		o.read(dst[i*o.width:(i+1)*o.width], args.Ptr[o.port], entry+(first+i)*o.Row, o.Col)
	}
}

const (
	queryBlock = 16
	keyBlock   = 64
)

// attentionWorker is the work on a block of queries. It holds rows in float64.
type attentionWorker struct {
	batch, first, queries int

	q, k, v []float64 // blocks of rows
	score   [keyBlock]float64
	mask    [keyBlock]float64
	largest [queryBlock]float64
	sum     [queryBlock]float64
	out     []float64
}

func init() { register(compileAttention) }

func compileAttention(k *kernel.Attention, _ bool) kernel.Code {
	c := &attentionCode{described: described{how: "running softmax", kernel: k}, k: k, blocks: (k.Queries + queryBlock - 1) / queryBlock}
	for i, m := range []*kernel.Matrix{&k.Q, &k.K, &k.V} {
		c.operands[i] = operand{m, readerOf[float64](m.DType), i, []int{k.Dim, k.Dim, k.VDim}[i]}
		if m.Stored() {
			c.operands[i].read = blockReader[float64](m)
		}
	}
	if k.Mask != nil {
		c.mask = readerOf[float64](k.Mask.DType)
	}
	c.workers.New = func() any {
		return &attentionWorker{
			q: make([]float64, queryBlock*k.Dim), k: make([]float64, keyBlock*k.Dim),
			v: make([]float64, keyBlock*k.VDim), out: make([]float64, queryBlock*k.VDim),
		}
	}
	return c
}

func (c *attentionCode) Units() int { return shape.Size(c.k.Batch) * c.blocks }

func (c *attentionCode) UnitNanos() float64 {
	return float64(queryBlock*c.k.Keys) * (float64(c.k.Dim+c.k.VDim) + 20)
}

func (c *attentionCode) Run(args *kernel.Args, lo, hi int) {
	w := c.workers.Get().(*attentionWorker)
	for u := lo; u < hi; u++ {
		c.unit(w, args, u)
	}
	c.workers.Put(w)
}

func (c *attentionCode) unit(w *attentionWorker, args *kernel.Args, u int) {
	k := c.k
	w.batch, w.first = u/c.blocks, u%c.blocks*queryBlock
	w.queries = min(k.Queries-w.first, queryBlock)
	c.operands[0].rows(w.q, args, k.Q.EntryAt(k.Batch, w.batch), w.first, w.queries)
	for i := range w.queries {
		w.largest[i], w.sum[i] = math.Inf(-1), 0
		if k.Sinks != nil {
			at := k.Sinks.EntryAt(k.Batch, w.batch) + (w.first+i)*k.Sinks.Row
			sink := *(*float32)(unsafe.Add(args.Ptr[k.SinksPort()], 4*at))
			if w.largest[i] = float64(sink); !math.IsInf(w.largest[i], -1) {
				w.sum[i] = 1
			}
		}
	}
	clear(w.out)
	keys := k.Keys
	if k.Causal {
		keys = min(keys, w.first+w.queries)
	}
	for j0 := 0; j0 < keys; j0 += keyBlock {
		n := min(keys-j0, keyBlock)
		if !c.readKeys(w, args, j0, n) {
			args.Fault = 1
			return
		}
		for i := range w.queries {
			c.scores(w, args, i, j0, n)
			c.update(w, i, n)
		}
	}
	c.write(w, args.Ptr[3])
}

// readKeys reads the rows of n keys and values from key j0 on, or those that an index names from there on. It reports
// whether they exist.
func (c *attentionCode) readKeys(w *attentionWorker, args *kernel.Args, j0, n int) bool {
	k := c.k
	keys, values := k.K.EntryAt(k.Batch, w.batch), k.V.EntryAt(k.Batch, w.batch)
	if k.Index == nil {
		c.operands[1].rows(w.k, args, keys, j0, n)
		c.operands[2].rows(w.v, args, values, j0, n)
		return true
	}
	index := k.Index.EntryAt(k.Batch, w.batch)
	for j := range n {
		place := *(*int64)(unsafe.Add(args.Ptr[k.IndexPort()], 8*(index+(j0+j)*k.Index.Row)))
		if place < 0 || place >= int64(k.Places) {
			return false
		}
		c.operands[1].rows(w.k[j*k.Dim:], args, keys, int(place), 1)
		c.operands[2].rows(w.v[j*k.VDim:], args, values, int(place), 1)
	}
	return true
}

// scores computes the masked scores of query i of the block against n keys from j0.
func (c *attentionCode) scores(w *attentionWorker, args *kernel.Args, i, j0, n int) {
	k := c.k
	q := w.q[i*k.Dim : (i+1)*k.Dim]
	if k.Mask != nil {
		at := k.Mask.EntryAt(k.Batch, w.batch) + (w.first+i)*k.Mask.Row + j0*k.Mask.Col
		c.mask(w.mask[:n], args.Ptr[4], at, k.Mask.Col)
	}
	for j := range n {
		s := k.Scale * dot(q, w.k[j*k.Dim:(j+1)*k.Dim])
		if k.Cap != 0 {
			s = k.Cap * math.Tanh(s/k.Cap)
		}
		if k.Mask != nil {
			switch v := w.mask[j]; {
			case !k.MaskIsBool:
				s += v
			case v == 0:
				s = math.Inf(-1)
			}
		}
		if k.Causal && j0+j > w.first+i {
			s = math.Inf(-1)
		}
		w.score[j] = s
	}
}

// update adds n scored keys to query i: the old sum and output shrink by the change of the maximum.
func (c *attentionCode) update(w *attentionWorker, i, n int) {
	top := w.largest[i]
	for _, s := range w.score[:n] {
		top = max(top, s)
	}
	out := w.out[i*c.k.VDim : (i+1)*c.k.VDim]
	visible := !math.IsInf(top, -1)
	if shrink := math.Exp(w.largest[i] - top); visible && shrink != 1 {
		w.sum[i] *= shrink
		for x := range out {
			out[x] *= shrink
		}
	}
	w.largest[i] = top
	for j, s := range w.score[:n] {
		p := 0.0
		if visible {
			p = math.Exp(s - top)
		}
		w.sum[i] += p
		// A hidden key counts too: zero times a value that is not finite is NaN.
		for x, v := range w.v[j*c.k.VDim : (j+1)*c.k.VDim] {
			out[x] += p * v
		}
	}
}

// write divides by the sums. A query that sees no key has the sum 0: it gives NaN, as the softmax
// of a row of -Inf does, or 0 if the kernel is safe.
func (c *attentionCode) write(w *attentionWorker, p unsafe.Pointer) {
	k := c.k
	at := k.O.EntryAt(k.Batch, w.batch)
	for i := range w.queries {
		sum := w.sum[i]
		if k.Safe && sum == 0 {
			sum = 1
		}
		for x := range k.VDim {
			v := w.out[i*k.VDim+x] / sum
			dst := unsafe.Add(p, (at+(w.first+i)*k.O.Row+x*k.O.Col)*k.O.DType.Size())
			writeFloat(k.O.DType, dst, v)
		}
	}
}

func writeFloat(d dtype.DType, p unsafe.Pointer, v float64) {
	if d == dtype.F64 {
		*(*float64)(p) = v
		return
	}
	x := float32(v)
	storeLanes(d, unsafe.Pointer(&x), p, 1, 1)
}
