package language

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// maxElements bounds the elements of a pointwise kernel.
const maxElements = 1 << 31

// shape tells the kernels of a model apart: a kernel by its name, with the numbers that its size is made of.
type shape struct {
	name    string
	extents [4]int
	packed  bool // weights have 4 bits
}

// timed is kernels with their times on a machine, each timed once.
type timed struct {
	machine *machine.Machine
	known   map[shape]schedule.Launch
}

// step is a part of a layer as launches on a number of tokens.
type step struct {
	*Decoder
	*timed
	tokens int // 1 while decoding
	out    []schedule.Launch
}

// launch adds a launch of the kernel of a shape, which mapped returns with its mapping.
func (s *step) launch(of shape, mapped func() (workload.Kernel, mapping.Mapping, error)) error {
	if l, ok := s.known[of]; ok {
		s.out = append(s.out, l)
		return nil
	}
	k, g, err := mapped()
	if err != nil {
		return fmt.Errorf("%s: %w", of.name, err)
	}
	t, err := timing.Estimate(s.machine, &k, g)
	if err != nil {
		return err
	}
	s.known[of] = schedule.Launch{Name: of.name, Kernel: &k, Mapping: g, Timing: &t}
	s.out = append(s.out, s.known[of])
	return nil
}

// product adds a matrix product of all tokens with a k × n matrix of weights.
func (s *step) product(k, n int) error {
	if s.tokens > 1 {
		return s.matrices(s.tokens, k, n)
	}
	if s.Packed {
		return s.launch(shape{"gemv", [4]int{n, k}, true}, func() (workload.Kernel, mapping.Mapping, error) {
			w := contraction("gemv", n, k, 1)
			w.Contraction.A.Format = dtype.Q4
			g, err := published.Ours(s.machine, &w, 0)
			w.Contraction.A.Constant = true
			return w, g, err
		})
	}
	return s.vector(n, k)
}

// contraction is a product in bf16 with sums in f32.
func contraction(name string, m, k, n int) workload.Kernel {
	bf16 := workload.Operand{DType: dtype.BF16}
	return workload.Kernel{Name: name, Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: m, N: n, K: k, A: bf16, B: bf16, Acc: dtype.F32, Out: dtype.BF16}}
}

// matrices adds a product of m × k activations with k × n weights.
func (s *step) matrices(m, k, n int) error {
	return s.launch(shape{"gemm", [4]int{m, k, n}, false}, func() (workload.Kernel, mapping.Mapping, error) {
		w := contraction("gemm", m, k, n)
		g, err := published.Product(s.machine, &w)
		w.Contraction.B.Constant = true
		return w, g, err
	})
}

// vector adds a product of a matrix of weights with a vector.
func (s *step) vector(rows, k int) error {
	return s.launch(shape{"gemv", [4]int{rows, k}, false}, func() (workload.Kernel, mapping.Mapping, error) {
		w := contraction("gemv", rows, k, 1)
		g, err := published.Vector(s.machine, &w)
		w.Contraction.A.Constant = true
		return w, g, err
	})
}

// flat adds a pointwise kernel.
func (s *step) flat(name string, elements int) error {
	return s.launch(shape{name, [4]int{elements}, false}, func() (w workload.Kernel, g mapping.Mapping, err error) {
		if elements > maxElements {
			return w, g, fmt.Errorf("more than %d elements", maxElements)
		}
		tile := 4096
		if name == "eltwise_add" {
			tile = 2048
		}
		w = published.Pointwise(name, dtype.BF16, elements)
		w.Classify()
		cols := s.machine.Grid.Cols
		return w, published.Split(w.Kind, cols, 1, max(1, min(tile, elements/cols))), nil
	})
}

// rows adds a kernel over rows: on a single core if there are too few of them.
func (s *step) rows(name string, rows, width int) error {
	return s.launch(shape{name, [4]int{rows, width}, false}, func() (workload.Kernel, mapping.Mapping, error) {
		w, cores := published.Rows(name, dtype.BF16, rows, width), min(s.machine.Grid.Cols, rows)
		w.Classify()
		g := published.Split(w.Kind, cores, 1, 1)
		if published.Fits(s.machine, &w, &g) == nil {
			return w, g, nil
		}
		g, err := published.Ours(s.machine, &w, cores)
		return w, g, err
	})
}

// aliases are other names of parts.
var aliases = map[string]string{
	"rms norm": "rmsnorm", "norm": "rmsnorm", "bias": "biases", "q bias": "bias q", "k bias": "bias k", "v bias": "bias v",
	"q norm": "norm q", "k norm": "norm k", "head norms": "norms of heads", "qk-norm": "norms of heads",
	"flash attention": "attention", "flash_attention": "attention", "causal attention": "attention",
	"swiglu": "silu_mul", "silu*mul": "silu_mul", "silu": "silu_mul", "residual": "add", "residual add": "add",
	"eltwise_add": "add", "o gemm": "o", "o gemv": "o",
}

