package account

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/llm"
)

// list collects the kernels of a pass.
type list struct {
	*Account
	pass
	rows    int
	kernels []*workload.Kernel
}

func (l *list) add(k *workload.Kernel) { l.kernels = append(l.kernels, k) }

// model adds a number of layers, and the scores.
func (l *list) model(layers int) {
	weights := map[string]*llm.Held{}
	for i := range l.outline.Weights {
		w := &l.outline.Weights[i]
		weights[w.Name] = w
	}
	for i := range layers {
		l.layer(i, weights)
	}
	if l.outline.Encoder {
		return
	}
	rows := l.Sequences
	if l.all {
		rows = l.rows
	}
	l.norm("output_norm", rows, l.outline.Width)
	head := weights["output.weight"]
	if head == nil {
		head = weights["token_embd.weight"]
	}
	l.product(head, rows, false)
}

// layer adds the kernels of a layer. Products come with what is added to them: residuals and biases.
func (l *list) layer(i int, weights map[string]*llm.Held) {
	o := l.outline
	get := func(part string) *llm.Held { return weights[fmt.Sprintf("blk.%d.%s.weight", i, part)] }
	product := func(residual bool, parts ...string) {
		for _, part := range parts {
			if w := get(part); w != nil {
				l.product(w, l.rows, residual)
			}
		}
	}
	norm := func(part string) {
		if get(part) != nil {
			l.norm(part, l.rows, o.Width)
		}
	}
	norm("attn_norm")
	product(false, "attn_q", "attn_k", "attn_v", "attn_qkv", "attn_q_a", "attn_q_b", "attn_kv_a_mqa", "attn_kv_b")
	for _, part := range []string{"attn_k_b", "attn_v_b"} {
		if w := get(part); w != nil {
			l.batched(w, w.Shape[0], l.rows)
		}
	}
	l.heads(get("attn_q_norm"), o.Heads)
	l.heads(get("attn_k_norm"), o.KVHeads)
	if o.Positions == "rotary" {
		l.rotary(o.Heads)
		l.rotary(o.KVHeads)
	}
	if !o.Encoder {
		l.remember(o.HeadWidth)
		l.remember(o.ValueWidth)
	}
	l.attention(i)
	product(get("post_attention_norm") == nil, "attn_output")
	norm("post_attention_norm")
	norm("ffn_norm")
	if get("ffn_gate_inp") != nil {
		l.experts(i, get)
	} else {
		product(false, "ffn_gate", "ffn_up")
		if up := get("ffn_up"); up != nil {
			l.gate(up.Shape[0], get("ffn_gate") != nil || o.Gated)
		}
		product(get("post_ffw_norm") == nil, "ffn_down")
	}
	norm("post_ffw_norm")
}

// experts adds the choice, the chosen experts, and what all rows take.
func (l *list) experts(i int, get func(string) *llm.Held) {
	e := l.outline.Experts
	l.product(get("ffn_gate_inp"), l.rows, false)
	// Some of the choices are the same expert; the rows of each are filled up to the mean.
	count := float64(e.Count)
	read := int(math.Ceil(count * (1 - math.Pow(1-float64(e.Chosen)/count, float64(l.rows)))))
	read = max(1, min(read, e.Count))
	each := (l.rows*e.Chosen + read - 1) / read
	for _, part := range []string{"ffn_gate_exps", "ffn_up_exps", "ffn_gate_up_exps"} {
		if w := get(part); w != nil {
			l.batched(w, read, each)
		}
	}
	l.gate(e.Hidden*e.Chosen, true)
	l.batched(get("ffn_down_exps"), read, each)
	if up := get("ffn_up_shexp"); up != nil {
		for _, part := range []string{"ffn_gate_shexp", "ffn_up_shexp"} {
			l.product(get(part), l.rows, false)
		}
		l.gate(up.Shape[0], true)
		l.product(get("ffn_down_shexp"), l.rows, true)
	}
}

// product adds rows times a weight [n k].
func (l *list) product(w *llm.Held, rows int, residual bool) {
	if w == nil || len(w.Shape) != 2 {
		return
	}
	k := l.contraction(w, 1, rows, w.Shape[0], w.Shape[1])
	if residual {
		k.Contraction.Epilogue = workload.Epilogue{Ops: workload.Mix{Simple: 1},
			In: []workload.Stream{{DType: l.float, Elements: int64(rows) * int64(w.Shape[0]), Axes: workload.AxisM | workload.AxisN}}}
	}
	l.add(k)
}

// batched adds as many products of rows as there are matrices to be read of a weight [count n k].
func (l *list) batched(w *llm.Held, count, rows int) {
	if w == nil || len(w.Shape) != 3 {
		return
	}
	l.add(l.contraction(w, count, rows, w.Shape[1], w.Shape[2]))
}

