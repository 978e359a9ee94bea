package beam

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/sweep"
	"github.com/go-acap/acap/device/acap/sweep/sweepplot"
)

func init() {
	kinds["sweep"] = kind{usage: "MODEL [flags]", flags: func(f *flag.FlagSet) func(context.Context, []string) (Job, error) {
		j := &sweepJob{}
		j.flags.Register(f)
		f.IntVar(&j.bundle, "bundle", 1000, "how many `machines` a piece has")
		return j.open
	}, shown: []string{"plot", "cost", "json"}}
}

// sweepJob maps and times a model on many machines, some of a grid in each piece.
type sweepJob struct {
	flags   sweep.Flags
	bundle  int
	model   string
	grid    *sweep.Grid
	kernels func() ([]report.Kernel, error)
}

func (j *sweepJob) open(ctx context.Context, args []string) (Job, error) {
	if len(args) != 1 {
		return nil, errors.New("want one model")
	}
	if j.bundle < 1 {
		return nil, fmt.Errorf("-bundle is %d", j.bundle)
	}
	j.model = args[0]
	machines := strings.Split(j.flags.Machines, ",")
	for i, name := range machines {
		path, err := localFile(ctx, name)
		if err != nil {
			return nil, err
		}
		machines[i] = path
	}
	var err error
	if j.grid, err = sweep.NewGrid(machines, j.flags.Set); err != nil {
		return nil, err
	}
	j.kernels = sync.OnceValues(func() ([]report.Kernel, error) {
		model, inputs, err := localModel(ctx, j.model, j.flags.Inputs)
		if err != nil {
			return nil, err
		}
		data, err := modelfile.Inputs(model, inputs)
		if err != nil {
			return nil, err
		}
		module, err := modelfile.LoadFor(model, data)
		if err != nil {
			return nil, err
		}
		return modelfile.Kernels(model, module)
	})
	return j, nil
}

func (j *sweepJob) Pieces() int { return (j.grid.Len() + j.bundle - 1) / j.bundle }

func (j *sweepJob) bounds(piece int) (from, to int) {
	return piece * j.bundle, min((piece+1)*j.bundle, j.grid.Len())
}

func (j *sweepJob) Name(piece int) string {
	from, to := j.bounds(piece)
	return fmt.Sprintf("machines %d to %d", from, to-1)
}

func (j *sweepJob) Do(_ context.Context, piece int) ([]json.RawMessage, error) {
	kernels, err := j.kernels()
	if err != nil {
		return nil, err
	}
	from, to := j.bounds(piece)
	points, err := j.grid.Evaluate(from, to, kernels, nil)
	if err != nil {
		return nil, err
	}
	return encode(points)
}

func (j *sweepJob) Finish(ctx context.Context, rows []json.RawMessage, w io.Writer) error {
	points := make([]*sweep.Point, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row, &points[i]); err != nil {
			return err
		}
	}
	_, cost, err := sweep.Cost(j.flags.Cost)
	if err != nil {
		return err
	}
	sweep.MarkPareto(points, cost)
	if j.flags.Plot != "" {
		if err := j.plot(ctx, points); err != nil {
			return err
		}
	}
	if j.flags.JSON {
		return json.NewEncoder(w).Encode(points)
	}
	return sweep.WriteCSV(w, j.grid.Names(), points)
}

func (j *sweepJob) plot(ctx context.Context, points []*sweep.Point) error {
	dir, err := os.MkdirTemp("", "acap-beam-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	picture := filepath.Join(dir, "plot"+filepath.Ext(j.flags.Plot))
	if err := sweepplot.Plot(points, j.model+": time against "+j.flags.Cost, j.flags.Cost, picture); err != nil {
		return err
	}
	data, err := os.ReadFile(picture)
	if err != nil {
		return err
	}
	return writeFile(ctx, j.flags.Plot, data)
}
