package program

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
)

// Coord is the place of a tile.
type Coord = machine.Coord

// Program is a device program for one machine.
type Program struct {
	Name    string
	Machine *machine.Machine // it was made for

	Args    []Arg // arrays in memory outside, in the order the host passes them
	FIFOs   []FIFO
	Links   []Link
	Cores   []Core
	Runtime []HostOp

	// The parts that lowering adds.
	Lowered bool
	Buffers []Buffer
	Locks   []Lock
	DMAs    []DMA
	Flows   []Flow
}

// Copy returns a program that can be lowered without the original.
func (p *Program) Copy() *Program {
	q := *p
	q.FIFOs, q.Cores = slices.Clone(p.FIFOs), slices.Clone(p.Cores)
	return &q
}

// Arg is one array in memory outside.
type Arg struct {
	Name   string
	Shape  []int
	DType  dtype.DType
	Output bool
}

// Elements returns the number of elements of the array.
func (a Arg) Elements() int { return Object{Shape: a.Shape, DType: a.DType}.Elements() }

// Object is the type of what travels through a FIFO: a small dense array.
type Object struct {
	Shape []int
	DType dtype.DType
}

// Elements returns the number of elements of the object.
func (o Object) Elements() int {
	n := 1
	for _, s := range o.Shape {
		n *= s
	}
	return n
}

// Bytes returns the size of the object.
func (o Object) Bytes() int { return o.Elements() * o.DType.Size() }

// Dim is one dimension of a DMA address pattern, in elements.
type Dim struct{ Size, Stride int }

// FIFO carries objects from one producer to one or more consumers, in order.
type FIFO struct {
	Name      string
	Producer  Coord
	Consumers []Coord
	Depth     int // objects at each end
	Object    Object
	// ToStream is the order in which the producing end's DMA sends an object,
	// outermost dimension first; nil is linear. FromStream likewise, for every
	// consumer alike.
	ToStream, FromStream []Dim
	// Cascade FIFOs use the accumulator link between neighbouring cores: no
	// buffers, no locks.
	Cascade bool
	// Resident is the data in the mem tile where the FIFO begins, if no link fills it, in the order that ToStream says.
	Resident *Resident
	// Retained is where all objects lie at the end of the FIFO that is a mem tile without a link, in the
	// order of Windows, which are sent so often.
	Retained *Retained
	Windows  []Window
	Passes   int
	// Parts says what an object holds where cores take several arrays together.
	Parts []Part

	Ends []Endpoint // lowered: the producer, then the consumers
}

// Resident is data that remain in a mem tile from run to run: they are brought there once, and sent
// from there again and again. It has a buffer of its own and no locks.
type Resident struct {
	Parts  []ResidentPart
	Passes int // how often all of it is sent in a run
}

// Retained is a buffer of a mem tile that outlives a launch: cores of the next launch take what cores left there. It
// has no locks, as one launch ends before the other begins.
type Retained struct {
	Name    string
	Tile    Coord
	Address int // bytes
	Object  Object
	Part    ResidentPart // what of an argument lies in it, in order
}

// ResidentPart is elements of an argument in the order in which they are sent; the host lays them
// out so when it brings them.
type ResidentPart struct {
	Arg, Offset int
	Dims        []Dim
}

// Bytes returns the bytes of all parts; args are the program's arguments, which give the types of elements.
func (s *Resident) Bytes(args []Arg) int {
	n := 0
	for _, p := range s.Parts {
		n += Window{Dims: p.Dims}.Elements() * args[p.Arg].DType.Size()
	}
	return n
}

// Part is the place of an argument's tile in an object.
type Part struct {
	Arg    int
	Offset int // bytes
	Object Object
}

// Endpoint is one end of a lowered FIFO: a ring of buffers and the two locks
// that count their free and their filled slots. The ends that a [Link] joins
// share their buffers and locks.
type Endpoint struct {
	Tile    Coord
	Buffers []int // indices in Program.Buffers; empty at an interface tile
	Offset  int   // elements from the start of each buffer
	// Produce counts the free slots, Consume the filled ones: indices in
	// Program.Locks. A machine with counting locks has one of each; one with
	// boolean locks has one of each per slot.
	Produce, Consume []int
	DMA              int // index in Program.DMAs, −1 when the end has none
}

// ProduceLock returns the lock of free slots for the slot, −1 at an end without
// buffers.
func (e *Endpoint) ProduceLock(slot int) int { return lockOf(e.Produce, slot) }

// ConsumeLock returns the lock of filled slots for the slot, −1 likewise.
func (e *Endpoint) ConsumeLock(slot int) int { return lockOf(e.Consume, slot) }

func lockOf(locks []int, slot int) int {
	if len(locks) == 0 {
		return -1
	}
	return locks[slot%len(locks)]
}

// Link passes objects on at a mem tile. One of In and Out has a single member,
// whose object is the concatenation of the parts that the members of the other
// carry. A part may also be sent on in smaller pieces: the objects of an output
// only have to divide its part.
type Link struct {
	Tile    Coord
	In, Out []int // indices in Program.FIFOs
	// Windows, where one FIFO arrives, are what is sent of every part of an object that
	// arrives, in order; they may overlap. None means the part as it is.
	Windows []Window
}

