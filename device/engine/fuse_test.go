package engine

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// kinds lists the kernels of a program: "matmul reduce pointwise".
func kinds(p *Program) string {
	var list []string
	for _, s := range p.Steps {
		_, kind, _ := strings.Cut(s.Name, "_")
		if s.Fixed {
			kind = "once:" + kind
		}
		list = append(list, kind)
	}
	return strings.Join(list, " ")
}

// fusions are small nets with the kernels that they become.
var fusions = []struct {
	name  string
	build func(n *net) *mlir.Operation
	want  string
}{
	{"pointwise chain", func(n *net) *mlir.Operation {
		x, y := n.input(4, 5), n.input(5)
		return n.done(n.relu(n.mul(n.math("exp", n.add(x, y)), x)))
	}, "pointwise"},
	{"two branches", func(n *net) *mlir.Operation {
		x := n.input(4, 5)
		return n.done(n.mul(n.math("tanh", x), n.math("exp", n.relu(x))))
	}, "pointwise"},
	{"reshape between", func(n *net) *mlir.Operation {
		x, y := n.input(6, 4), n.input(2, 3, 4)
		return n.done(n.add(n.Reshape(n.relu(x), []int{2, 3, 4}), y))
	}, "pointwise"},
	{"reshapes between", func(n *net) *mlir.Operation {
		x := n.add(n.Reshape(n.relu(n.input(12, 10)), []int{3, 4, 10}), n.input(3, 4, 10))
		x = n.add(n.Reshape(x, []int{3, 40}), n.input(3, 40))
		return n.done(n.add(n.Reshape(x, []int{3, 2, 2, 10}), n.input(3, 2, 2, 10)))
	}, "pointwise"},
	{"reshapes that do not divide", func(n *net) *mlir.Operation {
		x := n.math("exp", n.input(6, 4))
		return n.done(n.add(n.Reshape(x, []int{3, 8}), n.input(3, 8)), n.add(n.Reshape(x, []int{2, 12}), n.input(2, 12)))
	}, "pointwise pointwise"},
	{"rows of several dimensions", func(n *net) *mlir.Operation {
		x := n.input(4, 6)
		rows := n.sum(n.math("exp", n.Reshape(x, []int{4, 2, 3})), 2)
		return n.done(n.mul(n.Reshape(x, []int{4, 2, 3}), rows))
	}, "reduce"},
	{"columns that are walked again", func(n *net) *mlir.Operation {
		x := n.input(4098, 3)
		return n.done(n.sub(x, n.max(x, 0)))
	}, "reduce pointwise"},
	{"short columns that are walked again", func(n *net) *mlir.Operation {
		x := n.input(40, 3)
		return n.done(n.sub(x, n.max(x, 0)))
	}, "reduce"},
	{"long rows that are walked again", func(n *net) *mlir.Operation {
		x := n.input(5, 4098)
		return n.done(n.sub(x, n.max(x, 1)))
	}, "reduce"},
	{"transposed reader", func(n *net) *mlir.Operation {
		x, y := n.input(6, 4), n.input(4, 6)
		return n.done(n.add(n.Permute(n.relu(x), []int{1, 0}), y))
	}, "pointwise"},
	{"x and its transpose", func(n *net) *mlir.Operation {
		x := n.relu(n.input(4, 4))
		return n.done(n.add(x, n.Permute(x, []int{1, 0})))
	}, "pointwise pointwise"},
	{"sums with transposes", func(n *net) *mlir.Operation {
		x := n.relu(n.input(4, 4))
		y := n.add(x, n.Permute(x, []int{1, 0}))
		z := n.mul(y, n.Permute(y, []int{1, 0}))
		return n.done(n.sub(n.Permute(z, []int{1, 0}), z))
	}, "pointwise pointwise pointwise pointwise"},
	{"attention of matrices", func(n *net) *mlir.Operation {
		q, k, v := n.input(5, 4), n.input(7, 4), n.input(7, 6)
		p := n.softmax(n.scale(n.Contract(q, n.Permute(k, []int{1, 0}), dtype.F32), 0.5))
		return n.done(n.Contract(p, v, dtype.F32))
	}, "attention"},
	{"softmax", func(n *net) *mlir.Operation { return n.done(n.softmax(n.input(3, 7))) }, "reduce"},
	{"softmax of scaled", func(n *net) *mlir.Operation {
		return n.done(n.softmax(n.scale(n.input(2, 3, 7), 0.5)))
	}, "reduce"},
	{"layer_norm", func(n *net) *mlir.Operation {
		return n.done(n.layerNorm(n.input(2, 3, 8), n.input(8), n.input(8)))
	}, "reduce"},
	{"linear relu", func(n *net) *mlir.Operation {
		return n.done(n.relu(n.linear(n.input(2, 3, 8), n.input(5, 8), n.input(5))))
	}, "matmul"},
	{"linear gelu residual", func(n *net) *mlir.Operation {
		x := n.input(2, 3, 8)
		return n.done(n.add(x, n.gelu(n.linear(x, n.input(8, 8), n.input(8)))))
	}, "matmul"},
	{"residual diamond", func(n *net) *mlir.Operation {
		x := n.relu(n.linear(n.input(6, 8), n.input(8, 8), n.input(8)))
		return n.done(n.add(x, n.linear(x, n.input(8, 8), n.input(8))))
	}, "matmul matmul"},
	{"concat", func(n *net) *mlir.Operation {
		x, y := n.relu(n.input(2, 3)), n.math("exp", n.input(2, 4))
		out := ops.TensorType{DType: dtype.F32, Shape: []int{2, 7}}
		return n.done(n.Concat([]val{x, y}, 1, out))
	}, "pointwise pointwise"},
	{"lenet", func(n *net) *mlir.Operation { return n.done(n.lenet(n.input(2, 1, 28, 28))) },
		"conv reduce conv reduce matmul matmul matmul"},
	{"rows in another order", func(n *net) *mlir.Operation {
		y := n.linear(n.input(6, 8), n.input(5, 8), n.input(5))
		return n.done(n.relu(n.add(n.Permute(n.Reshape(y, []int{2, 3, 5}), []int{1, 0, 2}), n.input(3, 2, 5))))
	}, "matmul pointwise"},
	{"rows of a batch in another order", func(n *net) *mlir.Operation {
		y := n.bmm(n.input(4, 6, 8), n.input(4, 8, 5))
		return n.done(n.relu(n.add(n.Permute(n.Reshape(y, []int{4, 2, 3, 5}), []int{2, 0, 1, 3}), n.input(3, 4, 2, 5))))
	}, "matmul pointwise"},
	{"batches in another order", func(n *net) *mlir.Operation {
		y := n.bmm(n.input(4, 6, 8), n.input(4, 8, 5))
		return n.done(n.relu(n.add(n.Permute(y, []int{1, 0, 2}), n.input(6, 4, 5))))
	}, "matmul"},
	{"column sums", func(n *net) *mlir.Operation {
		return n.done(n.scale(n.sum(n.relu(n.input(6, 5)), 0), 2))
	}, "reduce"},
	{"attention", func(n *net) *mlir.Operation {
		x := n.input(2, 5, 12)
		return n.done(n.attention(x, 3, n.weight(36, 12), n.weight(36), n.weight(12, 12), n.weight(12), nil))
	}, "matmul attention matmul"},
	{"masked attention", func(n *net) *mlir.Operation {
		x, mask := n.input(2, 5, 12), n.input(5, 5)
		return n.done(n.attention(x, 3, n.weight(36, 12), n.weight(36), n.weight(12, 12), n.weight(12), &mask))
	}, "matmul attention matmul"},
	{"causal attention", func(n *net) *mlir.Operation {
		x := n.input(1, 5, 12)
		mask := n.FromIndex(ops.TensorType{DType: dtype.F32, Shape: []int{5, 5}},
			func(s *ops.Scalars, i []ops.Elem) ops.Elem {
				return s.Select(s.Cmp("le", i[1], i[0]), s.Const(dtype.F32, 0), s.Const(dtype.F32, math.Inf(-1)))
			})
		return n.done(n.attention(x, 3, n.weight(36, 12), n.weight(36), n.weight(12, 12), n.weight(12), &mask))
	}, "matmul attention matmul"},
	{"attention with a filled mask", func(n *net) *mlir.Operation {
		return n.done(n.filled(n.FromIndex(ops.TensorType{DType: dtype.Bool, Shape: []int{5, 5}},
			func(s *ops.Scalars, i []ops.Elem) ops.Elem { return s.Cmp("gt", i[1], i[0]) })))
	}, "attention"},
	{"attention with another filled mask", func(n *net) *mlir.Operation {
		x := n.input(5, 5)
		return n.done(n.filled(n.Pointwise(ops.TensorType{DType: dtype.Bool, Shape: []int{5, 5}}, []val{x},
			func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Cmp("gt", x[0], s.Const(x[0].D, 0.5)) })))
	}, "pointwise attention"},
	{"attention of tensors", func(n *net) *mlir.Operation {
		q, k, v := n.input(2, 3, 5, 4), n.input(2, 3, 7, 4), n.input(2, 3, 7, 6)
		mask := n.input(2, 1, 1, 7)
		s := n.add(n.bmm(q, n.Permute(k, []int{0, 1, 3, 2})), mask)
		return n.done(n.bmm(n.softmax(s), v))
	}, "attention"},
	{"one query", func(n *net) *mlir.Operation {
		q, k, v := n.input(6, 1, 4), n.input(6, 7, 4), n.input(6, 7, 6)
		return n.done(n.bmm(n.softmax(n.bmm(q, n.Permute(k, []int{0, 2, 1}))), v))
	}, "attention"},
	{"probabilities wanted", func(n *net) *mlir.Operation {
		q, k, v := n.input(6, 4, 4), n.input(6, 7, 4), n.input(6, 7, 6)
		p := n.softmax(n.bmm(q, n.Permute(k, []int{0, 2, 1})))
		return n.done(n.bmm(p, v), p)
	}, "matmul reduce matmul"},
	{"transformer block", func(n *net) *mlir.Operation {
		return n.done(n.block(n.input(2, 6, 12), 3, nil))
	}, "reduce matmul attention matmul reduce matmul matmul"},
	{"depthwise", func(n *net) *mlir.Operation {
		x := n.relu(n.conv(n.input(2, 3, 8, 8), n.weight(4, 3, 1, 1), 1, 0))
		return n.done(n.relu(n.depthwise(x, n.weight(4, 1, 3, 3), 2)))
	}, "conv conv"},
	{"residual blocks", func(n *net) *mlir.Operation {
		return n.done(n.basicBlock(n.basicBlock(n.input(2, 4, 8, 8), 4, 1), 6, 2))
	}, strings.TrimSpace(strings.Repeat("once:pointwise conv ", 5))},
	{"long sum", func(n *net) *mlir.Operation {
		x := n.Reshape(n.input(1<<17), []int{2, 1 << 16})
		return n.done(n.scale(n.sum(n.mul(x, x), 1), 0.5))
	}, "reduce reduce"},
	{"long softmax", func(n *net) *mlir.Operation { return n.done(n.softmax(n.input(1, 1<<16))) },
		"reduce reduce reduce reduce pointwise"},
	{"weights alone", func(n *net) *mlir.Operation {
		w := n.math("exp", n.weight(3, 4))
		return n.done(n.linear(n.input(20, 4), w, n.weight(3)))
	}, "once:pointwise matmul"},
	{"sums of weights beside what varies", func(n *net) *mlir.Operation {
		return n.done(n.mul(n.sum(n.weight(6, 5), 1), n.input(6, 1)))
	}, "once:reduce pointwise"},
}

func TestFusion(t *testing.T) {
	for _, c := range fusions {
		t.Run(c.name, func(t *testing.T) {
			n := newNet()
			f := c.build(n)
			p, err := Compile(f, Options{ConstInputs: n.consts, Backend: portable.Compile})
			require.NoError(t, err)
			require.Equal(t, c.want, kinds(p))
			compare(t, f, n.inputs)
			out, err := p.Run(context.Background(), n.inputs)
			require.NoError(t, err)
			var again []*buf.Buffer
			for _, b := range out {
				again = append(again, b.Clone())
			}
			require.NoError(t, p.RunInto(context.Background(), n.inputs, again))
			for i := range out {
				require.Equal(t, out[i].Bytes(), again[i].Bytes())
			}
		})
	}
}
