package predict

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
)

// Decoder is the configuration of a language model: layers of grouped attention with
// rotary positions and of a gated SiLU, RMS norms before both, and a tied head.
type Decoder struct {
	Name     string `json:"model"`
	Layers   int    `json:"layers"`
	Emb      int    `json:"emb"`
	Heads    int    `json:"q_heads"`
	KVHeads  int    `json:"kv_heads"`
	HeadDim  int    `json:"head_dim"`
	Hidden   int    `json:"hidden"`
	Vocab    int    `json:"vocab"`
	Biases   bool   `json:"biases,omitempty"`     // of queries, keys and values
	HeadNorm bool   `json:"head_norms,omitempty"` // RMS norms of the heads of queries and keys
	Packed   bool   `json:"packed,omitempty"`     // weights of layers have 4 bits where one token is decoded
}

func (d *Decoder) q() int  { return d.Heads * d.HeadDim }
func (d *Decoder) kv() int { return d.KVHeads * d.HeadDim }

// timed is kernels with their times on a machine, each timed once.
type timed struct {
	machine *machine.Machine
	known   map[string]schedule.Launch
}

// step is a part of a layer as launches on so many tokens.
type step struct {
	*Decoder
	*timed
	tokens int // 1 while decoding
	out    []schedule.Launch
}

// kernel adds a launch of a kernel that is described as a row of measurements is.
func (s *step) kernel(name string, r Row) error {
	key := fmt.Sprintf("%s %d %d %d %d %s %s", name, r.M, r.K, r.N, r.Tiles, r.Notes, r.DType)
	if l, ok := s.known[key]; ok {
		s.out = append(s.out, l)
		return nil
	}
	m := s.machine
	r.Device, r.DType, r.Workload = m.Name, cmp.Or(r.DType, "bf16"), name
	var sub *subject
	var err error
	if name == "gemm" {
		sub, err = r.wholeArray(m)
	} else {
		sub, err = r.read(m)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !sub.mapped {
		if sub.mapping, err = r.ours(m, sub); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	switch name { // weights
	case "gemm":
		sub.kernel.Contraction.B.Constant = true
	case "gemv":
		sub.kernel.Contraction.A.Constant = true
	}
	sub.kernel.Classify()
	t, err := timing.Estimate(m, &sub.kernel, sub.mapping)
	if err != nil {
		return err
	}
	sub.kernel.Name = name
	s.known[key] = schedule.Launch{Name: name, Kernel: &sub.kernel, Mapping: sub.mapping, Timing: &t}
	s.out = append(s.out, s.known[key])
	return nil
}

// product adds a matrix product of all tokens with a k × n matrix of weights.
func (s *step) product(k, n int) error {
	if s.tokens > 1 {
		return s.kernel("gemm", Row{M: s.tokens, K: k, N: n})
	}
	if s.Packed {
		return s.kernel("gemv", Row{M: n, K: k, N: 1, DType: "int4 awq x bf16"})
	}
	return s.vector(n, k)
}

// vector adds a product of a matrix with a vector.
func (s *step) vector(rows, k int) error {
	r := Row{M: rows, K: k, N: 1}
	if tile := rowTiles(s.machine, rows, k); 2*2*k <= s.machine.Core.Memory.Int() { // a row of bf16, and the vector
		r.Notes = fmt.Sprintf("herd_m/tile_m/m_input %d/%d/%d", s.machine.Grid.Cols, tile, tile)
	}
	return s.kernel("gemv", r)
}

// flat adds a pointwise kernel.
func (s *step) flat(name string, elements int) error {
	tile := 4096
	if name == "eltwise_add" {
		tile = 2048
	}
	return s.kernel(name, Row{M: elements, Notes: fmt.Sprintf("cfg %d/1/%d", s.machine.Grid.Cols,
		max(1, min(tile, elements/s.machine.Grid.Cols)))})
}

// rows adds a kernel over rows: on a single core if there are too few of them.
func (s *step) rows(name string, rows, width int) error {
	return s.kernel(name, Row{M: rows, N: width, Tiles: min(s.machine.Grid.Cols, rows)})
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

func (s *step) attention(tokens, heads, kv, width int) error {
	return s.kernel(fmt.Sprintf("flash_attention dk%d/%d heads %d/%d causal=true", width, width, heads, kv),
		Row{M: tokens, N: tokens})
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
	case (g[1] == "add" || g[1] == "silu_mul" || g[1] == "gelu") && v[2] == 0 && v[0]*max(1, v[1]) <= notation.MaxExtent:
		if g[1] == "add" {
			g[1] = "eltwise_add"
		}
		return s.flat(g[1], v[0]*max(1, v[1]))
	case g[1] == "gemm" && v[2] > 0:
		return s.kernel("gemm", Row{M: v[0], K: v[1], N: v[2]})
	case g[1] == "gemv" && v[1] > 0:
		return s.vector(v[0], v[1])
	case (g[1] == "rmsnorm" || g[1] == "layernorm" || g[1] == "rope") && v[1] > 0:
		return s.rows(g[1], v[0], v[1])
	}
	return fmt.Errorf("unknown launch %q", name)
}

// launches returns those of a list such as "rmsnorm; 3 x gemm 2048x2048x2048; rope q" or
// "rmsnorm+qkv+rope" on so many tokens.
func (d *Decoder) launches(k *timed, tokens int, list string) ([]schedule.Launch, error) {
	s := &step{Decoder: d, timed: k, tokens: tokens}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '+' }) {
		if err := s.part(strings.TrimSpace(name)); err != nil {
			return nil, err
		}
	}
	return s.out, nil
}