// Window is a part of an object in the order in which it is sent.
type Window struct {
	Offset int // elements
	Dims   []Dim
}

// Elements returns the number of elements that the window sends.
func (w Window) Elements() int {
	n := 1
	for _, d := range w.Dims {
		n *= d.Size
	}
	return n
}

// Buffer is a piece of a tile's data memory.
type Buffer struct {
	Name    string
	Tile    Coord
	Object  Object
	Address int // bytes from the start of the tile's memory
	Bank    int
	Fixed   bool // its address is given: a [Retained]
}

// Lock is one lock of a tile.
type Lock struct {
	Name string
	Tile Coord
	ID   int
	Init int
}

// Direction of a DMA channel.
type Direction uint8

// The directions, seen from memory.
const (
	MM2S Direction = iota // memory to stream
	S2MM                  // stream to memory
)

// String returns the name in the aie dialect.
func (d Direction) String() string { return [...]string{"MM2S", "S2MM"}[d] }

// DMA is the chain of descriptors of one channel. The last descriptor's Next
// closes the loop, or is −1 to stop.
type DMA struct {
	Tile        Coord
	Dir         Direction
	Channel     int
	Descriptors []Descriptor
	// Passes is how often a chain that stops is run; 0 is once.
	Passes int
}

// Descriptor is one buffer descriptor: wait for a lock, move, release a lock.
type Descriptor struct {
	ID      int
	Buffer  int // index in Program.Buffers
	Offset  int // elements
	Length  int // elements
	Dims    []Dim
	Acquire LockUse
	Release LockUse
	Next    int // index in DMA.Descriptors, −1 to stop
}

// LockUse is a lock with the amount to acquire or release.
type LockUse struct {
	Lock  int // index in Program.Locks, −1 for none
	Value int
}

// Port is one end of a flow.
type Port struct {
	Tile    Coord
	Kind    PortKind
	Channel int
}

// PortKind is the kind of a port that a flow is plugged into.
type PortKind uint8

// The kinds of ports.
const (
	DMAPort PortKind = iota
	CorePort
	CascadePort
)

// Flow is a circuit-switched route. Flows with the same source are a broadcast.
type Flow struct{ From, To Port }

// Core is the program of one core.
type Core struct {
	Tile   Coord
	Locals []Object // buffers of the core's own, such as an accumulator
	Body   []Stmt

	LocalBuffers []int // lowered: indices in Program.Buffers, one per local
}

// Stmt is a statement of a core: [Loop], [Acquire], [Release] or [Call].
type Stmt interface{ stmt() }

// Loop runs Body Count times.
type Loop struct {
	Count int
	Body  []Stmt
}

// Acquire waits until N objects of a FIFO are there to use.
type Acquire struct {
	FIFO    int
	Produce bool // the core writes the objects; otherwise it reads them
	N       int
}

// Release hands N objects over.
type Release struct {
	FIFO    int
	Produce bool
	N       int
}

// Call runs a kernel on acquired objects.
type Call struct {
	Kernel string
	Args   []ObjectRef
	Cycles int // time of one call
	Piece  int // of "capture", "mask" and "score": which piece of the local is meant
}

// ObjectRef is an acquired object of a FIFO, or a buffer of the core's own.
type ObjectRef struct {
	FIFO  int // index in Program.FIFOs; −1 for a local
	Index int // which of the acquired objects, or which local
}

func (Loop) stmt()    {}
func (Acquire) stmt() {}
func (Release) stmt() {}
func (Call) stmt()    {}

// HostOp is a step of the host's sequence: [Task] or [Await]. The host takes them in
// order.
type HostOp interface{ hostOp() }

// Task queues a transfer between an argument and a FIFO whose other end is at
// an interface tile. When as many tasks of the channel as its queue holds are not
// complete, the host waits for one of them first.
type Task struct {
	ID     int
	FIFO   int
	Arg    int
	Offset int   // elements
	Dims   []Dim // outermost first; elements
	Repeat int   // times the pattern is run; at least 1
	// Padding says that the data have no meaning: they fill up an object.
	Padding bool
	// Share of the memory's rate that the transfer reaches by the length of its
	// runs and their pitch; 1 is all of it. It exceeds 1 where staging memory
	// outside the array serves part of the transfer.
	Share float64
}

// Elements returns the number of elements that the task moves.
func (t Task) Elements() int {
	n := t.Repeat
	for _, d := range t.Dims {
		n *= d.Size
	}
	return n
}

// Sends reports whether a task sends: its FIFO begins at an interface tile. Where it
// ends at one as well the array that is written tells.
func (p *Program) Sends(t Task) bool {
	f := &p.FIFOs[t.FIFO]
	if f.Producer.Row != 0 {
		return false
	}
	for _, c := range f.Consumers {
		if c.Row == 0 {
			return !p.Args[t.Arg].Output
		}
	}
	return true
}

// Channel returns the DMA of a task of a lowered program, −1 when its FIFO has no such end
// at an interface tile.
func (p *Program) Channel(t Task) int {
	for i, e := range p.FIFOs[t.FIFO].Ends {
		if e.Tile.Row == 0 && (i == 0) == p.Sends(t) {
			return e.DMA
		}
	}
	return -1
}

// Await waits for a task to finish.
type Await struct{ Task int }

func (Task) hostOp()  {}
func (Await) hostOp() {}
