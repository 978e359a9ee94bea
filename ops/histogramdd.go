package ops

import (
	"sort"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// The parameters behind the bins of a histogram: by numbers of bins, and by their edges.
const (
	binOptions  = "*, float[]? range=None, Tensor? weight=None, bool density=False"
	edgeOptions = "*, Tensor? weight=None, bool density=False"
)

// The histograms of elements that also give the edges of their bins.
func init() {
	register(&Op{
		Schema: "histogram.bin_ct(Tensor self, int bins=100, " + binOptions +
			") -> (Tensor hist, Tensor bin_edges)",
		Infer: func(c *Call) error {
			if err := c.wantBins([]int{c.Int(1)}); err != nil {
				return err
			}
			c.Result(c.DTypeOf(0), []int{c.Int(1)})
			return c.Result(c.DTypeOf(0), []int{c.Int(1) + 1})
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			g, err := gridOfBins(h, []int{h.Int(1)})
			if err != nil {
				return nil, err
			}
			return []*buf.Buffer{g.count(h, 3), g.edgeBuffer(h, 0)}, nil
		},
		Samples: samplesOf(Sample{S(20), 4}),
	})
	register(&Op{
		Schema: "histogram.bins_tensor(Tensor self, Tensor bins, " + edgeOptions +
			") -> (Tensor hist, Tensor bin_edges)",
		Infer: func(c *Call) error {
			if err := c.wantEdges([]Value{c.Tensor(1)}); err != nil {
				return err
			}
			c.Result(c.DTypeOf(0), []int{c.Shape(1)[0] - 1})
			return c.Result(c.DTypeOf(0), c.Shape(1))
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			g := gridOfEdges(h.Buffer(0), []*buf.Buffer{h.Buffer(1)})
			return []*buf.Buffer{g.count(h, 2), g.edgeBuffer(h, 0)}, nil
		},
		Samples: samplesOf(Sample{S(20), S(4)}),
	})
}

// The histograms of points [… D] in D dimensions, by edges or by numbers of bins.
func init() {
	register(&Op{
		Schema: "_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, " + edgeOptions + ") -> Tensor",
		Infer: func(c *Call) error {
			dims := c.Shape(0)
			if len(dims) < 2 || dims[len(dims)-1] != len(c.Tensors(1)) {
				return c.ShapeErrorf("%d lists of edges for points %s", len(c.Tensors(1)), shape.String(dims))
			}
			if err := c.wantEdges(c.Tensors(1)); err != nil {
				return err
			}
			bins := make([]int, len(c.Tensors(1)))
			for d, v := range c.Tensors(1) {
				bins[d] = v.Type().Shape[0] - 1
			}
			return c.Result(c.DTypeOf(0), bins)
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			return []*buf.Buffer{gridOfEdges(h.Buffer(0), h.Buffers(1)).count(h, 2)}, nil
		},
		Samples: samplesOf(Sample{S(20, 2), []T{S(4), S(3)}}),
	})
	register(&Op{
		Schema: "_histogramdd_bin_edges(Tensor self, int[] bins, " + binOptions + ") -> Tensor[]",
		Infer: func(c *Call) error {
			if err := c.wantPoints(); err != nil {
				return err
			}
			for _, n := range c.Ints(1) {
				c.Result(c.DTypeOf(0), []int{n + 1})
			}
			return nil
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			g, err := gridOfBins(h, h.Ints(1))
			if err != nil {
				return nil, err
			}
			out := make([]*buf.Buffer, len(g.edges))
			for d := range out {
				out[d] = g.edgeBuffer(h, d)
			}
			return out, nil
		},
		Samples: samplesOf(Sample{S(20, 2), []int{4, 3}}),
	})
	register(&Op{
		Schema: "_histogramdd_from_bin_cts(Tensor self, int[] bins, " + binOptions + ") -> Tensor",
		Infer: func(c *Call) error {
			if err := c.wantPoints(); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), append([]int(nil), c.Ints(1)...))
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			g, err := gridOfBins(h, h.Ints(1))
			if err != nil {
				return nil, err
			}
			return []*buf.Buffer{g.count(h, 3)}, nil
		},
		Samples: samplesOf(Sample{S(20, 2), []int{4, 3}}),
	})
}

func (c *Call) wantBins(bins []int) error {
	if !c.DTypeOf(0).IsFloat() {
		return c.DTypeErrorf("needs a floating type, got %v", c.DTypeOf(0))
	}
	for _, n := range bins {
		if n <= 0 {
			return c.ArgErrorf("bins must be positive, got %d", n)
		}
	}
	if r := c.Args[2].Floats(); c.Has(2) && len(r) != 2*len(bins) {
		return c.ArgErrorf("range has %d entries for %d dimensions", len(r), len(bins))
	}
	if err := c.wantWeight(len(bins), 3); err != nil {
		return err
	}
	return shape.Check(bins)
}

