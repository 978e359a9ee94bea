package commandline

import (
	"flag"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/data"
)

// Inputs is the flags that give a model its inputs: -input names files, -shape gives types. A command line has flags of
// one of the two. -picture says how pictures among the files are read.
type Inputs struct {
	Files   List // of -input; without one the files beside the model are read
	Shapes  List // of -shape
	Picture *data.Picture
	set     *flag.FlagSet
}

// Drawn is the end of the usage of -shape in commands that run the model.
const Drawn = ", whose elements are drawn at random"

// Flags adds the flags to a set. input is the usage of -input; more is [Drawn] or empty.
func (i *Inputs) Flags(f *flag.FlagSet, input, more string) {
	i.set = f
	f.Var(&i.Files, "input", input)
	i.PictureFlag(f)
	i.ShapeFlag(f, more)
}

// PictureFlag adds the flag -picture alone.
func (i *Inputs) PictureFlag(f *flag.FlagSet) {
	f.Func("picture", pictureUsage, func(text string) error {
		p, err := ParsePicture(text)
		i.Picture = &p
		return err
	})
}

// ShapeFlag adds the flag -shape alone.
func (i *Inputs) ShapeFlag(f *flag.FlagSet, more string) {
	f.Var(&i.Shapes, "shape", "the `type` of an input, such as 1x3x224x224 or 1x8xi64"+more+"; repeat for more")
}

// Given reports whether one of the flags is on the command line.
func (i *Inputs) Given() bool { return len(i.Files)+len(i.Shapes) > 0 }

// check refuses both flags at once, and -picture without a picture.
func (i *Inputs) check() error {
	if len(i.Files) > 0 && len(i.Shapes) > 0 {
		return Errorf("-input and -shape say the same of a model: leave one of them out")
	}
	if i.Picture != nil && !slices.ContainsFunc(i.Files, data.IsPicture) {
		return Errorf("-picture is for a picture: name one by -input")
	}
	return nil
}

// Read reads files of inputs, pictures by -picture. Without files, the files beside the model are read. Errors are
// those of [modelfile.Inputs].
func (i *Inputs) Read(model string, files []string) ([]*buf.Buffer, error) {
	var p data.Picture
	if i.Picture != nil {
		p = *i.Picture
	}
	return modelfile.InputsBy(model, files, p)
}

// Module reads a model for the types of the inputs.
func (i *Inputs) Module(model string) (*mlir.Operation, error) {
	if err := i.check(); err != nil {
		return nil, err
	}
	if len(i.Shapes) > 0 {
		types, err := ParseShapes(i.Shapes)
		if err != nil {
			return nil, err
		}
		return modelfile.Load(model, types)
	}
	data, err := i.Read(model, i.Files)
	if err != nil {
		return nil, err
	}
	return modelfile.LoadFor(model, data)
}

// ModuleToRun reads a model and the inputs to run it on, which are drawn at random where no file has them.
func (i *Inputs) ModuleToRun(model string) (*mlir.Operation, []*buf.Buffer, error) {
	module, err := i.Module(model)
	if err != nil {
		return nil, nil, err
	}
	var data []*buf.Buffer
	if len(i.Shapes) == 0 {
		if data, err = i.Read(model, i.Files); err != nil {
			return nil, nil, err
		}
	}
	if len(data) == 0 {
		data = modelfile.RandomFor(module)
	}
	return module, data, nil
}

// Data reads the inputs of a model, or draws inputs whose types alone are given, and says so on standard error.
func (i *Inputs) Data(model string) ([]*buf.Buffer, error) {
	if err := i.check(); err != nil {
		return nil, err
	}
	if len(i.Shapes) == 0 {
		return i.Read(model, i.Files)
	}
	types, err := ParseShapes(i.Shapes)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(printable.Messages, i.set.Name()+": the inputs are random: floating point from -1 to 1, whole numbers 0 or 1, the same at each run")
	return modelfile.Random(types)
}
