package opinfo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Program is one conformance program.
type Program struct {
	Name        string  `json:"name"`    // family/dtype/number
	Oracle      string  `json:"oracle"`  // who computed the results: PyTorch, if empty
	Refused     string  `json:"refused"` // what PyTorch says, where it takes the call for a mistake
	Inputs      []named `json:"inputs"`
	Consts      []named `json:"consts"`
	Ops         []op    `json:"ops"`
	Outputs     []named `json:"outputs"`
	GradOutputs []named `json:"grad_outputs"`
	Grads       []named `json:"grads"`

	data []byte
}

type named struct {
	Name   string      `json:"name"`
	Tensor description `json:"tensor"`
	Grad   bool        `json:"grad"`
}

type description struct {
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Off   int    `json:"off"`
	Len   int    `json:"len"`
}

type op struct {
	Op     string                     `json:"op"`
	Args   []json.RawMessage          `json:"args"`
	Kwargs map[string]json.RawMessage `json:"kwargs"`
	Outs   []json.RawMessage          `json:"outs"`
	List   bool                       `json:"list"`
}

// families lists the families in a directory, sorted.
func families(dir string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for i, p := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(p), ".jsonl")
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no conformance programs (*.jsonl)", dir)
	}
	return paths, nil
}

// readFamily reads the programs of a family in a directory.
func readFamily(dir, family string) ([]*Program, error) {
	text, err := os.ReadFile(filepath.Join(dir, family+".jsonl"))
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, family+".bin"))
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(text), data, family+".jsonl")
}

// Read reads programs, one a line, whose tensors lie in data. An error names the line that is no program.
func Read(r io.Reader, data []byte, name string) ([]*Program, error) {
	lines := bufio.NewReader(r)
	var programs []*Program
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			p := &Program{data: data}
			if e := json.Unmarshal(line, p); e != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, e)
			}
			programs = append(programs, p)
		}
		if err == io.EOF {
			return programs, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// buffer reads a tensor of the program.
func (p *Program) buffer(d *description) (*buf.Buffer, error) {
	t, err := dtype.Parse(d.DType)
	if err != nil {
		return nil, err
	}
	if err := shape.Check(d.Shape); err != nil {
		return nil, err
	}
	if d.Off < 0 || d.Len < 0 || d.Off+d.Len > len(p.data) {
		return nil, fmt.Errorf("bytes %d to %d lie outside the data", d.Off, d.Off+d.Len)
	}
	return buf.Wrap(t, d.Shape, bytes.Clone(p.data[d.Off:d.Off+d.Len]))
}

// argument decodes an argument; tensor resolves names.
func argument(raw json.RawMessage, tensor func(string) (any, error)) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	return value(v, tensor)
}

func value(v any, tensor func(string) (any, error)) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case json.Number:
		n, err := v.Int64()
		return int(n), err
	case []any:
		return sequence(v, tensor)
	case map[string]any:
		return object(v, tensor)
	}
	return nil, fmt.Errorf("unexpected %T", v)
}

func object(v map[string]any, tensor func(string) (any, error)) (any, error) {
	if name, ok := v["v"].(string); ok {
		return tensor(name)
	}
	if f, ok := v["f"]; ok {
		return float(f)
	}
	if s, ok := v["s"].(string); ok {
		return s, nil
	}
	if parts, ok := v["c"].([]any); ok && len(parts) == 2 {
		re, err := float(parts[0])
		if err != nil {
			return nil, err
		}
		im, err := float(parts[1])
		return complex(re, im), err
	}
	if d, ok := v["dtype"].(string); ok {
		return dtype.Parse(d)
	}
	if f, ok := v["memory_format"].(string); ok {
		for i, name := range []string{"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"} {
			if strings.TrimPrefix(f, "torch.") == name {
				return i, nil
			}
		}
		return nil, fmt.Errorf("unknown memory format %s", f)
	}
	for _, ignored := range []string{"layout", "device"} {
		if _, ok := v[ignored]; ok {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("unknown argument %v", v)
}

func float(v any) (float64, error) {
	switch v := v.(type) {
	case json.Number:
		return v.Float64()
	case string:
		switch v {
		case "inf":
			return math.Inf(1), nil
		case "-inf":
			return math.Inf(-1), nil
		case "nan":
			return math.NaN(), nil
		}
	}
	return 0, fmt.Errorf("not a float: %v", v)
}
