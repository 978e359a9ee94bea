package trace

import (
	"slices"

	"github.com/go-acap/acap/ops"
)

// Pieces divides a graph of more than most calls into pieces of at most as many, which are computed one after the
// other. It returns what each but the last computes for the later ones; nil if the graph is small.
//
// Where the calls repeat themselves, as the steps of a loop do, the pieces are whole turns and begin
// at the same place of a turn, so that they are one program. Every piece ends where the fewest
// bytes cross from the calls before to those after.
func (g *Graph) Pieces(most int) [][]ops.Value {
	if len(g.Nodes) <= most {
		return nil
	}
	collecting.Lock()
	defer collecting.Unlock()
	for i, n := range g.Nodes {
		n.number = uint32(i + 1)
	}
	defer func() {
		for _, n := range g.Nodes {
			n.number = 0
		}
	}()
	c := &cutter{g: g, most: most, cross: g.crossing()}
	c.cut()
	return g.taken(c.ends)
}

// taken returns, for the pieces that end before the given calls, the calls that later pieces or the
// roots take. The calls are numbered from 1.
func (g *Graph) taken(ends []int) [][]ops.Value {
	pieces := make([][]ops.Value, len(ends))
	by := 0
	seen := make([]bool, len(g.Nodes))
	take := func(n *Node, by int) {
		i := int(n.number) - 1
		if i < 0 || seen[i] {
			return
		}
		if at, _ := slices.BinarySearch(ends, i+1); at < by {
			seen[i] = true
			pieces[at] = append(pieces[at], n)
		}
	}
	for i, n := range g.Nodes {
		for by < len(ends) && i >= ends[by] {
			by++
		}
		for _, o := range n.operands() {
			take(o, by)
		}
	}
	for _, r := range g.Roots {
		take(r.Node, len(ends))
	}
	return pieces
}

// crossing returns, for each call, the bytes that calls up to it compute and that later calls or the
// roots take. The calls are numbered from 1.
func (g *Graph) crossing() []int64 {
	last := make([]int32, len(g.Nodes)) // the last call that takes a result of each
	for i, n := range g.Nodes {
		for _, o := range n.operands() {
			if o.number > 0 {
				last[o.number-1] = int32(i)
			}
		}
	}
	for _, r := range g.Roots {
		if r.Node.number > 0 {
			last[r.Node.number-1] = int32(len(g.Nodes))
		}
	}
	cross := make([]int64, len(g.Nodes)+1)
	for i, n := range g.Nodes {
		bytes := n.Bytes()
		cross[i] += bytes
		cross[last[i]] -= bytes
	}
	for i := 1; i < len(cross); i++ {
		cross[i] += cross[i-1]
	}
	return cross
}

// cutter chooses where the pieces of a graph end.
type cutter struct {
	g     *Graph
	most  int
	cross []int64 // see [Graph.crossing]
	ends  []int   // calls before which a piece ends
}

// turnCalls is about how many calls a piece of whole turns has: few to compile, and enough that
// starting a program costs little.
const turnCalls = 256

func (c *cutter) cut() {
	for _, r := range c.g.repeats(c.most) {
		c.within(r)
	}
	if c.at() == len(c.g.Nodes) {
		c.ends = c.ends[:len(c.ends)-1]
	}
	c.plainTo(len(c.g.Nodes))
}

// at is where the piece begins that has not ended.
func (c *cutter) at() int {
	if len(c.ends) == 0 {
		return 0
	}
	return c.ends[len(c.ends)-1]
}

// plainTo ends pieces so that no more than most calls are left before the given one.
func (c *cutter) plainTo(end int) {
	for end-c.at() > c.most {
		from := c.at()
		c.ends = append(c.ends, c.cheapest(from+c.most/2, from+c.most)+1)
	}
}

// cheapest is the call from low to below high after which the fewest bytes cross, the last of them.
func (c *cutter) cheapest(low, high int) int {
	best := low
	for i := low; i < high; i++ {
		if c.cross[i] <= c.cross[best] {
			best = i
		}
	}
	return best
}

// within ends pieces in a stretch of equal turns.
func (c *cutter) within(r repeat) {
	// The second turn is like all that follow; the first may take what is from before.
	first := c.cheapest(r.start+r.turn, min(r.start+2*r.turn, r.end)) + 1
	c.plainTo(first)
	each := r.turn * max(min(turnCalls, c.most)/r.turn, 1)
	if more := min(c.at()+each, r.end) - first; more > 0 && r.turn <= c.most { // the first piece may be like the others
		first += more / r.turn * r.turn
	}
	if first <= c.at() {
		return
	}
	c.ends = append(c.ends, first)
	if r.turn > c.most { // a turn is several pieces, the same ones every time
		if first+r.turn > r.end {
			return
		}
		before := len(c.ends)
		c.plainTo(first + r.turn)
		offsets := append([]int{}, c.ends[before:]...)
		for turn := first + r.turn; turn+r.turn <= r.end; turn += r.turn {
			c.ends = append(c.ends, turn)
			for _, o := range offsets {
				c.ends = append(c.ends, o-first+turn)
			}
			first = turn
			offsets = append([]int{}, c.ends[len(c.ends)-len(offsets):]...)
		}
		return
	}
	for end := first + each; end <= r.end; end += each {
		c.ends = append(c.ends, end)
	}
}

// repeat is a stretch of calls in which each is like the one a turn before.
type repeat struct{ start, end, turn int }

const (
	gramCalls = 8       // calls in a row by which a turn is recognised
	gramTable = 1 << 14 // places of grams that are remembered, a power of two
	fewTurns  = 4       // a shorter stretch is not worth programs of its own
)

// repeats finds the long stretches of calls that repeat themselves, in order and apart from each other.
// Calls are alike if their operators and the types of their results are: whether pieces are one
// program is decided by their keys.
func (g *Graph) repeats(most int) []repeat {
	var list []repeat
	type place struct {
		gram uint64
		at   int // of the gram's last call, from 1
	}
	recent := make([]place, gramTable)
	like := make([]uint64, len(g.Nodes))
	var turn, start int // of the stretch that goes on
	end := func(i int) {
		if turn > 0 && i-start >= max(fewTurns*turn, most/2) {
			list = append(list, repeat{start, i, turn})
		}
		turn = 0
	}
	for i, n := range g.Nodes {
		like[i] = n.site.inTurn()
		if turn > 0 && like[i] != like[i-turn] {
			end(i)
		}
		if i+1 < gramCalls {
			continue
		}
		gram := ops.Hash{}
		for _, l := range like[i+1-gramCalls : i+1] {
			gram = gram.Mix(l)
		}
		r := &recent[gram.Lo%gramTable]
		if turn == 0 && r.at > 0 && r.gram == gram.Lo {
			turn, start = i+1-r.at, r.at-gramCalls
			if k := len(list); k > 0 {
				start = max(start, list[k-1].end)
			}
		}
		r.gram, r.at = gram.Lo, i+1
	}
	end(len(g.Nodes))
	return list
}

// inTurn hashes what calls of equal turns have in common.
func (s *site) inTurn() uint64 {
	h := ops.Hash{}
	if s.call.Op != nil {
		h = s.call.Op.Hash()
	}
	for _, t := range s.types {
		h = h.Join(t)
	}
	return h.Lo ^ h.Hi
}
