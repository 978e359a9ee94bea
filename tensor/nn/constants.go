package nn

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// mostConstantBytes bounds the constants that a model keeps beside its weights. When there are more, and twice as
// many as were kept the last time, those that the last call has not used go.
const mostConstantBytes = 64 << 20

// constants are the unnamed constants of an imported model, found by their elements. Importers make many of them, such
// as indices and sums of biases, anew in every call. Equal constants are one leaf, so that a device computes results of
// the constant once.
type constants struct {
	mu     sync.Mutex
	of     map[*buf.Buffer]*constant // by the buffer that became the leaf
	equal  map[constantKey][]*constant
	bytes  int
	kept   int // bytes after the last drop
	call   int // that goes on, or was the last
	hashed maphash.Seed
}

type constant struct {
	data *buf.Buffer
	leaf ops.Value
	call int // that used it last
}

// constantKey is equal for equal constants.
type constantKey struct {
	dtype dtype.DType
	bytes int
	hash  uint64
}

func newConstants() *constants {
	return &constants{of: map[*buf.Buffer]*constant{}, equal: map[constantKey][]*constant{}, hashed: maphash.MakeSeed()}
}

// begin starts a call.
func (c *constants) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes > max(mostConstantBytes, 2*c.kept) {
		c.drop()
	}
	c.call++
}

// drop forgets what the last call has not used.
func (c *constants) drop() {
	old := c.of
	c.of, c.equal, c.bytes = map[*buf.Buffer]*constant{}, map[constantKey][]*constant{}, 0
	for _, k := range old {
		if k.call == c.call {
			c.add(c.key(k.data), k)
		}
	}
	c.kept = c.bytes
}

func (c *constants) key(b *buf.Buffer) constantKey {
	return constantKey{b.DType, len(b.Bytes()), maphash.Bytes(c.hashed, b.Bytes())}
}

func (c *constants) add(key constantKey, k *constant) {
	c.of[k.data] = k
	c.equal[key] = append(c.equal[key], k)
	c.bytes += len(k.data.Bytes())
}

// leaf returns the leaf of a constant: an equal constant's leaf if there is one.
func (c *constants) leaf(b *buf.Buffer) ops.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of[b]
	if k == nil {
		key := c.key(b)
		for _, e := range c.equal[key] {
			if shape.Equal(e.data.Shape, b.Shape) && bytes.Equal(e.data.Bytes(), b.Bytes()) {
				k = e
			}
		}
		if k == nil {
			k = &constant{data: b, leaf: trace.Constant(b)}
			c.add(key, k)
		}
	}
	k.call = c.call
	return k.leaf
}
