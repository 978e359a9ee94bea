package workload

import (
	"encoding/json"
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// Kind selects which description of a [Kernel] is set.
type Kind uint8

// The kinds of kernels.
const (
	KindInvalid Kind = iota
	KindContraction
	KindPointwise
	KindNormalize
	KindAttention
	KindConvolution
	KindMove
)

// String returns the kind's name.
func (k Kind) String() string {
	return [...]string{"invalid", "contraction", "pointwise", "normalize", "attention",
		"convolution", "move"}[k]
}

// Kernel is one kernel. Exactly the field that Kind names is used.
type Kernel struct {
	Name string
	Kind Kind

	Contraction Contraction
	Pointwise   Pointwise
	Normalize   Normalize
	Attention   Attention
	Convolution Convolution
	Move        Move
}

// Stream is one array that a kernel reads or writes besides its main operands.
type Stream struct {
	DType    dtype.DType
	Elements int64 // fewer than the iteration space means broadcast
	Constant bool  // the same on every run (weights, tables)
	// Walk says where the iteration space reads the array when that is neither in
	// order nor the whole array again and again, such as one value per channel.
	Walk *Walk
	// Late says that only the last pass over the rows of a normalization reads the
	// array.
	Late bool
	// Axes are the dimensions of a product that an input of its epilogue varies
	// along; 0 means to conclude them from the number of elements.
	Axes Axes
	// Table is the length of an array that is read at computed places. For a table, Elements is the number of elements
	// that one point of the iteration space reads. Reads is the number of elements that one unit (a point, or a row)
	// reads. Rounds is one more than the number of times that a place depends on an element that was read before.
	Table, Reads, Rounds int
	// Packed is the bytes of an array that does not lie element by element; 0 for one that does.
	Packed int64
}

// Axes is a set of dimensions of a product.
type Axes uint8

// The dimensions of a product.
const (
	AxisBatch Axes = 1 << iota
	AxisM
	AxisN
)

// Varies returns the dimensions along which an input of the epilogue varies.
func (c *Contraction) Varies(s Stream) Axes {
	n, batch := s.Elements, int64(c.Batch)
	switch {
	case s.Axes != 0:
		return s.Axes
	case n == int64(c.N):
		return AxisN
	case n == int64(c.N)*batch:
		return AxisN | AxisBatch
	case n == int64(c.M):
		return AxisM
	case n == int64(c.M)*batch:
		return AxisM | AxisBatch
	}
	return AxisBatch | AxisM | AxisN
}

// Along reports whether the axes, beside the batch, are rows alone (m) or columns alone (n).
func (a Axes) Along() (m, n bool) {
	a &= AxisM | AxisN
	return a == AxisM, a == AxisN
}

// Carried returns the bytes in which one element of the stream travels.
func (s Stream) Carried() int {
	if s.Walk != nil {
		return s.Walk.Carried(s.DType.Size())
	}
	return s.DType.Size()
}

// Bytes returns the size of the stream.
func (s Stream) Bytes() int64 {
	if s.Packed > 0 {
		return s.Packed
	}
	return s.Elements * int64(s.DType.Size())
}

// Mix is the operations done per element of an iteration space.
type Mix struct {
	Simple         float64 // add, mul, compare, select, convert: one lane operation
	Divide         float64 // div, sqrt, rsqrt
	Transcendental float64 // exp, log, tanh, erf, sin
	Serial         float64 // operations that wait for the element before
	// Routine names a measured routine of the machine ("silu_mul", "gelu") that
	// is the whole body; empty means: count the operations above.
	Routine string
}

// Total returns the number of operations per element.
func (m Mix) Total() float64 { return m.Simple + m.Divide + m.Transcendental + m.Serial }

// Epilogue is the work that a contraction or convolution does on its result before the result leaves the core.
type Epilogue struct {
	Ops  Mix
	In   []Stream      // bias, residual, scale
	Also []dtype.DType // results besides the first, each of a value at every point
}

// Results returns the types of all results, the first of which is given.
func (e *Epilogue) Results(first dtype.DType) []dtype.DType {
	return append([]dtype.DType{first}, e.Also...)
}

// ResultBytes returns the bytes of all results at one point.
func (e *Epilogue) ResultBytes(first dtype.DType) int {
	n := first.Size()
	for _, t := range e.Also {
		n += t.Size()
	}
	return n
}

// outputs are the results over a number of points.
func (e *Epilogue) outputs(first dtype.DType, points int64) []Stream {
	var out []Stream
	for _, t := range e.Results(first) {
		out = append(out, Stream{DType: t, Elements: points})
	}
	return out
}

// Operand is one of the two factors of a contraction.
type Operand struct {
	DType      dtype.DType
	Constant   bool // the same on every run
	Transposed bool // stored with the contracted dimension where it is unusual
	Shared     bool // one matrix for the whole batch
	// Format packs values of DType: of i8 for i4, else of a floating type.
	Format dtype.Format
	// Rounded tells that the elements have the values of a packed format, though they are not packed.
	Rounded dtype.Format
	// Zeros says that two of every four values along the sum are zero, though they are stored as elements.
	Zeros bool `json:",omitempty"`
}

// Contraction is a batched matrix product: A is M × K, B is K × N.
type Contraction struct {
	Batch, M, N, K int
	A, B           Operand
	Acc            dtype.DType // accumulator
	Out            dtype.DType
	Epilogue       Epilogue
}

// Pointwise applies a body to every element.
type Pointwise struct {
	Elements int64
	DType    dtype.DType // type computed in
	In, Out  []Stream
	Ops      Mix
}

// Normalize reduces rows and, when it has further passes, rescales them.
type Normalize struct {
	Rows, Cols int
	DType      dtype.DType // type computed in
	Passes     int         // walks over a row: 1 for a sum, 2 for rms norm, 3 for softmax
	Ops        Mix         // per element, all passes together
	RowOps     Mix         // once per row (rsqrt, reciprocal)
	Split      Split       // how rows that no core can hold are taken in pieces
	// Line is how many results lie side by side where a row has several: lanes take them at once.
	// 0 is a row that is folded as a whole.
	Line int
	// Products is the multiply-accumulates of a row, which Ops leaves out.
	Products int
	In, Out  []Stream
}

// Split is a way to take rows in pieces.
type Split uint8

// The ways to take rows in pieces.
const (
	SplitPasses Split = iota // a row piece by piece, once for every pass
	SplitNever               // a core must have a whole row
	SplitMerges              // pieces are sorted, then merged two by two
	SplitRanges              // a range of the result at a time, past which all updates go
)

// Walk returns the order in which a stream of the kernel is read: of one that has
// none of its own, as an array of all rows, of one row for all, or of one value for
// every row.
func (n *Normalize) Walk(s Stream) *Walk {
	w := &Walk{Outer: []Loop{{Size: n.Rows, Stride: n.Cols}}, Inner: []Loop{{Size: n.Cols, Stride: 1}}}
	switch {
	case s.Walk != nil:
		return s.Walk
	case s.Elements >= int64(n.Rows)*int64(n.Cols):
	case s.Elements == int64(n.Cols):
		w.Outer[0].Stride = 0
	default:
		w.Outer[0].Stride, w.Inner[0].Stride = 1, 0
	}
	return w
}

// Attention is softmax(Q Kᵀ · scale + mask) V for every head.
type Attention struct {
	Batch, Heads, KVHeads int
	Sq, Sk, D, DV         int
	Causal                bool
	Mask                  *Mask // nil for none
	DType, Acc            dtype.DType
}

// Mask is added to the scores of attention, or hides those where it is false: a
// matrix of queries and keys.
type Mask struct {
	DType   dtype.DType
	Heads   []Loop // loops over all heads, with the matrices from one trip to the next
	Queries int    // rows of a matrix: 1 if it is the same for all queries
}

// Matrices returns the number of different matrices.
func (m *Mask) Matrices() int {
	n := 1
	for _, l := range m.Heads {
		n += (l.Size - 1) * l.Stride
	}
	return n
}

// Matrix returns the number of the matrix that a head uses.
func (m *Mask) Matrix(head int) int { return Reach(m.Heads, head) }

// Rows returns the rows of the mask for a tile of queries.
func (m *Mask) Rows(queries int) int {
	if m.Queries == 1 {
		return 1
	}
	return queries
}

// Convolution is two-dimensional; one dimension is H = R = 1.
type Convolution struct {
	N, C, H, W           int
	K, R, S              int
	StrideH, StrideW     int
	PadTop, PadLeft      int
	PadBottom, PadRight  int
	DilationH, DilationW int
	Groups               int
	In, Weight, Acc, Out dtype.DType
	ConstantWeight       bool
	Epilogue             Epilogue
}

// Move rearranges data without arithmetic.
type Move struct {
	DType    dtype.DType
	Elements int64 // elements written
	// Shape and Perm describe a transpose: dimension i of the result is
	// dimension Perm[i] of the source. Both nil means copy.
	Shape []int
	Perm  []int
	// Walk is the order in which the source is read where Shape and Perm do not say
	// it: forwards and in whole words, as a DMA must.
	Walk *Walk
	// ReadRun and WriteRun are contiguous elements on each side; 0 means to
	// derive them from Shape and Perm.
	ReadRun, WriteRun int
	Indexed           bool // the source is chosen by an index array (gather)
}

// Key is equal for kernels that differ in no more than their names.
func (k *Kernel) Key() string {
	same := *k
	same.Name = ""
	text, err := json.Marshal(&same)
	if err != nil {
		panic("BUG: workload: " + err.Error())
	}
	return string(text)
}

// Check finds out whether the kernel can be counted without overflow. The error names the first extent, type or operand
// that is out of range.
func (k *Kernel) Check() error {
	check := func(what string, v int64) error {
		if v < 1 || v > 1<<40 {
			return fmt.Errorf("workload %s: %s %s is %d", k.Name, k.Kind, what, v)
		}
		return nil
	}
	for _, d := range k.extents() {
		if err := check(d.name, d.value); err != nil {
			return err
		}
	}
	if k.Kind == KindInvalid || k.Kind > KindMove {
		return fmt.Errorf("workload %s has no kind", k.Name)
	}
	for _, t := range k.types() {
		if !t.Valid() {
			return fmt.Errorf("workload %s: %s of type %v", k.Name, k.Kind, t)
		}
	}
	for _, o := range k.operands() {
		if !o.packable() {
			return fmt.Errorf("workload %s: an operand of %v packed as %v is not known to arrays", k.Name, o.DType, o.Format)
		}
	}
	if k.Kind == KindConvolution {
		c := &k.Convolution
		if c.C%c.Groups != 0 || c.K%c.Groups != 0 {
			return fmt.Errorf("workload %s: %d groups do not divide %d and %d channels",
				k.Name, c.Groups, c.C, c.K)
		}
		for _, pad := range []int{c.PadTop, c.PadLeft, c.PadBottom, c.PadRight} {
			if pad < -1<<40 || pad > 1<<40 {
				return fmt.Errorf("workload %s: %s padding is %d", k.Name, k.Kind, pad)
			}
		}
		if max(float64(c.H), float64(c.OutH())*float64(c.R), float64(c.W), float64(c.OutW())*float64(c.S)) > maxPlaces {
			return fmt.Errorf("workload %s: %d x %d windows of %d x %d on a picture of %d x %d are more than can be counted",
				k.Name, c.OutH(), c.OutW(), c.R, c.S, c.H, c.W)
		}
		if c.OutH() < 1 || c.OutW() < 1 {
			return fmt.Errorf("workload %s: output is %d x %d", k.Name, c.OutH(), c.OutW())
		}
	}
	if a := &k.Attention; k.Kind == KindAttention && a.Heads%a.KVHeads != 0 {
		return fmt.Errorf("workload %s: %d heads cannot share %d heads of keys and values", k.Name, a.Heads, a.KVHeads)
	}
	if v := k.volume(); v > maxVolume {
		return fmt.Errorf("workload %s: %s of %g points", k.Name, k.Kind, v)
	}
	return nil
}

// types returns the types of the operands, sums and results of a product or a convolution, nil for other kernels.
func (k *Kernel) types() []dtype.DType {
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return []dtype.DType{c.A.DType, c.B.DType, c.Acc, c.Out}
	case KindConvolution:
		c := &k.Convolution
		return []dtype.DType{c.In, c.Weight, c.Acc, c.Out}
	}
	return nil
}

