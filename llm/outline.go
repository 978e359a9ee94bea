package llm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor/gguf"
)

// Outline is a model as the headers of its files describe it: how the model computes, and which weights it would hold.
type Outline struct {
	architecture.Description
	Weights []Held // in the order in which a model takes them

	lookedUp bool // rows of embeddings come from a copy of their own
	files    weights.Files
}

// Held is a weight as a model holds it.
type Held struct {
	Name   string
	Shape  []int
	Format dtype.Format // Plain for elements
	Bytes  int64
	Mapped bool // the bytes lie in the file, which the system may drop and read again
}

// Inspect reads the headers of a model's files: a GGUF file, or a folder with config.json and safetensors. Neither
// weights nor the tokenizer are read. A weight that is missing or has another shape is an error.
func Inspect(path string) (*Outline, error) {
	o := new(Outline)
	if err := o.read(path); err != nil {
		if o.files != nil {
			err = errors.Join(err, o.files.Close())
		}
		return nil, fmt.Errorf("llm: %w", inputfile.Named(path, err))
	}
	files := o.files
	o.files = nil
	return o, files.Close()
}

func (o *Outline) read(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var d *architecture.Description
	if info.IsDir() {
		d, err = o.folder(path)
	} else {
		d, err = o.file(path)
	}
	if err != nil {
		return err
	}
	o.Description = *d
	names, err := d.Members(o.files.Shape)
	if err != nil {
		return err
	}
	for _, name := range names {
		h := Held{Name: name, Shape: o.files.Shape(name)}
		h.Bytes, h.Format, h.Mapped = o.files.Held(name)
		o.Weights = append(o.Weights, h)
	}
	return nil
}

func (o *Outline) file(path string) (*architecture.Description, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	o.files = weights.NewGGUF(f)
	d, err := architecture.FromGGUF(f)
	if err != nil {
		return nil, err
	}
	o.files, err = weights.OpenGGUF(f, d)
	return d, err
}

func (o *Outline) folder(path string) (*architecture.Description, error) {
	data, err := inputfile.Read(filepath.Join(path, "config.json"))
	if err != nil {
		return nil, err
	}
	d, a, err := architecture.FromConfig(data)
	if err != nil {
		return nil, err
	}
	w, err := weights.OpenFolder(path, d, a)
	if err != nil {
		return nil, err
	}
	o.files, o.lookedUp = w, !w.InPlace("token_embd.weight")
	return d, nil
}
