package distributed

import "github.com/go-acap/acap/base/dtype"

// The collectives on memory. Each sends as little as one can: a reduction of n bytes over p ranks
// moves 2·n·(p-1)/p bytes from each rank, in two exchanges (Rabenseifner, "Optimization of
// Collective Reduction Operations", 2004).

// share returns the bounds of a rank's part of count elements.
func share(count, rank, size int) (from, to int) {
	return count * rank / size, count * (rank + 1) / size
}

// allReduce reduces data, which is overwritten, over all ranks.
func (g *Group) allReduce(d dtype.DType, data []byte, r Reduction) error {
	return g.allReduceAt(g.sequence.Add(1), d, data, r)
}

// allReduceAt is allReduce at a place in the sequence of collectives that was taken before.
func (g *Group) allReduceAt(sequence uint64, d dtype.DType, data []byte, r Reduction) error {
	count := len(data) / d.Size()
	if err := g.compare(call{kind: kindAllReduce, reduce: r, dtype: d, count: count}, sequence); err != nil {
		return err
	}
	bounds := make([]int, g.Size()+1)
	for rank := range g.Size() {
		_, to := share(count, rank, g.Size())
		bounds[rank+1] = to * d.Size()
	}
	tag := sequence<<1 | 1
	mine, err := g.scatter(tag, d, data, bounds, r)
	if err != nil {
		return err
	}
	copy(data[bounds[g.Rank()]:], mine)
	return g.gather(tag, data, bounds)
}

// scatter reduces data over the ranks and returns this rank's part.
func (g *Group) scatter(tag uint64, d dtype.DType, data []byte, bounds []int, r Reduction) ([]byte, error) {
	own := data[bounds[g.Rank()]:bounds[g.Rank()+1]]
	parts := make([][]byte, g.Size())
	var send, receive []Piece
	for rank := range parts {
		if rank == g.Rank() {
			parts[rank] = append([]byte(nil), own...)
			continue
		}
		parts[rank] = make([]byte, len(own))
		send = append(send, Piece{rank, tag, data[bounds[rank]:bounds[rank+1]]})
		receive = append(receive, Piece{rank, tag, parts[rank]})
	}
	if err := g.transport.Exchange(send, receive, g.Timeout); err != nil {
		return nil, err
	}
	for i, p := range parts {
		parts[i] = widen(d, p)
	}
	sum := r.tree(wide(d), parts)
	if wide(d) != d {
		sum = convert(wide(d), d, sum)
	}
	return sum, nil
}

// gather collects the parts of all ranks in data, where each has its own in place.
func (g *Group) gather(tag uint64, data []byte, bounds []int) error {
	own := data[bounds[g.Rank()]:bounds[g.Rank()+1]]
	var send, receive []Piece
	for rank := range g.Size() {
		if rank != g.Rank() {
			send = append(send, Piece{rank, tag | gatherTag, own})
			receive = append(receive, Piece{rank, tag | gatherTag, data[bounds[rank]:bounds[rank+1]]})
		}
	}
	return g.transport.Exchange(send, receive, g.Timeout)
}

// evenly are the bounds of parts of n bytes.
func (g *Group) evenly(n int) []int {
	bounds := make([]int, g.Size()+1)
	for i := range bounds {
		bounds[i] = i * n
	}
	return bounds
}

// allGather joins the data of the ranks, which have the same size, in order.
func (g *Group) allGather(d dtype.DType, data []byte) ([]byte, error) {
	tag, err := g.begin(call{kind: kindAllGather, dtype: d, count: len(data) / d.Size()})
	if err != nil {
		return nil, err
	}
	all := make([]byte, len(data)*g.Size())
	bounds := g.evenly(len(data))
	copy(all[bounds[g.Rank()]:], data)
	return all, g.gather(tag, all, bounds)
}

// reduceScatter reduces data over the ranks and returns the part of this one, of equal parts.
func (g *Group) reduceScatter(d dtype.DType, data []byte, r Reduction) ([]byte, error) {
	tag, err := g.begin(call{kind: kindReduceScatter, reduce: r, dtype: d, count: len(data) / d.Size()})
	if err != nil {
		return nil, err
	}
	return g.scatter(tag, d, data, g.evenly(len(data)/g.Size()), r)
}

// broadcast overwrites data by the data of rank root. The root sends one part to each other rank, and the ranks then
// exchange their parts, so that no rank sends more than twice the data.
func (g *Group) broadcast(d dtype.DType, data []byte, root int) error {
	count := len(data) / d.Size()
	tag, err := g.begin(call{kind: kindBroadcast, root: root, dtype: d, count: count})
	if err != nil {
		return err
	}
	bounds := make([]int, g.Size()+1)
	for rank := range g.Size() {
		_, to := share(count, rank, g.Size())
		bounds[rank+1] = to * d.Size()
	}
	var send, receive []Piece
	for rank := range g.Size() {
		if part := data[bounds[rank]:bounds[rank+1]]; g.Rank() == root && rank != root {
			send = append(send, Piece{rank, tag, part})
		}
	}
	if g.Rank() != root {
		receive = []Piece{{root, tag, data[bounds[g.Rank()]:bounds[g.Rank()+1]]}}
	}
	if err := g.transport.Exchange(send, receive, g.Timeout); err != nil {
		return err
	}
	return g.gather(tag, data, bounds)
}

// reduce is allReduce for one rank: data of the others stay as they are.
func (g *Group) reduce(d dtype.DType, data []byte, root int, r Reduction) error {
	tag, err := g.begin(call{kind: kindReduce, reduce: r, root: root, dtype: d, count: len(data) / d.Size()})
	if err != nil || g.Size() == 1 {
		return err
	}
	if g.Rank() != root {
		return g.transport.Exchange([]Piece{{root, tag, data}}, nil, g.Timeout)
	}
	parts := make([][]byte, g.Size())
	var receive []Piece
	for rank := range parts {
		parts[rank] = data
		if rank != root {
			parts[rank] = make([]byte, len(data))
			receive = append(receive, Piece{rank, tag, parts[rank]})
		}
	}
	if err := g.transport.Exchange(nil, receive, g.Timeout); err != nil {
		return err
	}
	parts[root] = append([]byte(nil), data...)
	for i, p := range parts {
		parts[i] = widen(d, p)
	}
	sum := r.tree(wide(d), parts)
	if wide(d) != d {
		sum = convert(wide(d), d, sum)
	}
	copy(data, sum)
	return nil
}
