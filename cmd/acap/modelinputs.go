package main

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/mlir"
)

var errShapes = commandline.Errorf("-input and -shape say the same of a model: leave one of them out")

// moduleOf loads a model for the types or the inputs that are given.
func moduleOf(model string, inputs, shapes list) (*mlir.Operation, error) {
	if len(shapes) > 0 && len(inputs) > 0 {
		return nil, errShapes
	}
	if len(shapes) > 0 {
		types, err := commandline.ParseShapes(shapes)
		if err != nil {
			return nil, err
		}
		return modelfile.Load(model, types)
	}
	data, err := modelfile.Inputs(model, inputs)
	if err != nil {
		return nil, err
	}
	return modelfile.LoadFor(model, data)
}

// modelToRun loads a model for the types or the inputs that are given, with inputs to run it on: drawn at random where no
// file has them.
func modelToRun(model string, inputs, shapes list) (*mlir.Operation, []*buf.Buffer, error) {
	module, err := moduleOf(model, inputs, shapes)
	if err != nil {
		return nil, nil, err
	}
	var data []*buf.Buffer
	if len(shapes) == 0 {
		if data, err = modelfile.Inputs(model, inputs); err != nil {
			return nil, nil, err
		}
	}
	if len(data) == 0 {
		data = modelfile.RandomFor(module)
	}
	return module, data, nil
}

// given reads the inputs of a model, and draws an input if only its type is given.
func given(command, model string, inputs, shapes list) ([]*buf.Buffer, error) {
	if len(shapes) == 0 {
		return modelfile.Inputs(model, inputs)
	}
	if len(inputs) > 0 {
		return nil, errShapes
	}
	types, err := commandline.ParseShapes(shapes)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(os.Stderr, "acap "+command+": the inputs are random: floating point from -1 to 1, whole numbers 0 or 1, the same at each run")
	return modelfile.Random(types)
}
