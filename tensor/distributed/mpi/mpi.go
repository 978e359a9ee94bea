package mpi

/*
#include <mpi.h>

static int acap_init(int *rank, int *size, int *tag_limit) {
	int provided = 0, found = 0, *limit = 0;
	int err = MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &provided);
	if (err != MPI_SUCCESS) return err;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
	*tag_limit = found ? *limit : 32767;
	return MPI_SUCCESS;
}

static int acap_start(void *data, int bytes, int rank, int tag, int receive, MPI_Request *r) {
	if (receive) return MPI_Irecv(data, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, r);
	return MPI_Isend(data, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, r);
}

// acap_test sets done if the request is complete, and got to the bytes that it received.
static int acap_test(MPI_Request *r, int *done, int *got) {
	MPI_Status status;
	int err = MPI_Test(r, done, &status);
	if (err == MPI_SUCCESS && *done) err = MPI_Get_count(&status, MPI_BYTE, got);
	return err;
}

static void acap_cancel(MPI_Request *r) { MPI_Cancel(r); MPI_Request_free(r); }
static void acap_abort(void) { MPI_Abort(MPI_COMM_WORLD, 1); }

static void acap_message(int err, char *text, int *length) { MPI_Error_string(err, text, length); }
*/
import "C"

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/go-acap/acap/tensor/distributed"
)

// transport is the world communicator. Its thread owns all calls of MPI.
type transport struct {
	rank, size, tagBits int
	jobs                chan *job
	closing             chan chan error
	close               sync.Once
	failed              error // of the first exchange that failed; the thread of MPI alone reads and writes it
}

// job is an exchange.
type job struct {
	pieces  []piece
	tags    []int // of the pieces
	pins    runtime.Pinner
	left    int // pieces that are not complete
	timeout time.Duration
	moved   time.Time // when one was completed, or the start
	done    chan error
}

// piece is a part of a piece of memory that one request of MPI moves.
type piece struct {
	request C.MPI_Request
	rank    int
	data    []byte
	receive bool
	done    bool
}

// mostBytes is the most that one request moves: MPI counts with 32 bits.
const mostBytes = 1 << 30

// Init starts MPI, once in a process, and returns the group of all ranks. An error is what MPI says when it cannot be
// started.
func Init() (*distributed.Group, error) {
	t := &transport{jobs: make(chan *job), closing: make(chan chan error)}
	started := make(chan error)
	go t.serve(started)
	if err := <-started; err != nil {
		return nil, err
	}
	return distributed.New(t)
}

// Run starts MPI, calls f as the rank that this process is, and ends MPI: what a program does between [Init] and Close.
// An error or a panic of f ends all ranks with status 1, and the one that failed says why.
func Run(f func(g *distributed.Group) error) error {
	group, err := Init()
	if err != nil {
		return err
	}
	if err := group.Run(f); err != nil {
		return err
	}
	return group.Close()
}

func (t *transport) Rank() int { return t.rank }
func (t *transport) Size() int { return t.size }

// Exchange implements distributed.Transport.
func (t *transport) Exchange(send, receive []distributed.Piece, timeout time.Duration) error {
	j := &job{timeout: timeout, done: make(chan error, 1)}
	defer j.pins.Unpin()
	for _, p := range send {
		j.add(p, t.tagBits, false)
	}
	for _, p := range receive {
		j.add(p, t.tagBits, true)
	}
	if len(j.pieces) == 0 {
		return nil
	}
	t.jobs <- j
	return <-j.done
}

// add divides a piece into requests. Those of one piece arrive in order, as MPI promises.
func (j *job) add(p distributed.Piece, tagBits int, receive bool) {
	data := p.Data
	if len(data) > 0 {
		j.pins.Pin(unsafe.SliceData(data))
	}
	for first := true; first || len(data) > 0; first = false {
		n := min(len(data), mostBytes)
		j.pieces = append(j.pieces, piece{rank: p.Rank, data: data[:n], receive: receive})
		j.tags = append(j.tags, distributed.ShortTag(p.Tag, tagBits))
		data = data[n:]
	}
}

