package predict

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/workload"
)

// subject is what a row measured: a kernel and how it was mapped.
type subject struct {
	kernel  workload.Kernel
	mapping mapping.Mapping
	mapped  bool // the row names its mapping, or it is one that all rows of the kind were measured in
	named   bool // the former
}

// read turns a plain row into a subject, and writes the shape that its workload names
// into the row.
func (r *Row) read(m *machine.Machine) (*subject, error) {
	if !m.Programmed() {
		return r.product()
	}
	s, err := r.kernel(m)
	if err != nil {
		return nil, err
	}
	s.kernel.Classify()
	if !s.mapped {
		return s, nil
	}
	if err := r.check(m, s); err != nil {
		return s, err
	}
	if err := holds(m, s); err != nil {
		if s.mapped = s.named; s.named {
			return s, err
		}
	}
	return s, nil
}

func (r *Row) kernel(m *machine.Machine) (*subject, error) {
	name := kernelName(r.Workload)
	switch family(name) {
	case "gemm":
		return r.gemm(m)
	case "gemv":
		return r.gemv()
	case "pointwise":
		return r.pointwise(m, name)
	case "norms", "rope", "softmax":
		return r.rows(m, name)
	case "attention":
		return r.attention(m)
	case "convolution":
		return r.convolution()
	}
	return nil, fmt.Errorf("unknown workload %q", r.Workload)
}

// check refuses a mapping that the row's other columns, the machine or the types
// contradict.
func (r *Row) check(m *machine.Machine, s *subject) error {
	g := &s.mapping
	if s.kernel.Kind == workload.KindContraction {
		s.named = true
	}
	if g.Cols > m.Grid.Cols || g.Rows > m.Grid.CoreRows {
		return fmt.Errorf("the row names %d x %d cores; %s has %d x %d", g.Cols, g.Rows, m.Name,
			m.Grid.Cols, m.Grid.CoreRows)
	}
	if r.Tiles > 0 && r.Tiles != g.Cores() {
		return fmt.Errorf("measured on %d cores, but its mapping has %d x %d", r.Tiles, g.Cols, g.Rows)
	}
	style, ok := m.Compute.Styles[g.Style]
	if g.Style != "" && !ok {
		return fmt.Errorf("%s has no kernels of style %q", m.Name, g.Style)
	}
	c := &s.kernel.Contraction
	if s.kernel.Kind != workload.KindContraction || style.Accumulate == "" {
		return nil
	}
	if style.Accumulate != c.Acc.String() {
		return fmt.Errorf("kernels of style %s sum in %s, not in %v", g.Style, style.Accumulate, c.Acc)
	}
	if converts := style.Convert.Value+style.Cast.Value > 0; converts != (c.Out != c.Acc) {
		return fmt.Errorf("style %s does not turn sums in %v into an output in %v", g.Style, c.Acc, c.Out)
	}
	return nil
}

// errNoProduct is that of a row whose product has no size.
var errNoProduct = errors.New("no shape: give the product's M, K and N")

// product is the product, or the convolution, that a row of an array without programs is of. Its words are bytes,
// whatever their type.
func (r *Row) product() (*subject, error) {
	if family(kernelName(r.Workload)) == "convolution" {
		c, err := r.windows()
		return &subject{kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindConvolution, Convolution: c}}, err
	}
	if min(r.M, r.K, r.N) < 1 {
		return nil, errNoProduct
	}
	s := &subject{} // the mapping follows from the array
	if v := notation.Numbers(layerName, r.Workload); v != nil {
		c := workload.Convolution{N: 1, H: v[0], W: v[1], C: v[2], K: r.N, R: v[3], S: v[4], StrideH: v[5], StrideW: v[5],
			DilationH: 1, DilationW: 1, Groups: 1, In: dtype.I8, Weight: dtype.I8, Acc: dtype.I8, Out: dtype.I8}
		toCeiling(&c)
		if c.OutH()*c.OutW() != r.M || c.C*c.R*c.S != r.K {
			return nil, fmt.Errorf("the layer has %d x %d windows of %d elements, where M is %d and K %d", c.OutH(), c.OutW(), c.C*c.R*c.S, r.M, r.K)
		}
		s.kernel = workload.Kernel{Name: r.Workload, Kind: workload.KindConvolution, Convolution: c}
		return s, nil
	}
	i8 := workload.Operand{DType: dtype.I8}
	s.kernel = workload.Kernel{Name: r.Workload, Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: r.M, N: r.N, K: r.K, A: i8, B: i8,
			Acc: dtype.I8, Out: dtype.I8}}
	return s, nil
}

