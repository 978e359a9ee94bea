package beam

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/npy"
)

func init() {
	kinds["run"] = kind{usage: "MODEL -input PATTERN... -results DIR [flags]", flags: func(f *flag.FlagSet) func(context.Context, []string) (Job, error) {
		j := &runJob{}
		j.device.Flags(f)
		f.Var(&j.patterns, "input", "the files of an input, .npy, .safetensors, .png or .jpg, as a `pattern` such as in/*.npy; repeat "+
			"for models with more, whose files belong together in the order of their names")
		f.StringVar(&j.results, "results", "", "write outputs to this `folder`, named after the first input")
		f.IntVar(&j.bundle, "bundle", 16, "how many `inputs` a piece has")
		return j.open
	}}
}

// runJob runs a model over many inputs, some in each piece.
type runJob struct {
	device   commandline.Device
	patterns commandline.List
	results  string
	bundle   int

	opened device.Device
	model  string     // a local file
	inputs [][]string // of each run

	mu      sync.Mutex
	program device.Executable // for inputs of the types
	types   string
}

func (j *runJob) open(ctx context.Context, args []string) (Job, error) {
	switch {
	case len(args) != 1:
		return nil, errors.New("want one model")
	case len(j.patterns) == 0:
		return nil, errors.New("want -input")
	case j.results == "":
		return nil, errors.New("want -results")
	case j.bundle < 1:
		return nil, fmt.Errorf("-bundle is %d", j.bundle)
	}
	for i, pattern := range j.patterns {
		files, err := listFiles(ctx, pattern)
		switch {
		case err != nil:
			return nil, err
		case len(files) == 0:
			return nil, fmt.Errorf("-input %s: no files there", pattern)
		case i == 0:
			j.inputs = make([][]string, len(files))
		case len(files) != len(j.inputs):
			return nil, fmt.Errorf("-input %s: %d files, and %d of the first input", pattern, len(files), len(j.inputs))
		}
		for k, f := range files {
			j.inputs[k] = append(j.inputs[k], f)
		}
	}
	names := map[string]bool{}
	for _, files := range j.inputs {
		name := stem(files[0])
		if names[name] {
			return nil, fmt.Errorf("-input: several files are named %s, after which outputs are named", name)
		}
		names[name] = true
	}
	var err error
	if j.opened, err = j.device.Open(); err != nil {
		return nil, err
	}
	j.model, _, err = localModel(ctx, args[0], []string{})
	return j, err
}

// stem is the name of a file without folder and ending.
func stem(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

func (j *runJob) Pieces() int { return (len(j.inputs) + j.bundle - 1) / j.bundle }

func (j *runJob) piece(i int) [][]string {
	return j.inputs[i*j.bundle : min((i+1)*j.bundle, len(j.inputs))]
}

func (j *runJob) Name(piece int) string {
	runs := j.piece(piece)
	return runs[0][0] + " to " + runs[len(runs)-1][0]
}

// ran is a row: one run of the model.
type ran struct {
	Input   string   `json:"input"`
	Outputs []string `json:"outputs"`
}

func (j *runJob) Do(ctx context.Context, piece int) ([]json.RawMessage, error) {
	var rows []ran
	for _, files := range j.piece(piece) {
		row, err := j.run(ctx, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[0], err)
		}
		rows = append(rows, *row)
	}
	return encode(rows)
}

func (j *runJob) run(ctx context.Context, files []string) (*ran, error) {
	var inputs []*buf.Buffer
	for _, f := range files {
		local, err := localFile(ctx, f)
		if err != nil {
			return nil, err
		}
		b, err := modelfile.ReadInput(local, data.Picture{})
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, b)
	}
	outputs, err := j.compute(ctx, inputs)
	if err != nil {
		return nil, err
	}
	row := &ran{Input: files[0], Outputs: []string{}}
	for i, b := range outputs {
		var data bytes.Buffer
		if err := npy.Write(&data, b); err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%s/%s.output_%d.npy", strings.TrimSuffix(j.results, "/"), stem(files[0]), i)
		if err := writeFile(ctx, name, data.Bytes()); err != nil {
			return nil, err
		}
		row.Outputs = append(row.Outputs, name)
	}
	return row, nil
}

// compute runs the model. Its program is kept for the next inputs of the same types, unless the
// model's structure depends on their elements.
func (j *runJob) compute(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	types := fmt.Sprint(modelfile.TypesOf(inputs))
	if j.program != nil && j.types == types {
		return j.program.Run(ctx, inputs)
	}
	exe, reusable, err := j.compile(ctx, inputs)
	if err != nil {
		return nil, err
	}
	if !reusable {
		defer exe.Close()
		return exe.Run(ctx, inputs)
	}
	if j.program != nil {
		j.program.Close()
	}
	j.program, j.types = exe, types
	return exe.Run(ctx, inputs)
}

// compile returns the program for inputs, and whether it serves all inputs of their types.
func (j *runJob) compile(ctx context.Context, inputs []*buf.Buffer) (exe device.Executable, reusable bool, err error) {
	if modelfile.IsArtifact(j.model) {
		exe, err = modelfile.LoadArtifact(j.model, j.opened)
		return exe, true, err
	}
	module, err := modelfile.Load(j.model, modelfile.TypesOf(inputs))
	if reusable = err == nil; !reusable {
		if module, err = modelfile.LoadOnce(j.model, inputs); err != nil {
			return nil, false, err
		}
	}
	exe, err = j.opened.Compile(ctx, module)
	return exe, reusable, err
}

func (j *runJob) Finish(_ context.Context, rows []json.RawMessage, w io.Writer) error {
	return writeLines(rows, w)
}
