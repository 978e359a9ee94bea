package beam

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/cmd/acap/commandline"
)

// Job is work that divides into pieces.
type Job interface {
	// Pieces is their number.
	Pieces() int

	// Name tells a reader what a piece is.
	Name(piece int) string

	// Do does a piece and returns its rows.
	Do(ctx context.Context, piece int) ([]json.RawMessage, error)

	// Finish writes the rows of all pieces, in order, as the job's output. It returns an error if
	// they say that something is wrong.
	Finish(ctx context.Context, rows []json.RawMessage, w io.Writer) error
}

// kind is one kind of job.
type kind struct {
	usage string

	// flags adds the flags of a job, and returns what opens it by the arguments that are no flags.
	flags func(f *flag.FlagSet) func(ctx context.Context, args []string) (Job, error)

	// shown are flags that change what the output looks like, and not the pieces.
	shown []string
}

// kinds are the kinds of jobs by name; each is a file that adds itself.
var kinds = map[string]kind{}

// Kinds are the names of the kinds of jobs.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Open returns the job of a command line. Every worker opens the jobs whose pieces it does. Another name than those of
// [Kinds], and flags that the kind does not have, are errors.
func Open(ctx context.Context, name string, args []string) (Job, error) {
	k, ok := kinds[name]
	if !ok {
		return nil, fmt.Errorf("no job %q; there are %s", name, strings.Join(Kinds(), ", "))
	}
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	open := k.flags(f)
	rest, err := commandline.Parse(f, args)
	if err != nil {
		return nil, err
	}
	return open(ctx, rest)
}

// identity returns all that the pieces of a job depend on.
func identity(name string, args []string) []string {
	out := []string{name}
	for _, a := range args {
		flag, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") || !slices.Contains(kinds[name].shown, flag) {
			out = append(out, a)
		}
	}
	return out
}

// opened are the jobs of this process by their command lines.
var opened sync.Map

// openOnce is Open for the elements of a worker, which share the job.
func openOnce(ctx context.Context, name string, args []string) (Job, error) {
	key := fmt.Sprintf("%q", append([]string{name}, args...))
	own := &opening{open: sync.OnceValues(func() (Job, error) {
		return Open(context.WithoutCancel(ctx), name, args)
	})}
	first, _ := opened.LoadOrStore(key, own)
	job, err := first.(*opening).open()
	if err != nil {
		opened.CompareAndDelete(key, first) // a later attempt may find the files
	}
	return job, err
}

type opening struct{ open func() (Job, error) }

// encode makes lines of values.
func encode[T any](values []T) ([]json.RawMessage, error) {
	rows := make([]json.RawMessage, len(values))
	for i, v := range values {
		row, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		rows[i] = row
	}
	return rows, nil
}

// writeLines writes a row a line.
func writeLines(rows []json.RawMessage, w io.Writer) error {
	for _, row := range rows {
		if _, err := fmt.Fprintf(w, "%s\n", row); err != nil {
			return err
		}
	}
	return nil
}
