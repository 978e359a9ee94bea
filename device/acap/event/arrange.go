package event

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/device/acap/program"
)

// Arrange puts the steps of the host's sequence into an order in which no full queue of a
// channel keeps the host from what another channel needs. It simulates the program with
// queues of any length and puts every task where its channel then has space for it. Tasks
// of one channel remain in order and none comes before what the host awaited for it, so the
// data that move are the same; nor does the program take longer than with queues without
// an end. A program that does not finish all its tasks even so remains as it is.
//
// That this order serves, however long anything takes, follows from that run: it is one of
// the program with its queues, too, and whether a Kahn network comes to its end does not
// depend on the run. A program whose channels wait for each other whatever the order is an error.
func Arrange(p *program.Program) error {
	queue := p.Machine.Shim.Queue.Int()
	if queue == 0 {
		return nil
	}
	q := p.Copy()
	q.Lower()
	e := &engine{p: q, max: maxEvents, history: &history{}}
	e.options.Restart = p.Machine.Host.Restart.Value
	if err := e.build(); err != nil {
		return err
	}
	tasks, most := 0, 0
	for i := range e.channels {
		if !e.channels[i].outside {
			continue // it sends what lies in a mem tile
		}
		n := len(e.channels[i].tasks)
		tasks, most = tasks+n, max(most, n)
	}
	if most <= queue {
		return nil
	}
	if err := e.run(); err != nil {
		return err
	}
	if e.finished() && len(e.history.finished) == tasks {
		e.history.arrange(e, p, queue)
	}
	return nil
}

// history is what the host saw of a run.
type history struct {
	finished []int // the channel of every task, in the order in which they were complete
	passed   []int // how many were when the host took a step
}

// repeat adds n times more what came last: finished tasks and steps of the host.
func (h *history) repeat(n int64, finished, steps int) {
	tasks := slices.Clone(h.finished[len(h.finished)-finished:])
	host := slices.Clone(h.passed[len(h.passed)-steps:])
	for range n {
		h.finished = append(h.finished, tasks...)
		for i := range host {
			host[i] += finished
		}
		h.passed = append(h.passed, host...)
	}
}

// arrange sorts the steps of a program by the time at which each can be taken.
func (h *history) arrange(e *engine, p *program.Program, queue int) {
	free := make([][]int, len(e.channels)) // tasks that were complete with each of the channel's
	for i, c := range h.finished {
		free[c] = append(free[c], i+1)
	}
	order := make([]int, len(p.Runtime))
	for i := len(order) - 1; i >= 0; i-- {
		order[i] = i
		switch w := e.host.where[i]; {
		case !e.awaits(int64(i)) && w.index >= queue:
			h.passed[i] = max(h.passed[i], free[w.channel][w.index-queue])
		case e.awaits(int64(i)) && i+1 < len(order) && e.awaits(int64(i+1)):
			h.passed[i] = h.passed[i+1] // what is awaited together remains together
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(h.passed[i], h.passed[j]) })
	steps := make([]program.HostOp, len(order))
	for to, from := range order {
		steps[to] = p.Runtime[from]
	}
	p.Runtime = steps
}
