package predict

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

// subject is what a row measured: a kernel and how it was mapped.
type subject struct {
	kernel  workload.Kernel
	mapping mapping.Mapping
	mapped  bool // the row names its mapping
}

// read turns a row into a subject.
func (r *Row) read(m *machine.Machine) (*subject, error) {
	if m.Systolic != nil {
		return r.systolic()
	}
	name := strings.Fields(r.Workload + " ?")[0]
	switch name {
	case "gemm":
		return r.gemm(m)
	case "gemv":
		return r.gemv()
	case "eltwise_add", "eltwise_mul", "silu_mul", "gelu_tanh", "gelu":
		return r.pointwise(name)
	case "rmsnorm", "layernorm", "rope":
		return r.rows(name)
	case "flash_attention":
		return r.attention()
	}
	return nil, fmt.Errorf("unknown workload %q", r.Workload)
}

func (r *Row) systolic() (*subject, error) {
	if min(r.M, r.K, r.N) < 1 {
		return nil, fmt.Errorf("no shape")
	}
	s := &subject{} // the mapping follows from the array
	i8 := workload.Operand{DType: dtype.I8}
	s.kernel = workload.Kernel{Name: r.Workload, Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: r.M, N: r.N, K: r.K, A: i8, B: i8,
			Acc: dtype.I8, Out: dtype.I8}}
	return s, nil
}

// types reads "bf16" or "bf16->f32": operand and output type.
func (r *Row) types() (in, out dtype.DType, err error) {
	from, to, found := strings.Cut(r.DType, "->")
	if !found {
		to = from
	}
	if in, err = typeNamed(from); err == nil {
		out, err = typeNamed(to)
	}
	return in, out, err
}

func typeNamed(s string) (dtype.DType, error) {
	switch s = strings.TrimSpace(s); s {
	case "fp32":
		return dtype.F32, nil
	case "int8":
		return dtype.I8, nil
	case "int16":
		return dtype.I16, nil
	}
	for _, t := range []dtype.DType{dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.F16,
		dtype.BF16, dtype.F32} {
		if t.String() == s {
			return t, nil
		}
	}
	return dtype.Invalid, fmt.Errorf("unknown type %q", s)
}

// numbers returns the groups of a match as integers.
func numbers(re *regexp.Regexp, s string) []int {
	g := re.FindStringSubmatch(s)
	if g == nil {
		return nil
	}
	v := make([]int, len(g)-1)
	for i := range v {
		n, err := strconv.Atoi(g[i+1])
		if err != nil || n < 1 || n > maxExtent {
			return nil
		}
		v[i] = n
	}
	return v
}

var configNote = regexp.MustCompile(`cfg (\d+)/(\d+)/(\d+)`)

// grid returns columns, rows and tile of a flat kernel. Rows of the file that
// give only the number of cores used one row of them, or two when there are
// more cores than columns.
func (r *Row) grid() (cols, rows, tile int) {
	if v := numbers(configNote, r.Notes); v != nil {
		return v[0], v[1], v[2]
	}
	const columns = 8
	cores := max(1, r.Tiles)
	return min(cores, columns), (cores + columns - 1) / columns, 0
}

var elementsName = regexp.MustCompile(`N=(\d+)`)

func (r *Row) pointwise(name string) (*subject, error) {
	t, _, err := r.types()
	if err != nil {
		return nil, err
	}
	n := r.M
	if v := numbers(elementsName, r.Workload); v != nil {
		n = v[0]
	}
	if n < 1 {
		return nil, fmt.Errorf("no shape")
	}
	bodies := map[string]struct {
		ins int
		ops workload.Mix
	}{
		"eltwise_add": {2, workload.Mix{Simple: 1, Routine: "add"}},
		"eltwise_mul": {2, workload.Mix{Simple: 1, Routine: "add"}},
		"silu_mul": {2, workload.Mix{Simple: 3, Divide: 1, Transcendental: 1,
			Routine: "silu_mul"}},
		"gelu":      {1, workload.Mix{Simple: 6, Transcendental: 1, Routine: "gelu"}},
		"gelu_tanh": {1, workload.Mix{Simple: 6, Transcendental: 1, Routine: "gelu"}},
	}
	b := bodies[name]
	stream := workload.Stream{DType: t, Elements: int64(n)}
	p := workload.Pointwise{Elements: int64(n), DType: t, Ops: b.ops,
		Out: []workload.Stream{stream}}
	for range b.ins {
		p.In = append(p.In, stream)
	}
	cols, rows, tile := r.grid()
	if tile == 0 {
		tile = min(2048, max(1, n/(cols*rows)))
	}
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindPointwise, Pointwise: p},
		mapping: mapping.Mapping{Kind: workload.KindPointwise, Cols: cols, Rows: rows,
			Tile: tile, Depth: 2},
		mapped: true,
	}, nil
}

var shapeName = regexp.MustCompile(`(\d+)x(\d+)`)

func (r *Row) rows(name string) (*subject, error) {
	t, _, err := r.types()
	if err != nil {
		return nil, err
	}
	shape := []int{r.M, r.N}
	if v := numbers(shapeName, r.Workload); v != nil {
		shape = v
	}
	if min(shape[0], shape[1]) < 1 {
		return nil, fmt.Errorf("no shape")
	}
	all := workload.Stream{DType: t, Elements: int64(shape[0]) * int64(shape[1])}
	parameter := workload.Stream{DType: t, Elements: int64(shape[1]), Constant: true}
	n := workload.Normalize{Rows: shape[0], Cols: shape[1], DType: t,
		Out: []workload.Stream{all}, Ops: workload.Mix{Routine: name}}
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
	}
	cols, rows, tile := r.grid()
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindNormalize, Normalize: n},
		mapping: mapping.Mapping{Kind: workload.KindNormalize, Cols: cols, Rows: rows,
			Tile: max(1, tile), Depth: 2},
		mapped: true,
	}, nil
}

var attentionName = regexp.MustCompile(`dk(\d+)/(\d+) heads (\d+)/(\d+)`)

// attention rows were measured with two heads at once, four tiles of 64 queries
// each and a cascade of four stages over the keys.
func (r *Row) attention() (*subject, error) {
	t, _, err := r.types()
	if err != nil {
		return nil, err
	}
	v := numbers(attentionName, r.Workload)
	if v == nil || r.M < 1 || r.N < 1 {
		return nil, fmt.Errorf("no shape")
	}
	return &subject{
		kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindAttention,
			Attention: workload.Attention{Batch: 1, Heads: v[2], KVHeads: v[3],
				Sq: r.M, Sk: r.N, D: v[0], DV: v[1], DType: t, Acc: dtype.F32,
				Causal: strings.Contains(r.Workload, "causal ✓")}},
		mapping: mapping.Mapping{Kind: workload.KindAttention, Cols: 8, Rows: 4, Heads: 2,
			Tile: 64, TK: 64, Cascade: 4, Style: "external", Depth: 2},
		mapped: true,
	}, nil
}
