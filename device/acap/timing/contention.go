package timing

import "slices"

// contention is the streams of one direction on the interface tiles; nil where tiles carry
// whatever their channels do.
type contention struct {
	ports *Ports
	tiles []census
}

// kinds is the most that streams are told apart.
const kinds = 3

// census is the number of streams of each kind on an interface tile: all streams, and the streams of the last stage of
// a cascade, which carry inputs of an epilogue besides.
type census struct{ all, last [kinds]float64 }

// load is the bytes that a stream of a kind carries: any, and one of the last stage more than those.
type load struct{ all, last float64 }

// bytes returns the bytes of all streams, from the bytes of a stream of each kind.
func (n *census) bytes(each []load) float64 {
	sum := 0.0
	for kind, b := range each {
		sum += float64(n.all[kind]*b.all) + float64(n.last[kind]*b.last)
	}
	return sum
}

// covers reports whether a tile has no fewer streams of any kind than another.
func (n census) covers(other census) bool {
	for kind := range kinds {
		if n.all[kind] < other.all[kind] || n.last[kind] < other.last[kind] {
			return false
		}
	}
	return true
}

// deal begins to deal a number of streams into the array, or from it.
func (o *Model) deal(streams int, into bool) *contention {
	m := o.machine
	limit := m.Shim.Out.Int()
	if !into {
		limit = m.Shim.In.Int()
	}
	each := ceil(streams, o.interfaceTiles)
	if float64(each)*o.channel <= m.DDR.PerShim.Value {
		return nil
	}
	return &contention{NewPorts(m, limit), make([]census, o.interfaceTiles)}
}

// add deals the next stream, of a kind and to or from the last stage of a cascade or another, to cores of a column.
func (c *contention) add(kind, column int, last bool) {
	if c == nil {
		return
	}
	if i := c.ports.Take(column); i >= 0 {
		c.tiles[i].all[kind]++
		if last {
			c.tiles[i].last[kind]++
		}
	}
}

// leaders are the interface tiles that can be the busiest: none has at least as many streams of every kind as another.
type leaders []census

func (c *contention) leaders() leaders {
	if c == nil {
		return nil
	}
	var l leaders
	for _, n := range c.tiles {
		if !slices.ContainsFunc(l, func(other census) bool { return other.covers(n) }) {
			l = append(slices.DeleteFunc(l, n.covers), n)
		}
	}
	return l
}

// told is the most interface tiles of a direction that are told apart.
const told = 2

// busiest is the streams on the interface tiles that have most to carry.
type busiest [told]census

// busiest returns the tiles with most bytes, for the bytes that the streams of each kind carry; none where no tile is
// too slow.
func (l leaders) busiest(each ...load) (most busiest) {
	var loads [told]float64
	for i := range l {
		load := l[i].bytes(each)
		for n := range most {
			if load > loads[n] {
				copy(loads[n+1:], loads[n:])
				copy(most[n+1:], most[n:])
				loads[n], most[n] = load, l[i]
				break
			}
		}
	}
	return most
}
