package program

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

func array(t *testing.T, name string) *machine.Machine {
	m, err := machine.Preset(name)
	require.NoError(t, err)
	return m
}

// circuits counts the streams of routes from tile to tile, and checks that each is a tree from its source to its ends.
func circuits(t *testing.T, m *machine.Machine, routes *Routes) map[[2]Coord]int {
	t.Helper()
	r := newRouter(m)
	used := make(map[[2]Coord]int)
	detours := 0
	for i := range routes.Streams {
		s := &routes.Streams[i]
		before := make(map[Coord]Coord)
		for _, b := range s.tree {
			from, to := r.coord(b.way/4), r.coord(b.at)
			require.Equal(t, b.at, r.next(b.way))
			require.NotContains(t, before, to, "two ways lead to one switch")
			require.NotEqual(t, s.From.Tile, to)
			require.Equal(t, 1, (from.Col-to.Col)*(from.Col-to.Col)+(from.Row-to.Row)*(from.Row-to.Row))
			require.NotEqual(t, machine.NoTile, m.KindAt(to))
			require.Positive(t, r.ports[b.way], "mem tiles have no ports to the side")
			before[to] = from
			used[[2]Coord{from, to}]++
		}
		farthest := 0
		for _, end := range s.To {
			hops, at := 0, end.Tile
			for at != s.From.Tile {
				require.Contains(t, before, at)
				at = before[at]
				hops++
			}
			farthest = max(farthest, hops)
			d := func(a, b int) int { return max(a-b, b-a) }
			detours += hops - d(end.Tile.Col, s.From.Tile.Col) - d(end.Tile.Row, s.From.Tile.Row)
		}
		require.Equal(t, farthest, s.Hops)
	}
	require.Equal(t, detours, routes.Detours)
	return used
}

// Streams at random reach all of their ends, no port has two of them, and those that share ports are named.
func TestRoute(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	congested, free := 0, 0
	for _, name := range []string{"npu1", "npu2", "vek280", "vck190"} {
		m := array(t, name)
		for range 12 {
			p := &Program{Name: "random", Machine: m}
			at := func() Coord { return Coord{Col: r.IntN(min(8, m.Grid.Cols)), Row: r.IntN(m.Grid.Rows())} }
			for i := range 1 + r.IntN(60) {
				from := Port{Tile: at(), Channel: i}
				for range 1 + r.IntN(4) {
					p.Flows = append(p.Flows, Flow{From: from, To: Port{Tile: at(), Channel: i}})
				}
			}
			routes := p.Route()
			used := circuits(t, m, routes)
			limits := newRouter(m)
			over := 0
			for way, ports := range limits.ports {
				if ports == 0 {
					continue
				}
				n := used[[2]Coord{limits.coord(way / 4), limits.coord(limits.next(way))}]
				require.LessOrEqual(t, n*routes.Of, routes.Used*ports, "no port is fuller")
				if n > ports {
					over++
					require.True(t, slices.ContainsFunc(routes.Shared, func(s Shared) bool {
						return s.Ports == ports && len(s.Streams) == n
					}))
				}
			}
			require.Len(t, routes.Shared, over)
			if over > 0 {
				congested++
			} else {
				free++
			}
			require.Equal(t, routes, p.Route(), "the same each time")
			p.Machine = m.Without(machine.Routes)
			routes = p.Route()
			require.Empty(t, routes.Shared)
			require.Zero(t, routes.Of)
			circuits(t, p.Machine, routes)
		}
	}
	require.Greater(t, congested, 3)
	require.Greater(t, free, 3)
}

// Six streams between neighbours with four ports: two go around. A corner has eight ports, which nine streams share.
func TestDetours(t *testing.T) {
	m := array(t, "npu2")
	streams := func(n int, from, to Coord) *Program {
		p := &Program{Name: "detours", Machine: m}
		for i := range n {
			p.Flows = append(p.Flows, Flow{Port{Tile: from, Channel: i}, Port{Tile: to, Channel: i}})
		}
		return p
	}
	routes := streams(6, Coord{Row: 3}, Coord{Col: 1, Row: 3}).Route()
	require.Empty(t, routes.Shared)
	require.Equal(t, 4, routes.Detours)
	require.Equal(t, []int{4, 4}, []int{routes.Used, routes.Of})
	corner := Coord{Row: m.Grid.Rows() - 1}
	require.Empty(t, streams(8, corner, Coord{Col: 4, Row: 3}).Route().Shared)
	require.NotEmpty(t, streams(9, corner, Coord{Col: 4, Row: 3}).Route().Shared)
	routes = streams(1, Coord{Col: 2}, Coord{Col: 2, Row: 4}).Route()
	require.Equal(t, 4, routes.Way(m))
}
