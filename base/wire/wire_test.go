package wire_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/wire"
)

type point struct{ x, y int }

func (p *point) fields(c *wire.Coder) {
	c.Int(&p.x)
	c.Int(&p.y)
}

func ExampleWrite() {
	p, q := point{3, -5}, point{}
	data := wire.Write(p.fields)
	err := wire.Read(data, q.fields)
	fmt.Println(len(data), q, err)
	// Output: 2 {3 -5} <nil>
}

type all struct {
	n      int
	u      uint64
	f      float64
	b      bool
	small  uint8
	text   string
	bytes  []byte
	list   []int
	points []point
	maybe  *point
}

func (a *all) fields(c *wire.Coder) {
	c.Int(&a.n)
	c.Uint64(&a.u)
	c.Float64(&a.f)
	c.Bool(&a.b)
	wire.Small(c, &a.small, 9)
	c.String(&a.text)
	c.Bytes(&a.bytes)
	c.Ints(&a.list)
	wire.Slice(c, &a.points, func(p *point) { p.fields(c) })
	wire.Optional(c, &a.maybe, func(p *point) { p.fields(c) })
}

func examples() []all {
	return []all{
		{bytes: []byte{}},
		{n: math.MinInt, u: math.MaxUint64, f: -0.5, b: true, small: 8, text: "ä\n", bytes: []byte{0, 255},
			list: []int{math.MaxInt, 0, -1}, points: []point{{1, 2}, {3, 4}}, maybe: &point{-1, 1 << 40}},
		{bytes: []byte{}, list: []int{}, points: []point{}, f: math.Inf(-1)},
	}
}

func TestRoundTrip(t *testing.T) {
	for _, want := range examples() {
		var got all
		require.NoError(t, wire.Read(wire.Write(want.fields), got.fields))
		require.Equal(t, want, got)
	}
}

// Whatever is cut off, added or altered is an error or another value, never a crash or a large
// allocation.
func TestDamage(t *testing.T) {
	for _, v := range examples() {
		data := wire.Write(v.fields)
		for n := range data {
			var got all
			require.ErrorIs(t, wire.Read(data[:n], got.fields), wire.ErrMalformed)
			for bit := range 8 {
				changed := append([]byte{}, data...)
				changed[n] ^= 1 << bit
				var got all
				if wire.Read(changed, got.fields) == nil {
					require.LessOrEqual(t, len(got.list)+len(got.points)+len(got.text)+len(got.bytes), 2*len(data))
				}
			}
		}
		var got all
		require.ErrorIs(t, wire.Read(append(data, 0), got.fields), wire.ErrMalformed)
	}
}

func FuzzRead(f *testing.F) {
	for _, v := range examples() {
		f.Add(wire.Write(v.fields))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v, w all
		if wire.Read(data, v.fields) == nil {
			require.NoError(t, wire.Read(wire.Write(v.fields), w.fields))
			require.Equal(t, wire.Write(v.fields), wire.Write(w.fields))
		}
	})
}
