package program

import (
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
)

// Routes is the ways of a program's streams through the switches of the tiles, found by negotiation, in the manner
// of PathFinder (L. McMurchie and C. Ebeling, FPGA '95): all take the cheapest ways, and ports that too many take
// become dearer from turn to turn. Where that does not come to an end streams share ports.
type Routes struct {
	Streams []Route  // by the sources of the flows, in order
	Shared  []Shared // where there are more streams than ports
	// Used of Of ports are taken where the largest share of them is, from one tile to the next.
	Used, Of int
	From, To Coord
	Detours  int // switches that streams pass more than on the shortest ways to their ends
}

// Route is the way of a stream to its ends: a tree of switches.
type Route struct {
	From Port
	To   []Port
	Hops int // switches to the farthest end
	tree []branch
	hops int // on the shortest ways to all ends, and
	most int // on its own
}

// branch is a switch and the way that leads to it.
type branch struct {
	at, way int
}

// Shared is ports from one switch to the next that streams share: numbers of [Routes].Streams.
type Shared struct {
	Ports   int
	Streams []int
}

// The ways out of a switch: a way is four times the number of the switch and one of them.
const (
	north = iota
	south
	east
	west
)

// router lays streams onto switches, which are numbered row by row.
type router struct {
	grid    *machine.Grid
	ports   []int   // by way
	used    []int   // of them
	penalty float64 // of a port that is taken, in this turn

	cost  []float64 // scratch of reach, by switch
	by    []int     // the way that leads there
	queue []reached
}

// reached is a switch that can be reached at a cost.
type reached struct {
	at   int
	cost float64
}

// maxTurns bounds the negotiation.
const maxTurns = 16

// Route finds ways for the streams of a lowered program.
func (p *Program) Route() *Routes {
	r := newRouter(p.Machine)
	routes := &Routes{}
	known := make(map[Port]int)
	for _, f := range p.Flows {
		i, ok := known[f.From]
		if !ok {
			i = len(routes.Streams)
			known[f.From] = i
			routes.Streams = append(routes.Streams, Route{From: f.From})
		}
		routes.Streams[i].To = append(routes.Streams[i].To, f.To)
	}
	for turn := range maxTurns {
		moved := false
		for i := range routes.Streams {
			if s := &routes.Streams[i]; turn == 0 || r.congested(s) {
				r.take(s, -1)
				r.lay(s)
				r.take(s, 1)
				moved = true
			}
		}
		if !moved {
			break
		}
		r.penalty = float64(1.5*r.penalty) + 0.5
	}
	r.sum(routes)
	return routes
}

func newRouter(m *machine.Machine) *router {
	n := m.Grid.Cols * m.Grid.Rows()
	r := &router{grid: &m.Grid, ports: make([]int, 4*n), used: make([]int, 4*n),
		cost: make([]float64, n), by: make([]int, n)}
	for at := range n {
		c := r.coord(at)
		s := &m.TileAt(c).Switch
		for way, ports := range [...]machine.Constant{north: s.North, south: s.South, east: s.Side, west: s.Side} {
			if r.ports[4*at+way] = ports.Int(); *s == (machine.Switch{}) {
				r.ports[4*at+way] = math.MaxInt
			}
		}
		for way, end := range [...]bool{north: c.Row == m.Grid.Rows()-1, south: c.Row == 0, east: c.Col == m.Grid.Cols-1,
			west: c.Col == 0} {
			if end {
				r.ports[4*at+way] = 0
			}
		}
	}
	return r
}

func (r *router) index(c Coord) int { return c.Row*r.grid.Cols + c.Col }

func (r *router) coord(at int) Coord { return Coord{Col: at % r.grid.Cols, Row: at / r.grid.Cols} }

// next returns where a way leads.
func (r *router) next(way int) int {
	return way/4 + [...]int{north: r.grid.Cols, south: -r.grid.Cols, east: 1, west: -1}[way%4]
}

// take notes that a stream takes ports, or gives them back.
func (r *router) take(s *Route, n int) {
	for _, b := range s.tree {
		r.used[b.way] += n
	}
}

// congested reports whether a stream passes where too many do.
func (r *router) congested(s *Route) bool {
	return slices.ContainsFunc(s.tree, func(b branch) bool { return r.used[b.way] > r.ports[b.way] })
}

// price returns what one more stream pays for a way.
func (r *router) price(way int) float64 {
	return 1 + float64(r.penalty*float64(max(0, r.used[way]-r.ports[way]+1)))
}

