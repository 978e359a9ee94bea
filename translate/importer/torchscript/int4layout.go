package torchscript

import (
	"os"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/base/script"
)

// int4Variable names the layout of the weights that _weight_int4pack_mm_for_cpu multiplies by: PyTorch packs them as
// the vectors of the processor want them, and no file says which.
const int4Variable = "ACAP_INT4_LAYOUT"

// int4Layout says which two numbers of a block of columns share a byte: one of each half, or two neighbours. The rest
// of the columns has neighbours in every layout.
type int4Layout struct {
	columns int
	halves  bool
}

// int4Layouts are the layouts of PyTorch 2.14 by the name of the processor's vectors.
var int4Layouts = map[string]int4Layout{"avx512": {64, true}, "avx2": {32, true}, "none": {32, false}}

// Int4Setting returns an error if the environment's setting for packed weights of 4 bits is malformed.
func Int4Setting() error {
	_, _, err := int4Setting()
	return err
}

// int4Setting returns the layout that the environment names, if it names one.
func int4Setting() (layout int4Layout, named bool, err error) {
	name := os.Getenv(int4Variable)
	layout, ok := int4Layouts[name]
	if name != "" && !ok {
		err = &environment.Error{Variable: int4Variable, Value: name, Want: "avx512, avx2 or none"}
	}
	return layout, ok, err
}

// int4Product multiplies by packed weights of 4 bits. Without a layout it does so where all are the same.
func int4Product(ev *evaluator, at script.Position, args arguments) (value, bool) {
	layout, named, err := int4Setting()
	switch packed, isTensor := args.at(1).(*tensor); {
	case err != nil:
		ev.fail(at, err)
	case !isTensor || len(packed.typeOf().Shape) != 2:
		return nil, false
	case !named && packed.typeOf().Shape[0] >= 32:
		return nil, false
	case !named:
		layout = int4Layouts["none"]
	}
	return ev.callOn(at, "_int4pack_mm", arguments{positional: []value{args.at(0), args.at(1), args.at(3), layout.columns, layout.halves}}), true
}