// grid returns columns, rows and tile of a flat kernel. Rows of the file that
// give only the number of cores used as many columns as divide it.
func (r *Row) grid(m *machine.Machine) (cols, rows, tile int) {
	if v := notation.Numbers(configNote, r.Notes); v != nil {
		return v[0], v[1], v[2]
	}
	cores := max(1, r.Tiles)
	cols = min(cores, m.Grid.Cols)
	for cores%cols != 0 {
		cols--
	}
	return cols, cores / cols, 0
}

// bodies are what flat kernels compute from how many inputs.
var bodies = map[string]struct {
	ins int
	ops workload.Mix
}{
	"eltwise_add": {2, workload.Mix{Simple: 1}},
	"eltwise_mul": {2, workload.Mix{Simple: 1}},
	"silu_mul":    {2, workload.Mix{Simple: 3, Divide: 1, Transcendental: 1}},
	"gelu":        {1, workload.Mix{Simple: 6, Transcendental: 1}},
	"relu":        {1, workload.Mix{Simple: 3}},
	"silu":        {1, workload.Mix{Simple: 5, Divide: 1, Transcendental: 1}},
	"sigmoid":     {1, workload.Mix{Simple: 4, Divide: 1, Transcendental: 1}},
	"tanh":        {1, workload.Mix{Simple: 2, Transcendental: 1}},
	"exp":         {1, workload.Mix{Simple: 2, Transcendental: 1}},
}

func (r *Row) pointwise(m *machine.Machine, name string) (*subject, error) {
	t, err := r.single()
	if err != nil {
		return nil, err
	}
	if v := notation.Numbers(elementsName, r.Workload); v != nil && r.M == 0 {
		r.M = v[0]
	}
	n := r.M
	for _, extent := range []int{r.K, r.N} {
		if n *= max(1, extent); n > notation.MaxExtent {
			return nil, fmt.Errorf("more than %d elements", notation.MaxExtent)
		}
	}
	if n < 1 {
		return nil, errors.New("no shape: give the number of elements as M, or extents as M, K and N")
	}
	b := bodies[name]
	stream := workload.Stream{DType: t, Elements: int64(n)}
	p := workload.Pointwise{Elements: int64(n), DType: t, Ops: b.ops,
		Out: []workload.Stream{stream}}
	for range b.ins {
		p.In = append(p.In, stream)
	}
	cols, rows, tile := r.grid(m)
	if tile == 0 {
		tile = min(2048, max(1, n/(cols*rows)))
	}
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindPointwise, Pointwise: p},
		mapping: mapping.Mapping{Kind: workload.KindPointwise, Cols: cols, Rows: rows,
			Tile: tile, Depth: 2},
		mapped: r.Tiles > 0 || configNote.MatchString(r.Notes), named: configNote.MatchString(r.Notes),
	}, nil
}

func (r *Row) rows(m *machine.Machine, name string) (*subject, error) {
	t, err := r.single()
	if err != nil {
		return nil, err
	}
	if v := notation.Numbers(shapeName, r.Workload); v != nil && r.M == 0 && r.N == 0 {
		r.M, r.N = v[0], v[1]
	}
	if min(r.M, r.N) < 1 {
		return nil, errors.New("no shape: give the number of rows as M, and their length as N")
	}
	all := workload.Stream{DType: t, Elements: int64(r.M) * int64(r.N)}
	parameter := workload.Stream{DType: t, Elements: int64(r.N), Constant: true}
	n := workload.Normalize{Rows: r.M, Cols: r.N, DType: t,
		Out: []workload.Stream{all}}
	switch name {
	case "rope": // the table of sines and cosines is as large as the input
		n.Passes, n.In = 1, []workload.Stream{all, all}
		n.Ops.Simple = 3
	case "rmsnorm":
		n.Passes, n.In = 2, []workload.Stream{all, parameter}
		n.Ops.Simple, n.RowOps.Divide = 4, 1
	case "layernorm":
		n.Passes, n.In = 3, []workload.Stream{all, parameter, parameter}
		n.Ops.Simple, n.RowOps.Divide = 7, 1
	case "softmax":
		n.Passes, n.In = 3, []workload.Stream{all}
		n.Ops = workload.Mix{Simple: 6, Divide: 1, Transcendental: 1}
	}
	cols, rows, elements := r.grid(m)
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindNormalize, Normalize: n},
		mapping: mapping.Mapping{Kind: workload.KindNormalize, Cols: cols, Rows: rows,
			Tile: max(1, elements/r.N), Depth: 2},
		mapped: r.Tiles > 0 || configNote.MatchString(r.Notes), named: configNote.MatchString(r.Notes),
	}, nil
}

