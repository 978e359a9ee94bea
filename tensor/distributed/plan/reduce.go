package plan

import (
	"fmt"
	"math/bits"
)

// Link is the network between ranks.
type Link struct {
	Latency   float64 `json:"latency_seconds"`
	Bandwidth float64 `json:"bytes_per_second"` // of a rank's port, in each direction
}

// bytes is how long a port is busy with n bytes.
func (l Link) bytes(n float64) float64 { return n / l.Bandwidth }

// message is how long a message of n bytes takes.
func (l Link) message(n float64) float64 { return l.Latency + l.bytes(n) }

// Reduction is a way to add up n bytes of all ranks on all ranks.
type Reduction struct {
	Name    string
	Seconds func(ranks int, n float64) float64
}

// Ring sends parts round a ring, twice: it moves the fewest bytes, in the most messages, one after
// the other.
func Ring(l Link) Reduction {
	return Reduction{"ring", func(p int, n float64) float64 {
		return 2 * float64(p-1) * l.message(n/float64(p))
	}}
}

// Tree adds up along a binary tree and sends the sum back along it: the fewest messages in a row,
// each with all bytes.
func Tree(l Link) Reduction {
	return Reduction{"tree", func(p int, n float64) float64 { return 2 * float64(depth(p)) * l.message(n) }}
}

// Direct is how package distributed adds up: each rank sends a part to each other one, and then its sum
// of a part. An exchange before compares what the ranks are about to do.
func Direct(l Link) Reduction {
	return Reduction{"direct", func(p int, n float64) float64 {
		if p == 1 {
			return 0
		}
		return 3*l.Latency + 2*l.bytes(n/float64(p)*float64(p-1))
	}}
}

// Hierarchical divides the bytes among the ranks of a node over its inner link, adds each part up in
// a ring over one rank of each node, and joins the parts again. On fewer ranks than a node has, and on
// numbers of ranks that it does not divide, it has rings over the links that they need.
func Hierarchical(inner, outer Link, node int) Reduction {
	return Reduction{"hierarchical", func(p int, n float64) float64 {
		switch {
		case p <= node:
			return Ring(inner).Seconds(p, n)
		case p%node != 0:
			return Ring(outer).Seconds(p, n)
		}
		part := n / float64(node)
		return 2*float64(node-1)*inner.message(part) + Ring(outer).Seconds(p/node, part)
	}}
}

// depth is the number of levels of a binary tree over p ranks.
func depth(p int) int { return bits.Len(uint(p - 1)) }

// Check returns an error for a link that cannot be.
func (l Link) Check() error {
	if !(l.Latency >= 0 && l.Latency < 1e6) || !(l.Bandwidth > 0 && l.Bandwidth < 1e18) {
		return fmt.Errorf("plan: no link has a latency of %g s and sends %g bytes a second: 0 s or more, and more than 0 bytes a second", l.Latency, l.Bandwidth)
	}
	return nil
}