// operands returns the operands of a product, nil for other kernels.
func (k *Kernel) operands() []*Operand {
	if k.Kind != KindContraction {
		return nil
	}
	return []*Operand{&k.Contraction.A, &k.Contraction.B}
}

// maxPlaces bounds what a dimension of a picture, and of the windows on it, may have: they are counted one by one.
const maxPlaces = 1 << 26

// maxVolume keeps counts of operations and bytes within 64 bits.
const maxVolume = 1e17

// volume is the number of points of the iteration space, which no count of
// elements or operations exceeds by more than a small factor.
func (k *Kernel) volume() float64 {
	product := func(extents ...int) float64 {
		v := 1.0
		for _, e := range extents {
			v *= float64(e)
		}
		return v
	}
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return product(c.Batch, c.M, c.N, c.K)
	case KindNormalize:
		return product(k.Normalize.Rows, k.Normalize.Cols)
	case KindAttention:
		a := &k.Attention
		return product(a.Batch, max(a.Heads, a.KVHeads), a.Sq, a.Sk, a.D+a.DV)
	case KindConvolution:
		c := &k.Convolution
		return product(c.N, c.K, c.OutH(), c.OutW(), c.C, c.R, c.S) + product(c.N, c.C, c.H, c.W)
	}
	return 0
}