// lay finds the tree of a stream: its ends one after the other, nearest first, each by the cheapest way from any
// switch that the tree has.
func (r *router) lay(s *Route) {
	s.tree, s.hops, s.most, s.Hops = s.tree[:0], 0, 0, 0
	away := func(p Port) int {
		a, b := s.From.Tile, p.Tile
		return max(a.Col-b.Col, b.Col-a.Col) + max(a.Row-b.Row, b.Row-a.Row)
	}
	ends := slices.Clone(s.To)
	slices.SortStableFunc(ends, func(a, b Port) int { return away(a) - away(b) })
	depth := map[int]int{r.index(s.From.Tile): 0}
	for _, end := range ends {
		known := len(s.tree)
		r.reach(s, r.index(end.Tile))
		slices.Reverse(s.tree[known:])
		for _, b := range s.tree[known:] {
			depth[b.at] = depth[b.way/4] + 1
		}
		hops := depth[r.index(end.Tile)]
		s.hops, s.most, s.Hops = s.hops+away(end), s.most+hops, max(s.Hops, hops)
	}
}

// reach adds the cheapest way to an end, from the end on.
func (r *router) reach(s *Route, end int) {
	for i := range r.cost {
		r.cost[i] = math.Inf(1)
	}
	r.queue = r.queue[:0]
	begin := func(at int) {
		r.cost[at], r.by[at] = 0, -1
		r.push(reached{at, 0})
	}
	begin(r.index(s.From.Tile))
	for _, b := range s.tree {
		begin(b.at)
	}
	for len(r.queue) > 0 {
		q := r.pop()
		if q.at == end {
			break
		}
		if q.cost > r.cost[q.at] {
			continue
		}
		for way := 4 * q.at; way < 4*q.at+4; way++ {
			if r.ports[way] == 0 {
				continue
			}
			to, cost := r.next(way), q.cost+r.price(way)
			if cost < r.cost[to] {
				r.cost[to], r.by[to] = cost, way
				r.push(reached{to, cost})
			}
		}
	}
	for at := end; !math.IsInf(r.cost[at], 1) && r.by[at] >= 0; at = r.by[at] / 4 {
		s.tree = append(s.tree, branch{at, r.by[at]})
	}
}

// push and pop keep the queue a heap, the cheapest first.
func (r *router) push(q reached) {
	i := len(r.queue)
	r.queue = append(r.queue, q)
	for i > 0 && r.queue[(i-1)/2].cost > q.cost {
		r.queue[i] = r.queue[(i-1)/2]
		i = (i - 1) / 2
	}
	r.queue[i] = q
}

func (r *router) pop() reached {
	top, n := r.queue[0], len(r.queue)-1
	last := r.queue[n]
	r.queue = r.queue[:n]
	for i := 0; n > 0; {
		child := 2*i + 1
		if child+1 < n && r.queue[child+1].cost < r.queue[child].cost {
			child++
		}
		if child >= n || r.queue[child].cost >= last.cost {
			r.queue[i] = last
			break
		}
		r.queue[i] = r.queue[child]
		i = child
	}
	return top
}

// sum says of all routes what is said of them together.
func (r *router) sum(routes *Routes) {
	shared := make(map[int]int)
	for way, n := range r.used {
		ports := r.ports[way]
		if n > 0 && ports != math.MaxInt && n*max(1, routes.Of) > routes.Used*ports {
			routes.Used, routes.Of, routes.From, routes.To = n, ports, r.coord(way/4), r.coord(r.next(way))
		}
		if n > ports {
			shared[way] = len(routes.Shared)
			routes.Shared = append(routes.Shared, Shared{Ports: ports})
		}
	}
	for i := range routes.Streams {
		s := &routes.Streams[i]
		routes.Detours += s.most - s.hops
		for _, b := range s.tree {
			if k, ok := shared[b.way]; ok {
				routes.Shared[k].Streams = append(routes.Shared[k].Streams, i)
			}
		}
	}
}

// Way returns the switches from memory outside to the farthest core and back: of every leg, over mem tiles where
// there are any, the longest.
func (r *Routes) Way(m *machine.Machine) (hops int) {
	var legs [machine.CoreTile + 1][machine.CoreTile + 1]int
	for i := range r.Streams {
		s := &r.Streams[i]
		leg := &legs[m.KindAt(s.From.Tile)][m.KindAt(s.To[0].Tile)]
		*leg = max(*leg, s.Hops)
	}
	for from := range legs {
		for to := range legs[from] {
			hops += legs[from][to]
		}
	}
	return hops
}