// part adds the launches of a part of a layer by its name in a list of launches.
func (s *step) part(name string) error {
	if other := aliases[name]; other != "" {
		name = other
	}
	var errs []error
	add := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	switch name {
	case "rmsnorm":
		add(s.rows("rmsnorm", s.tokens, s.Emb))
	case "q":
		add(s.product(s.Emb, s.q()))
	case "k", "v":
		add(s.product(s.Emb, s.kv()))
	case "bias q":
		add(s.flat("eltwise_add", s.tokens*s.q()))
	case "bias k", "bias v":
		add(s.flat("eltwise_add", s.tokens*s.kv()))
	case "norm q":
		add(s.rows("rmsnorm", s.tokens*s.Heads, s.HeadDim))
	case "norm k":
		add(s.rows("rmsnorm", s.tokens*s.KVHeads, s.HeadDim))
	case "qkv":
		add(s.parts("q", "k", "v"))
	case "biases":
		add(s.parts("bias q", "bias k", "bias v"))
	case "norms of heads":
		add(s.parts("norm q", "norm k"))
	case "rope":
		add(s.parts("rope q", "rope k"))
	case "rope q":
		add(s.rows("rope", s.tokens*s.Heads, s.HeadDim))
	case "rope k":
		add(s.rows("rope", s.tokens*s.KVHeads, s.HeadDim))
	case "attention":
		add(s.attention(s.tokens, s.Heads, s.KVHeads, s.HeadDim))
	case "o":
		add(s.product(s.q(), s.Emb))
	case "add":
		add(s.flat("eltwise_add", s.tokens*s.Emb))
	case "gate", "up":
		add(s.product(s.Emb, s.Hidden))
	case "silu_mul":
		add(s.flat("silu_mul", s.tokens*s.Hidden))
	case "down":
		add(s.product(s.Hidden, s.Emb))
	case "ffn":
		add(s.parts("add", "rmsnorm", "gate", "up", "silu_mul", "down", "add"))
	default:
		return s.shaped(name)
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// parts adds the launches of several parts.
func (s *step) parts(names ...string) error {
	for _, name := range names {
		if err := s.part(name); err != nil {
			return err
		}
	}
	return nil
}

// attention adds causal attention of a prompt.
func (s *step) attention(tokens, heads, kv, width int) error {
	return s.launch(shape{"flash_attention", [4]int{tokens, heads, kv, width}, false}, func() (workload.Kernel, mapping.Mapping, error) {
		w := workload.Kernel{Name: "flash_attention", Kind: workload.KindAttention, Attention: workload.Attention{
			Batch: 1, Heads: heads, KVHeads: kv, Sq: tokens, Sk: tokens, D: width, DV: width,
			DType: dtype.BF16, Acc: dtype.F32, Causal: true}}
		g, ok := published.Attention(s.machine, true)
		if ok && published.Fits(s.machine, &w, &g) == nil {
			return w, g, nil
		}
		g, err := published.Ours(s.machine, &w, 0)
		return w, g, err
	})
}

var (
	times        = notation.Match(`^(\d+) ?x ([a-z].*)$`)
	shapedPart   = notation.Match(`^(gemm|gemv|rmsnorm|layernorm|rope|add|silu_mul|gelu)(?: [qkv])? (\d+)(?:x(\d+))?(?:x(\d+))?`)
	attentionRun = notation.Match(`^(?:causal |flash )*attention (\d+) ?x ?(\d+)/(\d+) heads ?x ?(\d+)`)
)

// shaped adds launches whose shapes are written out.
func (s *step) shaped(name string) error {
	if g := times.FindStringSubmatch(name); g != nil {
		n, err := strconv.Atoi(g[1])
		if err != nil || n < 1 || n > 1<<10 {
			return fmt.Errorf("%q launches", g[1])
		}
		for range n {
			if err := s.part(g[2]); err != nil {
				return err
			}
		}
		return nil
	}
	if v := notation.Numbers(attentionRun, name); v != nil {
		return s.attention(v[0], v[1], v[2], v[3])
	}
	g := shapedPart.FindStringSubmatch(name)
	if g == nil {
		return fmt.Errorf("unknown launch %q", name)
	}
	var v [3]int
	for i := range v {
		v[i], _ = strconv.Atoi(g[i+2])
		if v[i] > maxWidth*headRows || len(g[i+2]) > 12 {
			return fmt.Errorf("unknown launch %q", name)
		}
	}
	switch {
	case (g[1] == "add" || g[1] == "silu_mul" || g[1] == "gelu") && v[2] == 0 && v[0]*max(1, v[1]) <= maxElements:
		if g[1] == "add" {
			g[1] = "eltwise_add"
		}
		return s.flat(g[1], v[0]*max(1, v[1]))
	case g[1] == "gemm" && v[2] > 0:
		return s.matrices(v[0], v[1], v[2])
	case g[1] == "gemv" && v[1] > 0:
		return s.vector(v[0], v[1])
	case (g[1] == "rmsnorm" || g[1] == "layernorm" || g[1] == "rope") && v[1] > 0:
		return s.rows(g[1], v[0], v[1])
	}
	return fmt.Errorf("unknown launch %q", name)
}

// launches returns the launches of a list such as "rmsnorm; 3 x gemm 2048x2048x2048; rope q" or "rmsnorm+qkv+rope" on
// the given number of tokens.
func (d *Decoder) launches(k *timed, tokens int, list string) ([]schedule.Launch, error) {
	s := &step{Decoder: d, timed: k, tokens: tokens}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '+' }) {
		if err := s.part(strings.TrimSpace(name)); err != nil {
			return nil, err
		}
	}
	return s.out, nil
}
