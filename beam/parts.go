package beam

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// parts is the folder in which the pieces of a job are kept until all are there.
type parts struct{ dir string }

// part is the file of a piece that was done, or that failed in every attempt.
type part struct {
	Piece int               `json:"piece"`
	Rows  []json.RawMessage `json:"rows"`
	Error string            `json:"error,omitempty"`
}

func partsOf(output string) parts { return parts{output + ".parts"} }

func (p parts) done(piece int) string { return fmt.Sprintf("%s/done-%08d.json", p.dir, piece) }

func (p parts) failed(piece int) string { return fmt.Sprintf("%s/failed-%08d.json", p.dir, piece) }

func (p parts) write(ctx context.Context, r *part) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	name := p.done(r.Piece)
	if r.Error != "" {
		name = p.failed(r.Piece)
	}
	return writeFile(ctx, name, data)
}

// begin makes a folder the folder of a job; the error tells that the folder belongs to another job.
func (p parts) begin(ctx context.Context, identity []string) error {
	want, err := json.Marshal(identity)
	if err != nil {
		return err
	}
	file := p.dir + "/job.json"
	found, err := listFiles(ctx, file)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return writeFile(ctx, file, want)
	}
	have, err := readFile(ctx, file)
	if err != nil {
		return err
	}
	if string(have) != string(want) {
		return fmt.Errorf("%s holds pieces of another job, %s: remove it, or choose another -output", p.dir, have)
	}
	return nil
}

// list returns the numbers of the pieces that have a file of a kind: done or failed.
func (p parts) list(ctx context.Context, kind string) ([]int, error) {
	names, err := listFiles(ctx, p.dir+"/"+kind+"-*.json")
	if err != nil {
		return nil, err
	}
	var pieces []int
	for _, name := range names {
		number := strings.TrimSuffix(strings.TrimPrefix(path.Base(strings.ReplaceAll(name, `\`, "/")), kind+"-"), ".json")
		if i, err := strconv.Atoi(number); err == nil {
			pieces = append(pieces, i)
		}
	}
	return pieces, nil
}

// read returns a part, and nil if there is none or its file is not whole.
func (p parts) read(ctx context.Context, name string) (*part, error) {
	found, err := listFiles(ctx, name)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	data, err := readFile(ctx, name)
	if err != nil {
		return nil, err
	}
	r := new(part)
	if json.Unmarshal(data, r) != nil {
		return nil, nil
	}
	return r, nil
}

// missing returns the pieces of a job that have not been done.
func (p parts) missing(ctx context.Context, pieces int) ([]int, error) {
	listed, err := p.list(ctx, "done")
	if err != nil {
		return nil, err
	}
	var missing []int
	for i := range pieces {
		if _, ok := slices.BinarySearch(listed, i); ok {
			r, err := p.read(ctx, p.done(i))
			if err != nil {
				return nil, err
			}
			if r != nil {
				continue
			}
		}
		missing = append(missing, i)
	}
	return missing, nil
}

// clear removes the notes of failures, which are tried again.
func (p parts) clear(ctx context.Context) error {
	names, err := listFiles(ctx, p.dir+"/failed-*.json")
	if err != nil || len(names) == 0 {
		return err
	}
	fs, err := filesystem.New(ctx, p.dir)
	if err != nil {
		return err
	}
	defer fs.Close()
	remover, ok := fs.(filesystem.Remover)
	if !ok {
		return nil // they are written over
	}
	for _, name := range names {
		if err := remover.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// show counts the files of pieces on a terminal until the context ends.
func (p parts) show(ctx context.Context, of int) {
	info, err := os.Stderr.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			fmt.Fprint(os.Stderr, "\r\x1b[K")
			return
		case <-tick.C:
		}
		done, err := p.list(ctx, "done")
		if err == nil {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%d of %d pieces", len(done), of)
		}
	}
}
