package distributed

import (
	"bytes"
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// send gives data to a rank that receives them.
func (g *Group) send(d dtype.DType, data []byte, to int) error {
	if err := g.other(to); err != nil {
		return err
	}
	sequence := g.next(g.sent, to)
	header := call{kind: kindPoint, dtype: d, count: len(data) / d.Size()}.encode(sequence)
	tag := sequence<<1 | pointTag
	return g.transport.Exchange([]Piece{{to, tag, header}, {to, tag | 1, data}}, nil, g.Timeout)
}

// receive overwrites data by what a rank sends.
func (g *Group) receive(d dtype.DType, data []byte, from int) error {
	if err := g.other(from); err != nil {
		return err
	}
	sequence := g.next(g.received, from)
	want := call{kind: kindPoint, dtype: d, count: len(data) / d.Size()}
	tag := sequence<<1 | pointTag
	header := make([]byte, headerBytes)
	if err := g.transport.Exchange(nil, []Piece{{from, tag, header}}, g.Timeout); err != nil {
		return err
	}
	if !bytes.Equal(header, want.encode(sequence)) {
		err := &RankError{Rank: from, Detail: fmt.Sprintf("sends %d numbers of type %v, where rank %d takes %d of %v",
			decode(header).count, decode(header).dtype, g.Rank(), want.count, d)}
		g.Abort(err)
		return err
	}
	return g.transport.Exchange(nil, []Piece{{from, tag | 1, data}}, g.Timeout)
}

// other checks that a rank is another one of the group.
func (g *Group) other(rank int) error {
	if rank < 0 || rank >= g.Size() || rank == g.Rank() {
		return fmt.Errorf("rank %d is not another one of %d, for rank %d", rank, g.Size(), g.Rank())
	}
	return nil
}

// next counts what is exchanged with a rank in one direction.
func (g *Group) next(counts map[int]uint64, rank int) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	counts[rank]++
	return counts[rank]
}
