package predict

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/workload"
)

// subject is the kernel that a row measured, and how it was mapped.
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
	if err := published.Fits(m, &s.kernel, &s.mapping); err != nil {
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

// errNoProduct is the error of a row whose product has no size.
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
	cols, rows, tile := r.grid(m)
	if tile == 0 {
		tile = min(2048, max(1, n/(cols*rows)))
	}
	return r.split(published.Pointwise(name, t, n), cols, rows, tile), nil
}

// split is a kernel over elements or rows in the mapping that the row says.
func (r *Row) split(k workload.Kernel, cols, rows, tile int) *subject {
	k.Name = r.Workload
	named := configNote.MatchString(r.Notes)
	return &subject{kernel: k, mapping: published.Split(k.Kind, cols, rows, tile), mapped: r.Tiles > 0 || named, named: named}
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
	cols, rows, elements := r.grid(m)
	return r.split(published.Rows(name, t, r.M, r.N), cols, rows, max(1, elements/r.N)), nil
}

// attention reads attention, which was measured in the mapping of the published kernels.
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
	g, mapped := published.Attention(m, masked)
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindAttention,
			Attention: workload.Attention{Batch: 1, Heads: v[2], KVHeads: v[3],
				Sq: r.M, Sk: r.N, D: v[0], DV: v[1], DType: t, Acc: dtype.F32, Causal: masked}},
		mapping: g, mapped: mapped,
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
// 1x64x56x56 64x64x3x3 stride 1 pad 1". With "ceil" windows count that reach beyond the picture. Types have one byte.
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