// attention rows of npu2 were measured with two heads at once, four tiles of 64 queries
// each and a cascade of four stages over the keys, whose kernels mask scores and skip
// none. Nobody published any of other machines.
func (r *Row) attention(m *machine.Machine) (*subject, error) {
	t, err := r.single()
	if err != nil {
		return nil, err
	}
	v := notation.Numbers(attentionName, r.Workload)
	if v == nil || r.M < 1 || r.N < 1 {
		return nil, errors.New("no shape: give queries as M and keys as N, and widths and heads in the workload, such as dk64/64 heads 32/8")
	}
	masked := causal.MatchString(r.Workload)
	_, external := m.Compute.Styles["external"]
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindAttention,
			Attention: workload.Attention{Batch: 1, Heads: v[2], KVHeads: v[3],
				Sq: r.M, Sk: r.N, D: v[0], DV: v[1], DType: t, Acc: dtype.F32, Causal: masked}},
		mapping: mapping.Mapping{Kind: workload.KindAttention, Cols: 8, Rows: 4, Heads: 2,
			FanOut: 1, Tile: 64, TK: 64, TN: 64, Cascade: 4, Masked: masked, Style: "external", Depth: 2},
		mapped: external && m.Grid.Cols >= 8 && m.Grid.CoreRows >= 4,
	}, nil
}

// maxPicture and maxFilter bound what is searched for a mapping.
const (
	maxPicture = 1 << 10
	maxFilter  = 1 << 4
)

// convolution reads a convolution with its types.
func (r *Row) convolution() (*subject, error) {
	t, err := r.types()
	if err != nil {
		return nil, err
	}
	c, err := r.windows()
	switch {
	case err != nil:
		return nil, err
	case t.a.Format != dtype.Plain || t.b.Format != dtype.Plain:
		return nil, fmt.Errorf("convolutions of packed values are not predicted")
	}
	c.In, c.Weight, c.Acc, c.Out = t.a.DType, t.b.DType, t.acc, t.out
	return &subject{kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindConvolution, Convolution: c}}, nil
}

// windows reads a picture, N x C x H x W, and filters, K x C/groups x R x S, from the name of the workload: "conv2d
// 1x64x56x56 64x64x3x3 stride 1 pad 1". With "ceil" windows count that reach beyond the picture. Types are those of one
// byte.
func (r *Row) windows() (workload.Convolution, error) {
	var none workload.Convolution
	v := notation.Numbers(filterName, r.Workload)
	switch {
	case v == nil && imageName.MatchString(r.Workload):
		return none, fmt.Errorf("a picture without filters")
	case v == nil:
		return none, errors.New("no shape: give the picture and the filters in the workload, such as conv2d 1x64x56x56 64x64x3x3 stride 1 pad 1")
	case max(v[2], v[3]) > maxPicture || max(v[6], v[7]) > maxFilter:
		return none, fmt.Errorf("a picture of more than %d x %d, or filters of more than %d x %d", maxPicture, maxPicture, maxFilter, maxFilter)
	case v[1]%v[5] != 0 || v[4]%(v[1]/v[5]) != 0:
		return none, fmt.Errorf("filters for %d of %d channels", v[5], v[1])
	}
	stride, pad := 1, 0
	if n := notation.Numbers(strideName, r.Workload); n != nil {
		stride = n[0]
	}
	if g := padName.FindStringSubmatch(r.Workload); g != nil {
		var err error
		if pad, err = strconv.Atoi(g[1]); err != nil || pad >= max(v[6], v[7]) {
			return none, fmt.Errorf("padding of %s around filters of %d x %d", g[1], v[6], v[7])
		}
	}
	c := workload.Convolution{N: v[0], C: v[1], H: v[2], W: v[3], K: v[4], R: v[6], S: v[7],
		StrideH: stride, StrideW: stride, PadTop: pad, PadLeft: pad, PadBottom: pad, PadRight: pad,
		DilationH: 1, DilationW: 1, Groups: v[1] / v[5], In: dtype.I8, Weight: dtype.I8, Acc: dtype.I8, Out: dtype.I8}
	if ceilName.MatchString(r.Workload) {
		toCeiling(&c)
	}
	return c, nil
}

// toCeiling adds the zeros behind a picture that the last windows reach.
func toCeiling(c *workload.Convolution) {
	lacks := func(extent, filter, stride int) int { return (stride - (extent-filter)%stride) % stride }
	c.PadBottom += lacks(c.H+c.PadTop+c.PadBottom, c.R, c.StrideH)
	c.PadRight += lacks(c.W+c.PadLeft+c.PadRight, c.S, c.StrideW)
}