// contraction is a product of rows and a weight: with a single row the weight is the left operand, as kernels for
// vectors have it.
func (l *list) contraction(w *llm.Held, batch, rows, n, k int) *workload.Kernel {
	name := w.Name[strings.LastIndex(strings.TrimSuffix(w.Name, ".weight"), ".")+1:]
	acts := workload.Operand{DType: l.float}
	weight := workload.Operand{DType: l.float, Constant: true, Format: l.format(w)}
	c := workload.Contraction{Batch: batch, M: rows, N: n, K: k, A: acts, B: weight, Acc: dtype.F32, Out: l.float}
	c.B.Transposed = true
	if rows == 1 {
		weight.Transposed = false
		c.M, c.N, c.A, c.B = n, 1, weight, acts
	}
	return &workload.Kernel{Name: strings.TrimSuffix(name, ".weight"), Kind: workload.KindContraction, Contraction: c}
}

// format is the format in which a kernel reads a weight: a format that kernels unpack, with at least as many bits. The
// kernels for 4 bits that were measured read a scale and a least value for 32 weights, whatever the file has.
func (l *list) format(w *llm.Held) dtype.Format {
	switch {
	case w.Format == dtype.Plain || l.float != dtype.BF16:
		return dtype.Plain
	case 8*w.Format.Bytes() <= 5*w.Format.Block():
		return dtype.Q4_1
	}
	return dtype.Q8
}

// norm adds a norm of rows.
func (l *list) norm(name string, rows, width int) {
	all := workload.Stream{DType: l.float, Elements: int64(rows) * int64(width)}
	weight := workload.Stream{DType: l.float, Elements: int64(width), Constant: true}
	n := workload.Normalize{Rows: rows, Cols: width, DType: l.float, Passes: 2,
		In: []workload.Stream{all, weight}, Out: []workload.Stream{all}}
	n.Ops.Simple, n.RowOps.Divide = 4, 1
	if l.outline.Norm == "layer" {
		n.Passes, n.In, n.Ops.Simple = 3, append(n.In, weight), 7
	}
	l.add(&workload.Kernel{Name: name, Kind: workload.KindNormalize, Normalize: n})
}

// heads adds a norm of heads if there is a weight for it.
func (l *list) heads(w *llm.Held, heads int) {
	switch {
	case w == nil:
	case l.outline.HeadNormWhole:
		l.norm("head_norm", l.rows, w.Shape[0])
	default:
		l.norm("head_norm", l.rows*heads, w.Shape[0])
	}
}

// rotary turns heads by their positions, by a table as large as what it turns.
func (l *list) rotary(heads int) {
	width := l.outline.HeadWidth
	if x := l.outline.Latent; x != nil {
		width = x.Turned
	}
	all := workload.Stream{DType: l.float, Elements: int64(l.rows) * int64(heads) * int64(width)}
	n := workload.Normalize{Rows: l.rows * heads, Cols: width, DType: l.float, Passes: 1,
		In: []workload.Stream{all, all}, Out: []workload.Stream{all}}
	n.Ops.Simple = 3
	l.add(&workload.Kernel{Name: "rope", Kind: workload.KindNormalize, Normalize: n})
}

// remember writes keys or values of the rows to their places in the cache: a run of each head.
func (l *list) remember(width int) {
	l.add(&workload.Kernel{Name: "cache", Kind: workload.KindMove, Move: workload.Move{DType: l.float,
		Elements: int64(l.rows) * int64(l.outline.KVHeads) * int64(width), ReadRun: width, WriteRun: width}})
}

// attention adds the attention of a layer: over all places of the pass, or over the places of the layer's window.
func (l *list) attention(layer int) {
	o := l.outline
	seen := l.Seen
	if o.Windowed(layer) {
		seen = min(seen, o.Window+l.Tokens-1)
	}
	heads, rows := o.Heads, l.Tokens
	if l.Tokens == 1 { // the heads of a token that share keys and values are rows of one
		heads, rows = o.KVHeads, o.Heads/max(1, o.KVHeads)
	}
	l.add(&workload.Kernel{Name: "attention", Kind: workload.KindAttention, Attention: workload.Attention{Batch: l.Sequences, Heads: heads,
		KVHeads: o.KVHeads, Sq: rows, Sk: seen, D: o.HeadWidth, DV: o.ValueWidth, DType: l.float, Acc: dtype.F32,
		Causal: l.Tokens > 1 && l.Tokens == seen && !o.Encoder}})
}

// gate adds the function between products: of one product's result, which another product's result may multiply.
func (l *list) gate(width int, gated bool) {
	s := workload.Stream{DType: l.float, Elements: int64(l.rows) * int64(width)}
	p := workload.Pointwise{Elements: s.Elements, DType: l.float, In: []workload.Stream{s}, Out: []workload.Stream{s},
		Ops: workload.Mix{Simple: 5, Divide: 1, Transcendental: 1}}
	if gated {
		p.In, p.Ops.Simple = append(p.In, s), 3
	}
	l.add(&workload.Kernel{Name: "gate", Kind: workload.KindPointwise, Pointwise: p})
}
