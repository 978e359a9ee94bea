package plan

// maxBuckets bounds the buckets of a step.
const maxBuckets = 1 << 16

// Step describes the work of a rank in a step of training.
type Step struct {
	Forward  float64 `json:"forward_seconds"`
	Backward float64 `json:"backward_seconds"`
	Bytes    float64 `json:"gradient_bytes"`
	Bucket   float64 `json:"bucket_bytes"` // that are sent together
}

// Cost is the cost of a step on a number of ranks.
type Cost struct {
	Ranks     int     `json:"ranks"`
	Reduction string  `json:"reduction"`
	Sum       float64 `json:"sum_seconds"`       // of all gradients, one bucket after the other
	After     float64 `json:"after_seconds"`     // of a step that adds up when the backward pass has ended
	Overlap   float64 `json:"overlap_seconds"`   // of a step that adds up buckets as they are complete
	Share     float64 `json:"computing_share"`   // of the step with overlap in which a rank computes
	Speedup   float64 `json:"times_of_one_rank"` // in examples a second, each rank with as many
}

// On returns the cost of a step on ranks. Gradients become complete evenly over the backward pass, and
// a bucket is sent when it is complete and the ones before have been added up.
func (s Step) On(ranks int, r Reduction) Cost {
	compute := s.Forward + s.Backward
	c := Cost{Ranks: ranks, Reduction: r.Name, After: compute, Overlap: compute}
	if ranks > 1 {
		free := 0.0 // when the ports are
		bucket := max(s.Bucket, s.Bytes/maxBuckets)
		for sent := 0.0; sent < s.Bytes; {
			n := min(bucket, s.Bytes-sent)
			sent += n
			took := r.Seconds(ranks, n)
			c.Sum += took
			free = max(free, s.Forward+s.Backward*sent/s.Bytes) + took
		}
		c.After += c.Sum
		c.Overlap = max(compute, free)
	}
	c.Share = compute / c.Overlap
	c.Speedup = float64(ranks) * c.Share
	return c
}

// UpTo returns the costs of a step on 2, 4, 8 and so on up to most ranks, by each of some reductions.
func (s Step) UpTo(most int, by ...Reduction) []Cost {
	var costs []Cost
	for ranks := 2; ranks <= most; ranks *= 2 {
		for _, r := range by {
			costs = append(costs, s.On(ranks, r))
		}
	}
	return costs
}