// serve is the thread of MPI.
func (t *transport) serve(started chan error) {
	runtime.LockOSThread()
	var rank, size, limit C.int
	if err := message(C.acap_init(&rank, &size, &limit)); err != nil {
		started <- err
		return
	}
	t.rank, t.size, t.tagBits = int(rank), int(size), bits.Len(uint(limit)+1)-1
	started <- nil
	var going []*job
	idle := 0
	for {
		if len(going) == 0 {
			select {
			case j := <-t.jobs:
				going = t.begin(j, going)
			case done := <-t.closing:
				if t.failed != nil { // MPI_Finalize would wait for a rank that does not answer
					t.Abort(t.failed)
				}
				done <- message(C.MPI_Finalize())
				return
			}
			idle = 0
			continue
		}
		select {
		case j := <-t.jobs:
			going = t.begin(j, going)
			idle = 0
		default:
		}
		if left, progress := t.advance(going); progress {
			going, idle = left, 0
		} else {
			idle++
			rest(idle)
		}
	}
}

// rest lets other threads run while nothing moves: briefly at first, for as long as a message takes.
func rest(idle int) {
	switch {
	case idle < 100:
		runtime.Gosched()
	case idle < 1000:
		time.Sleep(5 * time.Microsecond)
	default:
		time.Sleep(100 * time.Microsecond)
	}
}

// begin posts the requests of a job.
func (t *transport) begin(j *job, going []*job) []*job {
	j.left, j.moved = len(j.pieces), time.Now()
	for i := range j.pieces {
		p := &j.pieces[i]
		receive := C.int(0)
		if p.receive {
			receive = 1
		}
		err := message(C.acap_start(unsafe.Pointer(unsafe.SliceData(p.data)), C.int(len(p.data)), C.int(p.rank),
			C.int(j.tags[i]), receive, &p.request))
		if err != nil {
			j.pieces = j.pieces[:i]
			t.finish(j, &distributed.RankError{Rank: p.rank, Detail: "cannot be reached", Err: err})
			return going
		}
	}
	return append(going, j)
}

// advance tests all requests. It returns the jobs that go on, and whether anything was completed.
func (t *transport) advance(going []*job) (left []*job, progress bool) {
	for _, j := range going {
		moved, err := j.test()
		if moved {
			j.moved, progress = time.Now(), true
		} else if err == nil && time.Since(j.moved) > j.timeout {
			err = &distributed.RankError{Rank: j.waitsFor(), Detail: fmt.Sprintf("has not answered for %v", j.timeout)}
		}
		switch {
		case err != nil || j.left == 0:
			t.finish(j, err)
			progress = true
		default:
			left = append(left, j)
		}
	}
	return left, progress
}

func (j *job) test() (moved bool, err error) {
	for i := range j.pieces {
		p := &j.pieces[i]
		if p.done {
			continue
		}
		var done, got C.int
		if err := message(C.acap_test(&p.request, &done, &got)); err != nil {
			p.done = true
			return moved, &distributed.RankError{Rank: p.rank, Detail: "failed", Err: err}
		}
		if done == 0 {
			continue
		}
		p.done, moved = true, true
		j.left--
		if p.receive && int(got) != len(p.data) {
			return moved, &distributed.RankError{Rank: p.rank, Detail: fmt.Sprintf("sends %d bytes, where %d are taken",
				got, len(p.data))}
		}
	}
	return moved, nil
}

// waitsFor is a rank that has not done its part.
func (j *job) waitsFor() int {
	for _, p := range j.pieces {
		if !p.done {
			return p.rank
		}
	}
	return -1
}

// finish gives up what is not complete, after which nobody may use the memory.
func (t *transport) finish(j *job, err error) {
	if t.failed == nil {
		t.failed = err
	}
	for i := range j.pieces {
		if p := &j.pieces[i]; !p.done {
			C.acap_cancel(&p.request)
		}
	}
	j.done <- err
}

// Abort implements distributed.Transport: it ends all ranks.
func (t *transport) Abort(err error) {
	fmt.Fprintf(os.Stderr, "distributed: rank %d failed: %v\n", t.rank, err)
	C.acap_abort()
}

// Close implements distributed.Transport. MPI cannot be started again in the process. If an exchange has failed, Close
// ends all ranks as Abort does.
func (t *transport) Close() (err error) {
	err = errors.New("mpi: closed already")
	t.close.Do(func() {
		done := make(chan error)
		t.closing <- done
		err = <-done
	})
	return err
}

// message is the error of a code of MPI, or nil.
func message(code C.int) error {
	if code == C.MPI_SUCCESS {
		return nil
	}
	var text [C.MPI_MAX_ERROR_STRING]C.char
	var length C.int
	C.acap_message(code, &text[0], &length)
	return errors.New("mpi: " + C.GoStringN(&text[0], length))
}
