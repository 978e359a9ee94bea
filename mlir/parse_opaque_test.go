package mlir

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOpaqueTextIsOneLine reads symbols of dialects that nobody here knows, broken in several ways.
func TestOpaqueTextIsOneLine(t *testing.T) {
	for _, text := range []string{"<a: [1, 2]>", "<a:\n    [1, 2]>", "<a:\r\n\r\n\t[1,\n2]>"} {
		typ, err := ParseType("!their.type" + text)
		require.NoError(t, err)
		require.Equal(t, "!their.type<a: [1, 2]>", typ.String())
		attr, err := ParseAttribute("#their.attr" + text)
		require.NoError(t, err)
		require.Equal(t, "#their.attr<a: [1, 2]>", attr.String())
	}
	typ, err := ParseType("!their.type<\"http://a  b\">")
	require.NoError(t, err)
	require.Equal(t, "!their.type<\"http://a  b\">", typ.String())
}
