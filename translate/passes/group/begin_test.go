package group_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/group"
)

func init() {
	err := ops.Register(&ops.Op{Schema: "begin_of_test(Tensor self) -> Tensor", Begins: true,
		Infer: func(c *ops.Call) error { return c.Result(c.DTypeOf(0), c.Shape(0)) },
		Host:  func(c *ops.HostCall) ([]*buf.Buffer, error) { return []*buf.Buffer{c.Buffer(0)}, nil }})
	if err != nil {
		panic(err)
	}
}

// TestBeginEarly divides random functions with operations that begin something: before the first of
// them, in the order of the text, stands nothing but what it needs, and so on.
func TestBeginEarly(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := 3 + r.IntN(30)
		var b strings.Builder
		b.WriteString("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n")
		needs := make([]map[int]bool, n) // what each operation needs, itself among it
		var begins []int
		value := func(i int) string {
			k := r.IntN(i + 1)
			if k == i {
				return "%x"
			}
			for at := range needs[k] {
				needs[i][at] = true
			}
			return fmt.Sprintf("%%%d", k)
		}
		for i := range n {
			needs[i] = map[int]bool{i: true}
			where := fmt.Sprintf(" loc(%q)", fmt.Sprint(i))
			switch r.IntN(6) {
			case 0:
				begins = append(begins, i)
				fmt.Fprintf(&b, "  %%%d = \"aten.begin_of_test\"(%s) : (tensor<4xf32>) -> tensor<4xf32>%s\n", i, value(i), where)
			case 1:
				fmt.Fprintf(&b, "  %%%d = \"aten.hypot\"(%s, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>%s\n", i, value(i), value(i), where)
			default:
				fmt.Fprintf(&b, "  %%%d = \"aten.mul.Tensor\"(%s, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>%s\n", i, value(i), value(i), where)
			}
		}
		fmt.Fprintf(&b, "  return %%%d : tensor<4xf32>\n}\n", n-1)
		module, _ := grouped(t, b.String(), group.Grouping{Supports: but("aten.hypot")})

		var order []int
		var walk func(f *mlir.Operation)
		walk = func(f *mlir.Operation) {
			for _, op := range f.Body().Ops {
				if op.Name == "func.call" {
					callee := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
					walk(module.Func(callee[len(callee)-1]))
				} else if op.Name != "func.return" {
					var i int
					_, err := fmt.Sscan(strings.Trim(op.Loc.Short(), `"`), &i)
					require.NoError(t, err, op.Loc.Short())
					order = append(order, i)
				}
			}
		}
		walk(module.Func("main"))
		require.Len(t, order, n)
		needed, next := map[int]bool{}, 0
		for _, i := range order {
			for ; next < len(begins) && needs[begins[next]] != nil && needed[begins[next]]; next++ {
			}
			if next == len(begins) {
				break
			}
			require.True(t, needs[begins[next]][i], "%s\noperation %d stands before %d, which does not need it: %v", &b, i,
				begins[next], order)
			needed[i] = true
		}
	}
}
