package beam

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn3x1[context.Context, element, func(int), error](&doPieces{})
	register.Emitter1[int]()
	register.Function2x1(add)
	register.Function2x0(tell)
	beam.RegisterType(reflect.TypeFor[element]())
}

// Options say where a job's output goes and how it is run.
type Options struct {
	Output   string // the file; the folder of its pieces is beside it
	Runner   string // "prism" if empty
	Attempts int    // how often a piece is tried, 3 if 0
	Elements int    // of the pipeline, among which pieces are divided; 1 if 0
}

// element is the work that the runner hands to a worker: pieces that the worker does one after the other. A runner asks
// each waiting element for its progress, so one element for each piece would cost as many questions as pieces.
type element struct{ Pieces []int }

// elements divides pieces evenly. Neighbours, which may take as long as each other, are spread.
func elements(pieces []int, n int) []element {
	n = min(max(n, 1), len(pieces))
	list := make([]element, n)
	for i, p := range pieces {
		list[i%n].Pieces = append(list[i%n].Pieces, p)
	}
	return list
}

// doPieces does pieces of a job, and writes their files.
type doPieces struct {
	Job      string
	Args     []string
	Output   string
	Attempts int
}

var (
	piecesDone   = beam.NewCounter("acap", "pieces_done")
	piecesFailed = beam.NewCounter("acap", "pieces_failed")
	retries      = beam.NewCounter("acap", "retries")
)

// ProcessElement does the pieces of an element, but those that a worker that died had done, and emits their
// number. Its error is one of files, for which the runner tries again.
func (d *doPieces) ProcessElement(ctx context.Context, e element, emit func(int)) error {
	p := partsOf(d.Output)
	for _, piece := range e.Pieces {
		done, err := p.read(ctx, p.done(piece))
		if err != nil {
			return err
		}
		if done == nil {
			if err := d.do(ctx, piece); err != nil {
				return err
			}
		}
	}
	emit(len(e.Pieces))
	return nil
}

func add(a, b int) int { return a + b }

// tell writes to the runner's log how much was done.
func tell(ctx context.Context, pieces int) { log.Infof(ctx, "%d pieces", pieces) }

// do does a piece, and tries it again if it fails.
func (d *doPieces) do(ctx context.Context, piece int) error {
	r := &part{Piece: piece}
	for attempt := 1; ; attempt++ {
		var err error
		if r.Rows, err = d.attempt(ctx, piece); err == nil {
			piecesDone.Inc(ctx, 1)
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if attempt == d.Attempts {
			r.Rows, r.Error = nil, err.Error()
			piecesFailed.Inc(ctx, 1)
			break
		}
		retries.Inc(ctx, 1)
		time.Sleep(time.Duration(attempt) * 100 * time.Millisecond)
	}
	return partsOf(d.Output).write(ctx, r)
}

// working makes a process do one piece at a time: a job uses all processors for it, and pieces that
// are done are kept when the process ends.
var working sync.Mutex

func (d *doPieces) attempt(ctx context.Context, piece int) (rows []json.RawMessage, err error) {
	working.Lock()
	defer working.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v at %s", p, strings.ReplaceAll(string(debug.Stack()), "\n", " "))
		}
	}()
	job, err := openOnce(ctx, d.Job, d.Args)
	if err != nil {
		return nil, err
	}
	return job.Do(ctx, piece)
}

// pipeline makes elements of pieces, lets the runner spread them, and does them.
func pipeline(name string, args []string, pieces []int, o Options) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	all := beam.Reshuffle(s.Scope("Spread"), beam.CreateList(s.Scope("Pieces"), elements(pieces, o.Elements)))
	done := beam.ParDo(s.Scope("Do"), &doPieces{name, args, o.Output, o.Attempts}, all)
	// prism waits without rest for a stage that has no output.
	beam.ParDo0(s.Scope("Tell"), tell, beam.Combine(s.Scope("Count"), add, done))
	return p
}

// Run does the pieces of a job that have not been done, and joins them to its output. Pieces that
// failed are in the error, a [*FailedError], and no output is written.
func Run(ctx context.Context, name string, args []string, o Options) error {
	if o.Output == "" {
		return fmt.Errorf("want -output")
	}
	if o.Runner == "" {
		o.Runner = "prism"
	}
	if o.Attempts <= 0 {
		o.Attempts = 3
	}
	job, err := openOnce(ctx, name, args)
	if err != nil {
		return err
	}
	p := partsOf(o.Output)
	if err := p.begin(ctx, identity(name, args)); err != nil {
		return err
	}
	if err := p.clear(ctx); err != nil {
		return err
	}
	missing, err := p.missing(ctx, job.Pieces())
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		counting, stop := context.WithCancel(ctx)
		go p.show(counting, job.Pieces())
		_, err := beam.Run(ctx, o.Runner, pipeline(name, args, missing, o))
		stop()
		if err != nil {
			return fmt.Errorf("%w; the same command goes on with what is done", err)
		}
	}
	return join(ctx, job, p, o.Output)
}

// join writes a job's output from the files of its pieces.
func join(ctx context.Context, job Job, p parts, output string) error {
	var rows []json.RawMessage
	failures := &FailedError{Pieces: job.Pieces()}
	for i := range job.Pieces() {
		r, err := p.read(ctx, p.done(i))
		if err != nil {
			return err
		}
		if r == nil {
			failures.add(ctx, job, p, i)
			continue
		}
		rows = append(rows, r.Rows...)
	}
	if len(failures.List) > 0 {
		return failures
	}
	var file bytes.Buffer
	verdict := job.Finish(ctx, rows, &file)
	if file.Len() > 0 || verdict == nil {
		if err := writeFile(ctx, output, file.Bytes()); err != nil {
			return err
		}
	}
	return verdict
}

// FailedError lists the pieces that failed as often as they were tried.
type FailedError struct {
	Pieces int // of the job
	List   []string
}

// shownFailures is how many failures an error lists.
const shownFailures = 20

// Error implements error.
func (e *FailedError) Error() string {
	list := e.List
	more := ""
	if len(list) > shownFailures {
		list, more = list[:shownFailures], fmt.Sprintf("\n  and %d more", len(list)-shownFailures)
	}
	return fmt.Sprintf("%d of %d pieces failed; the same command tries them again:\n  %s%s", len(e.List), e.Pieces,
		strings.Join(list, "\n  "), more)
}

func (e *FailedError) add(ctx context.Context, job Job, p parts, piece int) {
	reason := "it has no file"
	if r, err := p.read(ctx, p.failed(piece)); err == nil && r != nil {
		reason = r.Error
	}
	e.List = append(e.List, job.Name(piece)+": "+reason)
}
