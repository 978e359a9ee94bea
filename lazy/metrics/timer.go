package metrics

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Counter counts events. The zero value is ready.
type Counter struct{ n atomic.Int64 }

// Add counts n events.
func (c *Counter) Add(n int64) { c.n.Add(n) }

// Value returns the count.
func (c *Counter) Value() int64 { return c.n.Load() }

// Reset starts again at zero.
func (c *Counter) Reset() { c.n.Store(0) }

// Timer collects durations: how many, their sum, and how they are distributed. The zero
// value is ready. Buckets are an eighth of a power of two wide, so that a percentile is
// right within 7 %.
type Timer struct {
	sum     atomic.Int64
	buckets [buckets]atomic.Int64
}

// fine is the number of bits that divide a power of two into buckets.
const (
	fine    = 3
	buckets = (64 - fine) << fine
)

// bucketOf returns the bucket of a number of nanoseconds: its highest bit and the bits
// after it.
func bucketOf(n uint64) int {
	shift := max(bits.Len64(n)-fine-1, 0)
	return shift<<fine + int(n>>shift)
}

// lowest returns the least number of nanoseconds of a bucket.
func lowest(bucket int) float64 {
	shift := max(bucket>>fine-1, 0)
	return float64(uint64(bucket-shift<<fine) << shift)
}

// Add notes one duration.
func (t *Timer) Add(d time.Duration) {
	n := max(d, 0)
	t.sum.Add(int64(n))
	t.buckets[bucketOf(uint64(n))].Add(1)
}

// Reset forgets all durations.
func (t *Timer) Reset() {
	t.sum.Store(0)
	for i := range t.buckets {
		t.buckets[i].Store(0)
	}
}

// Read returns the durations noted so far.
func (t *Timer) Read() Times {
	out := Times{Total: time.Duration(t.sum.Load())}
	for i := range t.buckets {
		if n := t.buckets[i].Load(); n > 0 {
			out.buckets = append(out.buckets, bucket{i, n})
			out.Samples += n
		}
	}
	return out
}

// Times are durations that a [Timer] noted.
type Times struct {
	Samples int64
	Total   time.Duration

	buckets []bucket // that have samples, ascending
}

type bucket struct {
	number int
	count  int64
}

// Percentile returns the duration below which a share of the samples lies, 0 to 100.
func (t Times) Percentile(p float64) time.Duration {
	want, seen := p/100*float64(t.Samples), 0.0
	for _, b := range t.buckets {
		if next := seen + float64(b.count); next >= want {
			low, high := lowest(b.number), lowest(b.number+1)
			return time.Duration(low + (high-low)*(want-seen)/float64(b.count))
		}
		seen += float64(b.count)
	}
	return 0
}

// Sub returns the samples of t that are not in an earlier reading.
func (t Times) Sub(before Times) Times {
	out := Times{Samples: t.Samples - before.Samples, Total: t.Total - before.Total}
	had := map[int]int64{}
	for _, b := range before.buckets {
		had[b.number] = b.count
	}
	for _, b := range t.buckets {
		if n := b.count - had[b.number]; n > 0 {
			out.buckets = append(out.buckets, bucket{b.number, n})
		}
	}
	return out
}
