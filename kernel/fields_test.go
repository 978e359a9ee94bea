package kernel

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/wire"
)

// samples are one kernel of every kind and more.
func samples(t *testing.T) []Kernel {
	var list []Kernel
	for _, text := range []string{rowSum, productText, patches, heads, packedProduct, unpacking,
		"scan \"s\" lines=[2,3,4] fold=max unsigned=1 positions=1 {\n  x f32 in len=24\n  out i64 out len=24\n}\n",
		"sort \"o\" lines=[2,3,1] first=0 count=2 descending=1 unsigned=0 {\n  x f32 in len=6\n  values f32 out len=4\n  positions i64 out len=4\n}\n",
		"scatter \"c\" fold=add unsigned=0 axis=0 updates=[3,4] index=[3,1] into=[5,4] {\n  updates f32 in len=12\n  index i64 in len=3\n  into f32 in len=20\n  out f32 out len=20\n}\n",
		"search \"s\" lines=2 length=5 each=3 right=1 unsigned=0 {\n  values f32 in len=6\n  sequence f32 in len=10\n  out i64 out len=6\n}\n",
		"random \"r\" {\n  key i64 in len=1\n  counter i64 in len=1\n  out i32 out len=9\n}\n",
	} {
		k, err := Parse(text)
		require.NoError(t, err)
		list = append(list, k)
	}
	seen := map[reflect.Type]bool{}
	for _, k := range list {
		seen[reflect.TypeOf(k)] = true
	}
	for _, kind := range kinds {
		require.True(t, seen[reflect.TypeOf(kind.make())], "no sample of %s", kind.word)
	}
	return list
}

// TestNumbersOfKinds: a kind keeps the number that stored programs have.
func TestNumbersOfKinds(t *testing.T) {
	var words []string
	for _, kind := range kinds {
		words = append(words, kind.word)
	}
	require.Equal(t, []string{"nest", "contraction", "convolution", "attention", "scan", "sort", "scatter", "random", "unpack",
		"search"}, words[:10])
	require.NotContains(t, words, "")
}

// TestFields: what is written is read back, field by field as the text form has it.
func TestFields(t *testing.T) {
	for _, want := range samples(t) {
		data := wire.Write(func(c *wire.Coder) { Fields(c, &want) })
		var got Kernel
		require.NoError(t, wire.Read(data, func(c *wire.Coder) { Fields(c, &got) }))
		require.Equal(t, want, got)
		for n := range data {
			require.Error(t, wire.Read(data[:n], func(c *wire.Coder) { Fields(c, &got) }))
		}
	}
}

// TestKey: the key depends on everything but the name.
func TestKey(t *testing.T) {
	for _, k := range samples(t) {
		key := AppendKey(nil, k)
		*k.named() = "another"
		require.Equal(t, key, AppendKey(nil, k))
	}
	k, err := Parse(rowSum)
	require.NoError(t, err)
	before := AppendKey(nil, k)
	k.(*Nest).Stages[0].Body[1].Imm++
	require.False(t, bytes.Equal(before, AppendKey(nil, k)))
}
