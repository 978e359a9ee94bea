package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

func TestParseSchema(t *testing.T) {
	s, err := ops.ParseSchema("f.out(Tensor(a!) self, Tensor?[] indices, int[2]? size=[1, 2], *, " +
		"Scalar alpha=1, str mode='x', float p=-0.5, bool k=True) -> (Tensor(a!) x, Tensor[])")
	require.NoError(t, err)
	require.Equal(t, "f.out", s.FullName())
	p := s.Params
	require.True(t, p[0].Write)
	require.Equal(t, byte('a'), p[0].Alias)
	require.True(t, p[1].List && p[1].ElemOpt)
	require.True(t, p[2].List && p[2].Optional)
	require.Equal(t, []int{1, 2}, p[2].Default.Ints())
	require.True(t, p[3].KwOnly && !p[2].KwOnly)
	require.Equal(t, "x", p[4].Default.Text())
	require.Equal(t, -0.5, p[5].Default.Float())
	require.True(t, p[6].Default.Bool())
	require.Len(t, s.Returns, 2)
	require.Equal(t, "x", s.Returns[0].Name)
	require.True(t, s.Returns[1].List)
}

func TestParseSchemaErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         `schema "": column 1: expected a name`,
		"f":                        `schema "f": column 2: expected "("`,
		"f(Tensor) -> Tensor":      `schema "f(Tensor) -> Tensor": column 9: expected a name`,
		"f(Thing x) -> Tensor":     `schema "f(Thing x) -> Tensor": column 8: unknown type "Thing"`,
		"f(int x=?) -> Tensor":     `schema "f(int x=?) -> Tensor": column 9: bad default ""`,
		"f() -> Tensor rest of it": `schema "f() -> Tensor rest of it": column 20: unexpected "of it"`,
		"f(str x='open) -> Tensor": `schema "f(str x='open) -> Tensor": column 9: unterminated string`,
		"f(int x int y) -> Tensor": `schema "f(int x int y) -> Tensor": column 9: expected ","`,
	} {
		_, err := ops.ParseSchema(text)
		require.EqualError(t, err, want)
	}
}

// FuzzParseSchema: any text is a schema or an error.
func FuzzParseSchema(f *testing.F) {
	for _, op := range ops.All() {
		f.Add(op.Schema)
	}
	f.Add("f(Tensor(a!)?[3] x=[1,2], *, str s='a') -> (Tensor(a -> *) y, bool)")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ops.ParseSchema(text); err == nil {
			require.NotEmpty(t, s.Name)
		}
	})
}
