package distributed

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
)

// started is a reduction that goes on while the program does something else.
type started struct {
	data *buf.Buffer
	done chan struct{}
	err  error
}

// start begins to reduce a copy of data and returns its number.
func (g *Group) start(data *buf.Buffer, r Reduction) int64 {
	s := &started{data: data.Clone(), done: make(chan struct{})}
	sequence := g.sequence.Add(1) // in the order of the program
	g.mu.Lock()
	g.starts++
	id := g.starts
	g.starting[id] = s
	g.mu.Unlock()
	go func() {
		defer close(s.done)
		s.err = g.allReduceAt(sequence, s.data.DType, s.data.Bytes(), r)
	}()
	return id
}

// wait returns what start began.
func (g *Group) wait(id int64) (*buf.Buffer, error) {
	g.mu.Lock()
	s := g.starting[id]
	delete(g.starting, id)
	g.mu.Unlock()
	if s == nil {
		return nil, fmt.Errorf("reduction %d has not been started, or was waited for before", id)
	}
	<-s.done
	return s.data, s.err
}
