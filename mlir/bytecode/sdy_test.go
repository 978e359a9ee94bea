package bytecode

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// TestShardy: attributes of Shardy's dialect are read as its bytecode.td lays them out, and spelled as its attrs.td
// says.
func TestShardy(t *testing.T) {
	list := func(items ...uint64) []uint64 { return append([]uint64{uint64(len(items))}, items...) }
	signed := func(n uint64) uint64 { return 2 * n }
	r := &reader{strings: []string{"a", "b", "mesh"}, bodies: map[string]string{}}
	add := func(code uint64, numbers ...[]uint64) uint64 {
		data := bytesOf(code)
		for _, n := range numbers {
			data = append(data, bytesOf(n...)...)
		}
		r.attrs = append(r.attrs, entry[mlir.Attribute]{dialect: "sdy", custom: true, data: &cursor{data: data}})
		return uint64(len(r.attrs) - 1)
	}
	closed := func(axes []uint64, isClosed byte, priority uint64) uint64 { // a bool is one byte
		i := add(5, axes)
		e := r.attrs[i].data
		e.data = append(append(e.data, isClosed), encodeVarint(priority)...)
		return i
	}
	check := func(want string, i uint64) {
		t.Helper()
		require.Equal(t, want, r.attrAt(&cursor{}, i).String())
	}

	a, b := add(1, []uint64{0, signed(2)}), add(1, []uint64{1, signed(4)})
	mesh := add(2, list(a, b), list())
	check(`#sdy.mesh<["a"=2, "b"=4]>`, mesh)
	check(`#sdy.mesh<["a"=2], device_ids=[1, 0]>`, add(2, list(a), list(signed(1), signed(0))))

	half := add(3, []uint64{signed(1), signed(2)})
	axis, part := add(4, []uint64{0, 0}), add(4, []uint64{1, half<<1 | 1})
	check(`#sdy<axis_ref"b":(1)2>`, part)
	open, whole, first := closed(list(axis), 0, 0), closed(list(), 1, 0), closed(list(part), 1, 3<<1|1)
	check(`#sdy<dimension_sharding{"a", ?}>`, open)
	check(`#sdy<dimension_sharding{?}>`, closed(list(), 0, 0))
	check(`#sdy<dimension_sharding{}>`, whole)

	r.attrs = append(r.attrs, entry[mlir.Attribute]{done: true, value: mlir.SymbolRefAttr{"mesh"}})
	name := uint64(len(r.attrs) - 1)
	sharding := add(6, []uint64{name}, list(open, whole), list(part))
	check(`#sdy.sharding<@mesh, [{"a", ?}, {}], replicated={"b":(1)2}>`, sharding)
	check(`#sdy.sharding<mesh<["a"=2, "b"=4]>, [{"b":(1)2}p3]>`, add(6, []uint64{mesh}, list(first), list()))
	check(`#sdy.sharding<@mesh, [{}], unreduced={"a"}>`, add(15, []uint64{name}, list(whole), list(), list(axis)))
	check(`#sdy.sharding<@mesh, [{}], unreduced=max{"a"}>`, add(17, []uint64{name}, list(whole), list(), list(axis), []uint64{signed(1)}))
	check(`#sdy.sharding_per_value<[<@mesh, [{"a", ?}, {}], replicated={"b":(1)2}>]>`, add(7, list(sharding)))

	i, k, j := add(8, list(signed(0))), add(8, list(signed(1))), add(8, list(signed(2), signed(18)))
	rule := add(10, list(signed(2), signed(3), signed(4)), list(add(9, list(i, k)), add(9, list(k, j))), list(add(9, list(i, j))),
		list(signed(1)), list(), list(), list())
	r.attrs[rule].data.data = append(r.attrs[rule].data.data, 1)
	check(`#sdy.op_sharding_rule<([i, j], [j, kz_1])->([i, kz_1]) {i=2, j=3, k=4} reduction={j}, custom>`, rule)

	var f fault
	func() {
		defer func() { f, _ = recover().(fault) }()
		r.attrAt(&cursor{}, add(11, list(name)))
	}()
	require.ErrorContains(t, f.err, "@mesh where an attribute of sdy is wanted")
}

// TestCasts: casts of a value to its own type, which stand around operations of other dialects, go.
func TestCasts(t *testing.T) {
	module, err := mlir.Parse("f.mlir", []byte(`func.func @main(%x: tensor<2xf32>) -> tensor<2xi32> {
  %0 = builtin.unrealized_conversion_cast %x : tensor<2xf32> to tensor<2xf32>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<2xf32> to tensor<2xi32>
  return %1 : tensor<2xi32>
}`))
	require.NoError(t, err)
	fromVHLO(module)
	require.Equal(t, `module {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xi32> {
    %0 = builtin.unrealized_conversion_cast %x : tensor<2xf32> to tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}`, module.String())
}
