package event

// entry is an agent and the time when it goes on.
type entry struct {
	time  int64
	agent int32
}

func (a entry) before(b entry) bool {
	return a.time < b.time || a.time == b.time && a.agent < b.agent
}

// queue is a binary heap of entries; ties go by agent, so that the order is
// always the same.
type queue []entry

func (q *queue) push(x entry) {
	*q = append(*q, x)
	h := *q
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !x.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
}

func (q *queue) pop() entry {
	h := *q
	top, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	i := 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(x) {
			break
		}
		h[i] = h[down]
		i = down
	}
	if len(h) > 0 {
		h[i] = x
	}
	return top
}
