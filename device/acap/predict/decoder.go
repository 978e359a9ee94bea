package predict

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
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
	key := fmt.Sprintf("%s %d %d %d %d %s", name, r.M, r.K, r.N, r.Tiles, r.Notes)
	if l, ok := s.known[key]; ok {
		s.out = append(s.out, l)
		return nil
	}
	m := s.machine
	r.Device, r.DType, r.Workload = m.Name, "bf16", name
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
	s.known[key] = schedule.Launch{Name: name, Kernel: &sub.kernel, Style: sub.mapping.Style, Timing: &t}
	s.out = append(s.out, s.known[key])
	return nil
}

// product adds a matrix product of all tokens with a k × n matrix of weights.
func (s *step) product(k, n int) error {
	if s.tokens > 1 {
		return s.kernel("gemm", Row{M: s.tokens, K: k, N: n})
	}
	return s.vector(n, k)
}

// vector adds a product of a matrix with a vector.
func (s *step) vector(rows, k int) error {
	tile := rowTiles(s.machine, rows, k)
	return s.kernel("gemv", Row{M: rows, K: k, N: 1,
		Notes: fmt.Sprintf("herd_m/tile_m/m_input %d/%d/%d", s.machine.Grid.Cols, tile, tile)})
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

// part adds the launches of a part of a layer by its name in a list of launches.
func (s *step) part(name string) error {
	var errs []error
	add := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	switch name {
	case "rmsnorm":
		add(s.rows("rmsnorm", s.tokens, s.Emb))
	case "qkv":
		add(s.product(s.Emb, s.q()))
		add(s.product(s.Emb, s.kv()))
		add(s.product(s.Emb, s.kv()))
	case "biases":
		add(s.flat("eltwise_add", s.tokens*s.q()))
		add(s.flat("eltwise_add", s.tokens*s.kv()))
		add(s.flat("eltwise_add", s.tokens*s.kv()))
	case "norms of heads":
		add(s.rows("rmsnorm", s.tokens*s.Heads, s.HeadDim))
		add(s.rows("rmsnorm", s.tokens*s.KVHeads, s.HeadDim))
	case "rope":
		add(s.part("rope q"))
		add(s.part("rope k"))
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
		for _, p := range []string{"add", "rmsnorm", "gate", "up", "silu_mul", "down", "add"} {
			add(s.part(p))
		}
	default:
		return s.shaped(name)
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

func (s *step) attention(tokens, heads, kv, width int) error {
	return s.kernel(fmt.Sprintf("flash_attention dk%d/%d heads %d/%d causal=true", width, width, heads, kv),
		Row{M: tokens, N: tokens})
}

var (
	times        = regexp.MustCompile(`^(\d+) ?x ([a-z].*)$`)
	shapedPart   = regexp.MustCompile(`^(gemm|gemv|rmsnorm) (\d+)x(\d+)(?:x(\d+))?`)
	attentionRun = regexp.MustCompile(`^causal attention (\d+) ?x ?(\d+)/(\d+) heads ?x ?(\d+)`)
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
	if v := numbers(attentionRun, name); v != nil {
		return s.attention(v[0], v[1], v[2], v[3])
	}
	g := shapedPart.FindStringSubmatch(name)
	if g == nil {
		return fmt.Errorf("unknown launch %q", name)
	}
	var v [3]int
	for i := range v {
		v[i], _ = strconv.Atoi(g[i+2])
		if v[i] > maxExtent {
			return fmt.Errorf("unknown launch %q", name)
		}
	}
	switch {
	case g[1] == "gemm" && v[2] > 0:
		return s.kernel("gemm", Row{M: v[0], K: v[1], N: v[2]})
	case g[1] == "gemv":
		return s.vector(v[0], v[1])
	case g[1] == "rmsnorm":
		return s.rows("rmsnorm", v[0], v[1])
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
