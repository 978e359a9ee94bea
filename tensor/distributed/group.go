package distributed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Group is one rank's view of a group. Collectives are called by all ranks in the same order.
type Group struct {
	// Timeout is how long a rank waits for another, 5 minutes at first.
	Timeout time.Duration

	transport Transport
	id        int64
	sequence  atomic.Uint64
	mu        sync.Mutex
	tokens    map[device.Device]*tensor.Tensor
	starting  map[int64]*started
	starts    int64
	sent      map[int]uint64 // pieces to each rank, apart from collectives
	received  map[int]uint64
}

// New returns the group of a transport. Ranks whose versions of this package differ are refused.
func New(t Transport) (*Group, error) {
	if t == nil {
		return nil, errors.New("distributed: the transport is nil")
	}
	g := newGroup(t)
	err := g.agree(call{kind: kindJoin, text: version})
	if err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// version is the version of the messages between ranks.
const version = "acap collectives 1"

func newGroup(t Transport) *Group {
	g := &Group{Timeout: 5 * time.Minute, transport: t, tokens: map[device.Device]*tensor.Tensor{},
		starting: map[int64]*started{}, sent: map[int]uint64{}, received: map[int]uint64{}}
	groups.mu.Lock()
	defer groups.mu.Unlock()
	groups.last++
	g.id = groups.last
	groups.byID[g.id] = g
	return g
}

// groups are the groups of this process. A recorded collective has the number of its group as an input, so that
// programs of different ranks are equal.
var groups = struct {
	mu   sync.Mutex
	last int64
	byID map[int64]*Group
}{byID: map[int64]*Group{}}

func groupOf(id int64) (*Group, error) {
	groups.mu.Lock()
	defer groups.mu.Unlock()
	if g := groups.byID[id]; g != nil {
		return g, nil
	}
	return nil, fmt.Errorf("there is no group %d in this process, or it is closed", id)
}

// Rank returns the number of this rank, from 0.
func (g *Group) Rank() int { return g.transport.Rank() }

// Size returns the number of ranks.
func (g *Group) Size() int { return g.transport.Size() }

// Close leaves the group. An error is one of the transport.
func (g *Group) Close() error {
	groups.mu.Lock()
	delete(groups.byID, g.id)
	groups.mu.Unlock()
	return g.transport.Close()
}

// Run calls f as this rank and returns its error. An error, and a panic of f, which Run turns into one, end the
// collectives of all other ranks.
func (g *Group) Run(f func(g *Group) error) (err error) {
	trace.Need("run", "the function", f)
	defer func() {
		if p := recover(); p != nil {
			cause, ok := p.(error)
			if !ok {
				cause = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			err = cause
		}
		if err != nil {
			g.Abort(err)
		}
	}()
	return f(g)
}

// Abort makes the collectives of all ranks fail with an error that names this one.
func (g *Group) Abort(err error) { g.transport.Abort(err) }

// member checks that a rank is one of the group.
func (g *Group) member(rank int) error {
	if rank < 0 || rank >= g.Size() {
		return fmt.Errorf("there is no rank %d of %d", rank, g.Size())
	}
	return nil
}

// token is the number of the group as a tensor of a device.
func (g *Group) token(d device.Device) *tensor.Tensor {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tokens[d] == nil {
		g.tokens[d] = tensor.FromSlice([]int64{g.id}).To(d)
	}
	return g.tokens[d]
}

// call is what all ranks must be about to do.
type call struct {
	kind   kind
	reduce Reduction
	root   int
	dtype  dtype.DType
	count  int
	text   string
}

// kind is a kind of collective.
type kind uint8

const (
	kindJoin kind = iota
	kindBarrier
	kindAllReduce
	kindAllGather
	kindReduceScatter
	kindBroadcast
	kindReduce
	kindCompare
	kindPoint
)

var kindNames = []string{"join", "barrier", "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce",
	"compare", "send"}

// String describes the call for people.
func (c call) String() string {
	s := fmt.Sprintf("%s of %d %v", kindNames[c.kind], c.count, c.dtype)
	switch c.kind {
	case kindJoin, kindCompare, kindBarrier:
		s = kindNames[c.kind]
	case kindAllReduce, kindReduceScatter:
		s += fmt.Sprintf(" by %v", c.reduce)
	case kindBroadcast, kindReduce:
		s += fmt.Sprintf(" at rank %d", c.root)
	}
	return s
}

// headerBytes is the length of an encoded call.
const headerBytes = 40

// encode is the call in a form of fixed length.
func (c call) encode(sequence uint64) []byte {
	b := make([]byte, 0, headerBytes)
	b = append(b, byte(c.kind), byte(c.reduce), byte(c.dtype), 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(c.root))
	b = binary.LittleEndian.AppendUint64(b, uint64(c.count))
	b = binary.LittleEndian.AppendUint64(b, sequence)
	h := fnv.New128a()
	h.Write([]byte(c.text))
	return h.Sum(b)
}

// decode reads what another rank sent.
func decode(b []byte) call {
	c := call{kind: kind(b[0]), reduce: Reduction(b[1]), dtype: dtype.DType(b[2]),
		root: int(int32(binary.LittleEndian.Uint32(b[4:]))), count: int(binary.LittleEndian.Uint64(b[8:]))}
	c.kind = min(c.kind, kindPoint)
	return c
}

// agree compares the next operations of all ranks, and so waits for all ranks.
func (g *Group) agree(c call) error {
	_, err := g.begin(c)
	return err
}

// begin is agree, and returns the tag of the collective's data.
func (g *Group) begin(c call) (tag uint64, err error) {
	sequence := g.sequence.Add(1)
	return sequence<<1 | 1, g.compare(c, sequence)
}

func (g *Group) compare(c call, sequence uint64) error {
	mine := c.encode(sequence)
	var send, receive []Piece
	for r := range g.Size() {
		if r != g.Rank() {
			send = append(send, Piece{r, sequence << 1, mine})
			receive = append(receive, Piece{r, sequence << 1, make([]byte, headerBytes)})
		}
	}
	if err := g.transport.Exchange(send, receive, g.Timeout); err != nil {
		return err
	}
	for _, p := range receive {
		if !bytes.Equal(p.Data, mine) {
			return &RankError{Rank: p.Rank, Detail: c.differs(decode(p.Data), g.Rank())}
		}
	}
	return nil
}

// differs says how the call of another rank differs from this rank's.
func (c call) differs(other call, rank int) string {
	switch {
	case other.kind == kindJoin && c.kind == kindJoin:
		return fmt.Sprintf("has another version of the collectives than rank %d, which has %q", rank, c.text)
	case other.kind == kindCompare && c.kind == kindCompare:
		return fmt.Sprintf("has another program than rank %d", rank)
	}
	return fmt.Sprintf("is at a collective %v, where rank %d is at %v", other, rank, c)
}

// Same returns an error if a text, such as the MLIR of what is about to run, is not the same on
// all ranks. Nothing but its hash is sent.
func (g *Group) Same(text string) error { return g.agree(call{kind: kindCompare, text: text}) }

// Barrier returns when all ranks have called it. It fails where another rank makes another call, or has left.
func (g *Group) Barrier() error { return g.agree(call{kind: kindBarrier}) }
