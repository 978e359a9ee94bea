package bundle

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect" // for reading programs
)

// Format is the number of the format that this package writes.
const Format = 1

// Bundle is a recorded program.
type Bundle struct {
	Program *mlir.Operation
	Inputs  []*buf.Buffer
	About   About
}

// About describes a bundle.
type About struct {
	Format  int               `json:"format"`
	Time    time.Time         `json:"time"`
	Go      string            `json:"go"`
	System  string            `json:"system"`
	Device  string            `json:"device"`
	Machine json.RawMessage   `json:"machine,omitempty"` // of the array
	Seed    uint64            `json:"seed"`
	Offset  uint64            `json:"offset"` // of the generator, when it was recorded
	Setting map[string]string `json:"environment,omitempty"`
	Metrics json.RawMessage   `json:"metrics,omitempty"`
	Note    string            `json:"note,omitempty"`
	Inputs  []Type            `json:"inputs"`
}

// Type is the type of an input.
type Type struct {
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

// Write creates or replaces a file. An error is one of the file; the old file then stays.
func (b *Bundle) Write(path string) error {
	about := b.About
	about.Format, about.Inputs = Format, []Type{}
	for _, in := range b.Inputs {
		about.Inputs = append(about.Inputs, Type{in.DType.String(), in.Shape})
	}
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		if err := add(z, "about.json", func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return err
		}
		err := add(z, "program.mlir", func(w io.Writer) error {
			return mlir.Print(w, b.Program, mlir.PrintOptions{Locations: true})
		})
		if err != nil {
			return err
		}
		for i, in := range b.Inputs {
			if err := add(z, fmt.Sprintf("inputs/%d", i), func(w io.Writer) error {
				_, err := w.Write(in.Bytes())
				return err
			}); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

func add(z *zip.Writer, name string, write func(io.Writer) error) error {
	w, err := z.Create(name)
	if err != nil {
		return err
	}
	return write(w)
}

// mostText bounds the text in a bundle, in bytes.
const mostText = 1 << 30

// Read reads a file. Sizes are checked before memory is asked for. Errors name the file, and the part of it that is
// missing or wrong.
func Read(path string) (*Bundle, error) {
	f, size, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: neither what lazy.Record wrote (%w) nor a model: their names end in .pt, .pt2, .onnx, .mlir or .acap", path, err)
	}
	b, err := read(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

func read(z *zip.Reader) (*Bundle, error) {
	b := &Bundle{}
	text, err := entry(z, "about.json", mostText)
	if err != nil {
		return nil, err
	}
	if err := jsontext.Unmarshal(text, &b.About); err != nil {
		return nil, fmt.Errorf("about.json: %w", err)
	}
	if b.About.Format != Format {
		return nil, fmt.Errorf("a bundle of format %d; this program reads format %d", b.About.Format, Format)
	}
	if text, err = entry(z, "program.mlir", mostText); err != nil {
		return nil, err
	}
	if b.Program, err = mlir.Parse("program.mlir", text); err != nil {
		return nil, err
	}
	if err := mlir.Verify(b.Program); err != nil {
		return nil, err
	}
	for i, t := range b.About.Inputs {
		d, err := dtype.Parse(t.DType)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		if err := buf.CheckTensor(d, t.Shape); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		want := int64(d.Size())
		for _, n := range t.Shape {
			want *= int64(n)
		}
		data, err := entry(z, fmt.Sprintf("inputs/%d", i), want)
		if err != nil {
			return nil, err
		}
		in, err := buf.Wrap(d, t.Shape, data)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		b.Inputs = append(b.Inputs, in)
	}
	return b, nil
}

// entry reads a file of an archive that has at most a number of bytes.
func entry(z *zip.Reader, name string, most int64) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return data, nil
}
