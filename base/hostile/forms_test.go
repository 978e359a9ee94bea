package hostile

import (
	"bytes"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStructuredForms: fields, operations and integers change, and what holds them can be read.
func TestStructuredForms(t *testing.T) {
	message := []byte{8, 150, 1, 18, 7, 10, 5, 'n', 'a', 'm', 'e', '1', 26, 2, 8, 1}
	fields, ok := parseFields(message)
	require.True(t, ok)
	require.Equal(t, message, appendFields(nil, fields))
	n := 0
	for what, form := range Protobuf(message, 5) {
		_, ok := parseFields(form)
		require.True(t, ok, "%s: %x", what, form)
		n++
	}
	require.Greater(t, n, 20)
	pickle := []byte("\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x05X\x01\x00\x00\x00bM\x00\x01G\x00\x00\x00\x00\x00\x00\x00\x00cos\nsystem\n\x8a\x01\x07u.")
	require.Equal(t, pickle, bytes.Join(pickleOps(pickle), nil))
	require.Len(t, pickleOps(pickle), 14)
	for _, forms := range []func([]byte, int) iter.Seq2[string, []byte]{Pickles, Numbers} {
		n = 0
		for what, form := range forms(pickle, 5) {
			require.NotEqual(t, pickle, form, what)
			n++
		}
		require.Greater(t, n, 15)
	}
}
