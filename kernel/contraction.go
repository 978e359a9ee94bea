package kernel

import "github.com/go-acap/acap/base/dtype"

// Contraction is C[b, m, n] = epilogue(Σₖ A[b, m, k] · B[b, k, n]). The products
// are summed in Acc; the epilogue turns the sum into what is stored.
//
// Loops, in this order: the batch loops, m, n. Port 0 is A, port 1 is B, then
// the ports of the epilogue; what the epilogue stores is the result, so there is
// no separate C.
type Contraction struct {
	Name    string
	Batch   []int // extents, outermost first; may be empty
	M, N, K int
	A, B    Matrix
	// Rounded says that the rows of A are rounded to 8 bits before they are multiplied: blocks of 32 along k, each
	// to 255 multiples of a scale, as package block's Round does. It goes with B in stored blocks alone.
	Rounded  bool
	Acc      dtype.DType // f32, f64 or i32 (i64 for wide integers)
	Epilogue Epilogue
}

// Matrix is a strided view of an operand of a contraction.
//
// B may be stored in blocks of a packed format ([Port.Stored]): k walks along the values of blocks that lie side by side,
// and all strides count bytes. Row is that of a block, and K is a multiple of the values of one.
type Matrix struct {
	Port
	Offset   int
	Batch    []int // stride of each batch loop
	Row, Col int   // strides of its two matrix dimensions: A: m, k; B: k, n
}

// Epilogue is the pointwise work on the accumulator before it is stored. In its
// body [Input] is the accumulator; Load and Store use port numbers of the whole
// kernel, whose strides are in Access[port-first], over the kernel's loops.
type Epilogue struct {
	Access []Access // strides over the kernel's loops are in Outer; Inner is empty
	Body   Body
}

// Ports implements [Kernel].
func (c *Contraction) Ports() []Port {
	return append([]Port{c.A.Port, c.B.Port}, c.Epilogue.ports()...)
}

// OnSums returns the nest over loops of the given extents that does the work of e on sums that lie in
// memory. The sums are its port 0; the ports of e follow, with the strides that outer says for them.
func (e *Epilogue) OnSums(sums Access, extents []int, outer func(Access) []int) *Nest {
	n := &Nest{Name: "epilogue", Outer: extents, Access: []Access{sums}}
	for _, a := range e.Access {
		b := Access{Port: a.Port, Outer: outer(a)}
		b.Len, b.Const = 1, false
		for i, stride := range b.Outer {
			b.Len += (extents[i] - 1) * stride
		}
		n.Access = append(n.Access, b)
	}
	body := append(Body(nil), e.Body...)
	for i := range body {
		switch body[i].Op {
		case Input:
			body[i] = Instr{Op: Load, Type: body[i].Type}
		case Load, Store:
			body[i].Port--
		}
	}
	n.Stages = []Stage{{Body: body}}
	return n
}

func (e *Epilogue) ports() []Port {
	ports := make([]Port, len(e.Access))
	for i, a := range e.Access {
		ports[i] = a.Port
	}
	return ports
}

// Convolution is a 2-d convolution (cross-correlation, as in PyTorch):
//
//	Y[n, k, p, q] = epilogue(Σ_{c,r,s} X[n, g·C/G+c, p·Stride₀+r·Dilation₀-Pad₀, …] · W[k, c, r, s])
//
// with zero outside X. Loops, in this order: n, k, p, q. Port 0 is X, port 1 is
// W, then the ports of the epilogue.
type Convolution struct {
	Name             string
	N, C, H, W       int // input; C counts all groups
	K, P, Q          int // output channels (all groups), height, width
	R, S             int // filter
	Stride, Dilation [2]int
	Pad              [2]int // before the first row and column; after follows from P, Q
	Groups           int
	X                Image // strides of n, c, h, w
	Filter           Image // strides of k, c, r, s
	Acc              dtype.DType
	Epilogue         Epilogue
}

// Image is a strided view of a four-dimensional operand.
type Image struct {
	Port
	Offset  int
	Strides [4]int
}

// Ports implements [Kernel].
func (c *Convolution) Ports() []Port {
	return append([]Port{c.X.Port, c.Filter.Port}, c.Epilogue.ports()...)
}

// Attention is O = softmax(Scale·Q·Kᵀ + mask)·V for every batch entry, over the
// last axis, computed block by block with a running maximum and sum. Ports: 0 Q,
// 1 K, 2 V, 3 O, 4 the mask if there is one.
type Attention struct {
	Name       string
	Batch      []int // extents
	Queries    int   // rows of Q
	Keys       int   // rows of K and V
	Dim, VDim  int   // columns of Q and K; of V
	Scale      float64
	Causal     bool   // key j is visible to query i if j <= i
	Safe       bool   // a query whose scores are all -Inf gives 0, not NaN
	Q, K, V, O Matrix // Row is the stride of the position, Col of the feature
	Mask       *Matrix
	MaskIsBool bool // a bool mask: false hides; otherwise it is added
	Acc        dtype.DType
}

// Ports implements [Kernel].
func (a *Attention) Ports() []Port {
	ports := []Port{a.Q.Port, a.K.Port, a.V.Port, a.O.Port}
	if a.Mask != nil {
		ports = append(ports, a.Mask.Port)
	}
	return ports
}
