package torchscript

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// debugArchive is a model of two lines with a map to model.py: the first line comes from line 41,
// the second from line 42, column 5.
func debugArchive(t *testing.T, body, table string) []byte {
	return moduleArchive(t, body, member{"m/code/__torch__.py.debug_pkl", pickled(table)})
}

// The three forms that releases of PyTorch have written.
func debugTables(offset int) map[string]string {
	text := "(" + pText("def f(x):\n    return g(x)\n") + pText("model.py") + pInt(41) + "t"
	lines := "(" + pGlobal("torch.jit._pickle", "build_intlist") + "](" + pInt(0) + pInt(2) + "e\x85R" +
		pInt(1) + pInt(41) + "t"
	span := func(source string, start int) string { return "(" + source + pInt(start) + pInt(99) + "t" }
	return map[string]string{
		"offset and range": "((" + pInt(0) + span(text, 0) + "t(" + pInt(offset) + span(text, 14) + "tt",
		"tag between":      "((" + pInt(0) + pInt(-1) + span(text, 0) + "t(" + pInt(offset) + pInt(-1) + span(text, 14) + "tt",
		"table of lines": "(" + pText("FORMAT_WITH_STRING_TABLE") +
			"(" + pText("def f(x):\n") + pText("model.py") + pText("    return g(x)\n") + "t" +
			"((" + pInt(0) + span(lines, 0) + pInt(7) + "t(" + pInt(offset) + span(lines, 14) + pInt(7) + "ttt",
	}
}

func TestOriginalSource(t *testing.T) {
	body := "    y = torch.relu(x)\n    return torch.add(y, 1)\n"
	m, err := read(moduleArchive(t, body))
	require.NoError(t, err)
	offset := strings.Index(string(m.library.texts["code/__torch__.py"]), "return")
	for name, table := range debugTables(offset) {
		m, err := read(debugArchive(t, body, table))
		require.NoError(t, err, name)
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2}}})
		require.NoError(t, err, name)
		block := module.Func("main").Body().Ops
		assert.Equal(t, `loc(callsite("code/__torch__.py":9:15 at "model.py":41:1))`, block[0].Loc.String(), name)
		assert.Equal(t, `loc(callsite("code/__torch__.py":10:18 at "model.py":42:5))`, block[1].Loc.String(), name)
	}
	bad := "    y = torch.relu(x)\n    return torch.frobnicate(y, 1)\n"
	m, err = read(debugArchive(t, bad, debugTables(offset)["table of lines"]))
	require.NoError(t, err)
	_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2}}})
	assert.EqualError(t, err, "m.pt: code/__torch__.py:10:18: unknown operator aten::frobnicate (from model.py:42:5)")
}

// What stands before the first record of a map, or behind its lines, comes from nowhere.
func TestBeyondSourceMap(t *testing.T) {
	m := readSourceMap([]byte(pickled(debugTables(8)["offset and range"])), "line 1\nline 2\n")
	m.records = m.records[1:]
	for at, want := range map[script.Position]bool{{Line: 1, Col: 1}: false, {Line: 2, Col: 1}: false, {Line: 2, Col: 2}: true, {Line: 3, Col: 1}: true,
		{Line: 4, Col: 1}: false, {Line: 0, Col: 9}: false} {
		_, ok := m.at(at)
		assert.Equal(t, want, ok, at)
	}
	_, ok := (*sourceMap)(nil).at(script.Position{Line: 1, Col: 1})
	assert.False(t, ok)
}

// A map that makes no sense is of no consequence.
func TestDamagedSourceMap(t *testing.T) {
	for _, table := range []string{"", "K\x01", "(K\x01K\x02t", "((K\x01(K\x01K\x02K\x03ttt", "((K\x00((K\x01tK\x02K\x03ttt"} {
		m, err := read(debugArchive(t, "    return torch.relu(x)\n", table))
		require.NoError(t, err, "%q", table)
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2}}})
		require.NoError(t, err, "%q", table)
		assert.Equal(t, "code/__torch__.py:9:18", module.Func("main").Body().Ops[0].Loc.Short())
	}
}