// wantWeight checks argument weight: a number for every point of some dimensions.
func (c *Call) wantWeight(dims, weight int) error {
	if c.Tensor(weight) != nil && shape.Size(c.Shape(weight))*dims != shape.Size(c.Shape(0)) {
		return c.ShapeErrorf("weight %s does not match self %s", shape.String(c.Shape(weight)),
			shape.String(c.Shape(0)))
	}
	return nil
}

// wantEdges checks lists of edges, one for every dimension, and the weight, argument 2.
func (c *Call) wantEdges(lists []Value) error {
	if !c.DTypeOf(0).IsFloat() {
		return c.DTypeErrorf("needs a floating type, got %v", c.DTypeOf(0))
	}
	for _, v := range lists {
		switch t := v.Type(); {
		case len(t.Shape) != 1 || t.Shape[0] < 2:
			return c.ShapeErrorf("edges %s must be a vector of 2 or more", shape.String(t.Shape))
		case t.DType != c.DTypeOf(0):
			return c.DTypeErrorf("edges %v must have the type %v of self", t.DType, c.DTypeOf(0))
		}
	}
	return c.wantWeight(len(lists), 2)
}

func (c *Call) wantPoints() error {
	dims, n := c.Shape(0), len(c.Ints(1))
	if len(dims) < 2 || dims[len(dims)-1] != n || n == 0 {
		return c.ShapeErrorf("%d numbers of bins for points %s", n, shape.String(dims))
	}
	return c.wantBins(c.Ints(1))
}

// binGrid has the points, by rows, and the edges of the bins of every dimension.
type binGrid struct {
	bins   []int
	points []float64
	edges  [][]float64
}

func gridOfBins(h *HostCall, bins []int) (*binGrid, error) {
	g := &binGrid{bins: bins, points: numbers[float64](h.Buffer(0))}
	r := rounding(h.DTypeOf(0))
	given := h.Args[2].Floats()
	for d, n := range bins {
		low, high := 0.0, 0.0
		if len(given) > 0 {
			low, high = given[2*d], given[2*d+1]
		}
		var column []float64
		for i := d; i < len(g.points); i += len(bins) {
			column = append(column, g.points[i])
		}
		if len(column) == 0 && low == high {
			low, high = 0, 1
		}
		low, high, err := binRange(h.Call, column, low, high, 0.5)
		if err != nil {
			return nil, err
		}
		edges, step := make([]float64, n+1), (high-low)/float64(n)
		for i := range edges {
			if i < (n+1)/2 {
				edges[i] = r(low + step*float64(i))
			} else {
				edges[i] = r(high - step*float64(n-i))
			}
		}
		g.edges = append(g.edges, edges)
	}
	return g, nil
}

// gridOfEdges has the bins between given edges.
func gridOfEdges(self *buf.Buffer, lists []*buf.Buffer) *binGrid {
	g := &binGrid{points: numbers[float64](self)}
	for _, b := range lists {
		edges := numbers[float64](b)
		g.bins, g.edges = append(g.bins, len(edges)-1), append(g.edges, edges)
	}
	return g
}

func (g *binGrid) edgeBuffer(h *HostCall, d int) *buf.Buffer {
	return fromNumbers(h.DTypeOf(0), []int{g.bins[d] + 1}, g.edges[d])
}

// count adds the weight of every point, which argument weight may hold, to its bin; the
// next argument asks for a density.
func (g *binGrid) count(h *HostCall, weight int) *buf.Buffer {
	out := make([]float64, shape.Size(g.bins))
	var weights []float64
	if w := h.Buffer(weight); w != nil {
		weights = numbers[float64](w)
	}
	total := 0.0
	for i := 0; i*len(g.bins) < len(g.points); i++ {
		at, inside := 0, true
		for d, n := range g.bins {
			v, edges := g.points[i*len(g.bins)+d], g.edges[d]
			inside = inside && v >= edges[0] && v <= edges[n]
			bin := sort.Search(n+1, func(k int) bool { return edges[k] > v }) - 1
			at = at*n + min(max(bin, 0), n-1)
		}
		if !inside {
			continue
		}
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		out[at] += w
		total += w
	}
	if h.Bool(weight + 1) {
		g.normalize(out, total)
	}
	return fromNumbers(h.DTypeOf(0), g.bins, out)
}

// normalize divides by the total weight and the volume of every bin.
func (g *binGrid) normalize(counts []float64, total float64) {
	strides := shape.Strides(g.bins)
	for i := range counts {
		volume := 1.0
		for d, n := range g.bins {
			k := i / strides[d] % n
			volume *= g.edges[d][k+1] - g.edges[d][k]
		}
		counts[i] /= total * volume
	}
}
