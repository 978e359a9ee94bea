package kernel

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	runningSum = `scan "k" lines=[2,3,4] fold=add unsigned=0 positions=0 {
  x f32 in len=24
  out f32 out len=24
}
`
	topTwo = `sort "k" lines=[2,5,1] first=0 count=2 descending=1 unsigned=0 {
  x bf16 in len=10
  values bf16 out len=4
  positions i64 out len=4
}
`
	addRows = `scatter "k" fold=add unsigned=0 axis=0 updates=[5,4] index=[5,1] into=[3,4] {
  updates f32 in len=20
  index i64 in len=5
  into f32 in len=12
  out f32 out len=12
}
`
	places = `search "k" lines=2 length=5 each=3 right=0 unsigned=0 {
  values f32 in len=6
  sequence f32 in len=10
  out i64 out len=6
}
`
	randomBits = `random "k" {
  key i64 in len=1
  counter i64 in len=1
  out i32 out len=7
}
`
)

func TestOrderedVerifyRefuses(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{runningSum, "lines=[2,3,4]", "lines=[2,3,5]", "x: 30 elements in a port of 24"},
		{runningSum, "fold=add", "fold=assign", "scan by assign"},
		{runningSum, "x f32", "x f64", "scan of f64 into f32"},
		{runningSum, "positions=0", "positions=1", "scan of f32 into f32, not i64"},
		{strings.ReplaceAll(runningSum, "f32", "i64"), "positions=0", "positions=1", "positions of a scan by add"},
		{runningSum, "f32 out", "f32 in", "out: written: false"},
		{strings.ReplaceAll(runningSum, "f32", "i32"), "fold=add", "fold=logaddexp", "logaddexp of i32"},
		{topTwo, "first=0", "first=4", "places 4 to 6 of lines of 5"},
		{topTwo, "first=0", "first=-1", "places -1"},
		{topTwo, "positions i64", "positions i32", "into bf16 and i32"},
		{addRows, "axis=0", "axis=2", "axis 2 of updates"},
		{addRows, "index=[5,1]", "index=[4,1]", "dimension 0: 5 updates at 4 indices"},
		{addRows, "into=[3,4]", "into=[3,3]", "dimension 1: 4 updates"},
		{addRows, "fold=add", "fold=logaddexp", "no scatter by logaddexp"},
		{places, "length=5", "length=4", "sequence: 8 elements in a port of 10"},
		{places, "values f32", "values f64", "search of f64 in f32"},
		{places, "i64", "i32", "into i32"},
		{strings.ReplaceAll(places, "f32", "bf16"), "each=3", "each=3", "widen the values to f32 first"},
		{randomBits, "out i32", "out f32", "random f32"},
		{randomBits, "key i64 in len=1", "key i64 in len=2", "key: 1 elements in a port of 2"},
	} {
		k, err := Parse(strings.Replace(c.text, c.old, c.new, 1))
		require.NoError(t, err, c.new)
		require.ErrorContains(t, Verify(k), c.want, c.new)
	}
	for _, edit := range [][3]string{{"fold=add", "fold=most", "unknown fold"},
		{"x f32", "y f32", `unexpected "y"`}, {"out f32 out len=24\n", "\n", "operand out is missing"}} {
		_, err := Parse(strings.Replace(runningSum, edit[0], edit[1], 1))
		require.ErrorContains(t, err, edit[2])
	}
}