type extent struct {
	name  string
	value int64
}

func (k *Kernel) extents() []extent {
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return []extent{{"batch", int64(c.Batch)}, {"M", int64(c.M)}, {"N", int64(c.N)},
			{"K", int64(c.K)}}
	case KindPointwise:
		return []extent{{"elements", k.Pointwise.Elements}}
	case KindNormalize:
		return []extent{{"rows", int64(k.Normalize.Rows)}, {"cols", int64(k.Normalize.Cols)}}
	case KindAttention:
		a := &k.Attention
		return []extent{{"batch", int64(a.Batch)}, {"heads", int64(a.Heads)},
			{"kv heads", int64(a.KVHeads)}, {"Sq", int64(a.Sq)}, {"Sk", int64(a.Sk)},
			{"D", int64(a.D)}, {"DV", int64(a.DV)}}
	case KindConvolution:
		c := &k.Convolution
		return []extent{{"N", int64(c.N)}, {"C", int64(c.C)}, {"H", int64(c.H)},
			{"W", int64(c.W)}, {"K", int64(c.K)}, {"R", int64(c.R)}, {"S", int64(c.S)},
			{"stride", int64(min(c.StrideH, c.StrideW))}, {"groups", int64(c.Groups)},
			{"dilation", int64(min(c.DilationH, c.DilationW))}}
	case KindMove:
		return []extent{{"elements", k.Move.Elements}}
	}
	return nil
}
