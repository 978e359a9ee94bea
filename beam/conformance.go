package beam

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/device"
)

func init() {
	kinds["conformance"] = kind{usage: "opinfo|stablehlo|models|onnx DIR|FILE... [flags]", flags: func(f *flag.FlagSet) func(context.Context, []string) (Job, error) {
		j := &conformanceJob{}
		j.device.Flags(f)
		f.StringVar(&j.only, "run", "", "only tests whose name contains this `text`")
		f.StringVar(&j.only, "family", "", "of opinfo: only these families, separated by commas")
		return j.open
	}}
}

// conformanceJob runs recorded tests, one in each piece.
type conformanceJob struct {
	device commandline.Device
	only   string
	suite  conformance.Suite
	opened device.Device
}

func (j *conformanceJob) open(ctx context.Context, args []string) (Job, error) {
	if len(args) < 2 {
		return nil, errors.New("want the name of a suite and its folder")
	}
	var paths []string
	for _, p := range args[1:] {
		local, err := localTree(ctx, p)
		if err != nil {
			return nil, err
		}
		paths = append(paths, local)
	}
	var err error
	if j.opened, err = j.device.Open(); err != nil {
		return nil, err
	}
	j.suite, err = conformance.Open(args[0], paths, j.only)
	return j, err
}

func (j *conformanceJob) Pieces() int { return len(j.suite.Tests()) }

func (j *conformanceJob) Name(piece int) string { return path.Base(j.suite.Tests()[piece]) }

func (j *conformanceJob) Do(_ context.Context, piece int) ([]json.RawMessage, error) {
	rows, err := j.suite.Run(j.opened, j.suite.Tests()[piece])
	if err != nil {
		return nil, err
	}
	// What the output says of all rows is made from these, whatever their kind.
	counted := make([]countedRow, len(rows))
	for i, row := range rows {
		counted[i].Passed, counted[i].Total = row.Count()
		if counted[i].Row, err = json.Marshal(row); err != nil {
			return nil, err
		}
	}
	return encode(counted)
}

// countedRow is a row with what it counts.
type countedRow struct {
	Passed, Total int
	Row           json.RawMessage
}

func (j *conformanceJob) Finish(_ context.Context, rows []json.RawMessage, w io.Writer) error {
	passed, total := 0, 0
	for i, data := range rows {
		var row countedRow
		if err := json.Unmarshal(data, &row); err != nil {
			return err
		}
		passed, total = passed+row.Passed, total+row.Total
		rows[i] = row.Row
	}
	if err := writeLines(rows, w); err != nil {
		return err
	}
	if passed != total {
		return fmt.Errorf("%d of %d tests did not pass", total-passed, total)
	}
	return nil
}
