package bytecode

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// hand is a file that is put together by the numbers of the format and of vhlo.
type hand struct {
	texts        []string
	attrs, types [][]byte // behind the number of the dialect: 0 is builtin, 1 vhlo
}

func bytesOf(numbers ...uint64) (out []byte) {
	for _, n := range numbers {
		out = append(out, encodeVarint(n)...)
	}
	return out
}

func (h *hand) text(s string) uint64 {
	for i, t := range h.texts {
		if t == s {
			return uint64(i)
		}
	}
	h.texts = append(h.texts, s)
	return uint64(len(h.texts) - 1)
}

// attr adds an attribute; types and attributes of both dialects have numbers in order.
func (h *hand) attr(dialect byte, data ...uint64) uint64 {
	h.attrs = append(h.attrs, append([]byte{dialect}, bytesOf(data...)...))
	return uint64(len(h.attrs) - 1)
}

func (h *hand) typ(data ...uint64) uint64 {
	h.types = append(h.types, append([]byte{1}, bytesOf(data...)...))
	return uint64(len(h.types) - 1)
}

// named makes a dictionary of attributes.
func (h *hand) named(pairs ...any) uint64 {
	data := []uint64{1, uint64(len(pairs) / 2)}
	for i := 0; i < len(pairs); i += 2 {
		data = append(data, h.attr(0, 2, h.text(pairs[i].(string))), pairs[i+1].(uint64))
	}
	return h.attr(0, data...)
}

// artifact is a portable artifact, func(x: 2x3, w: 3x2) { x·w + x·w }.
func artifact() []byte {
	h := &hand{}
	const signed = 2 // an extent n is written as a signed number, twice itself
	f32 := h.typ(4)
	i64 := h.typ(14)
	left, right, product := h.typ(20, 2, 2*signed, 3*signed, f32), h.typ(20, 2, 3*signed, 2*signed, f32), h.typ(20, 2, 2*signed, 2*signed, f32)
	one := h.typ(20, 1, 1*signed, i64)
	none := h.typ(33)
	signature := h.typ(8, 2, left, right, 1, product)

	unknown := h.attr(0, 15)
	str := func(s string) uint64 { return h.attr(1, 14, h.text(s)) }
	dims := func(n uint64) uint64 { // one number as elements
		h.attrs = append(h.attrs, append(append([]byte{1}, bytesOf(15, one, 8)...), byte(n), 0, 0, 0, 0, 0, 0, 0))
		return uint64(len(h.attrs) - 1)
	}
	emptyType := h.typ(20, 1, 0, i64)
	h.attrs = append(h.attrs, append([]byte{1}, bytesOf(15, emptyType, 0)...))
	no := uint64(len(h.attrs) - 1)
	noType := h.attr(1, 17, none)
	array := h.attr(1, 1, 0)
	zero := h.attr(1, 9, i64, 0)
	fn := h.named("sym_name", str("main"), "function_type", h.attr(1, 17, signature), "sym_visibility", str(""), "arg_attrs", array, "res_attrs", array)
	dot := h.named("lhs_batching_dimensions", no, "rhs_batching_dimensions", no, "lhs_contracting_dimensions", dims(1),
		"rhs_contracting_dimensions", dims(0), "precision_config", h.attr(1, 1, 2, h.attr(1, 11, 0), h.attr(1, 11, 2)),
		"lhs_precision_type", noType, "rhs_precision_type", noType, "accumulation_type", noType, "lhs_component_count", zero,
		"rhs_component_count", zero, "num_primitive_operations", zero, "allow_imprecise_accumulation", h.attr(1, 2, 0))

	body := bytesOf(1, 4, 3<<1|1, 2, left<<1, right<<1) // one block, four values, three operations behind two arguments
	body = append(body, 0)
	op := func(name uint64, mask byte, rest ...uint64) {
		body = append(append(body, encodeVarint(name)...), mask)
		body = append(body, bytesOf(append([]uint64{unknown}, rest...)...)...)
	}
	op(2, hasAttrs|hasResults|hasOperands, dot, 1, product, 2, 0, 1)
	op(3, hasResults|hasOperands, 1, product, 2, 2, 2)
	op(4, hasOperands, 1, 3)
	function := append(encodeVarint(1), hasAttrs|hasRegions)
	function = append(function, bytesOf(unknown, fn, 1<<1|1)...)
	function = section(function, sectionIR, body)
	inside := append(bytesOf(1, 0, 1<<1), function...)
	top := append(bytesOf(1<<1, 0), hasRegions)
	top = append(top, bytesOf(unknown, 1<<1|1)...)
	top = section(top, sectionIR, inside)

	w := &writer{strings: map[string]uint64{}, dialects: map[string]uint64{}, names: map[string]uint64{}}
	for _, s := range h.texts {
		w.string(s)
	}
	for _, name := range []string{"builtin.module", "vhlo.func_v1", "vhlo.dot_general_v2", "vhlo.add_v1", "vhlo.return_v1"} {
		w.name(name)
	}
	names := w.dialectSection()
	offsets, entries := bytesOf(uint64(len(h.attrs)), uint64(len(h.types))), []byte(nil)
	for _, e := range append(h.attrs, h.types...) {
		offsets = append(offsets, bytesOf(uint64(e[0]), 1, uint64(len(e)-1)<<1|1)...)
		entries = append(entries, e[1:]...)
	}
	file := append(append([]byte(nil), magic...), encodeVarint(format)...)
	file = append(file, "StableHLO_v1.9.0\x00"...)
	return section(section(section(section(section(file, sectionText, w.stringSection()), sectionDialects, names),
		sectionEntries, entries), sectionOffsets, offsets), sectionIR, top)
}

// A portable artifact becomes StableHLO: types, enumerations and attributes that vhlo keeps apart.
func TestArtifact(t *testing.T) {
	module, err := Read("f.bc", artifact())
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	require.Equal(t, `module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = "stablehlo.add"(%0, %0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}
`, module.Text(mlir.PrintOptions{}))
}
