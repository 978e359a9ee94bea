package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	exporter "github.com/go-acap/acap/translate/exporter/stablehlo"
	importer "github.com/go-acap/acap/translate/importer/stablehlo"
	"github.com/go-acap/acap/translate/passes/simplify"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// Samples stands among the paths of a suite of texts for the samples of all operators.
const Samples = "samples"

// spelling is a dialect in which programs are written and read again.
type spelling struct {
	name        string
	write, read func(module *mlir.Operation) error
	exact       bool // the program that is read back is the one that was written
}

var spellings = []spelling{
	{"torch", torchmlir.To, torchmlir.From, true},
	{"stablehlo", exporter.Export, importer.Lower, false},
}

// program makes the same module and inputs whenever it is called.
type program func() (*mlir.Operation, []*buf.Buffer, error)

// textsSuite writes programs in each spelling, reads the text, and compares text, hash and results: to the bit what
// reads back as the same program, and else within the tolerance of models, naming what differs in its last bits.
type textsSuite struct {
	names    []string
	programs map[string]program
}

func openTexts(paths []string, only string) (Suite, error) {
	s := &textsSuite{programs: map[string]program{}}
	add := func(name string, p program) {
		if strings.Contains(name, only) {
			s.names = append(s.names, name)
			s.programs[name] = p
		}
	}
	for _, path := range paths {
		if path == Samples {
			addSamples(add)
			continue
		}
		models, err := folders(path, true)
		if err != nil {
			return nil, err
		}
		for _, model := range models {
			name, err := filepath.Rel(path, model)
			if err != nil {
				return nil, err
			}
			add(name, modelProgram(model))
		}
	}
	return s, nil
}

// addSamples adds the samples of all operators whose results are a matter of their operands alone.
func addSamples(add func(name string, p program)) {
	for _, op := range ops.All() {
		if op.IsInplace() || op.Samples == nil || op.Draws {
			continue
		}
		for i := range op.Samples() {
			add(fmt.Sprintf("%s/%d", op.Name(), i), sampleProgram(op, i))
		}
	}
}

func sampleProgram(op *ops.Op, i int) program {
	return func() (*mlir.Operation, []*buf.Buffer, error) {
		call, err := op.NewCall(op.Samples()[i].Args(rand.New(rand.NewPCG(1, 2)))...)
		if err != nil {
			return nil, nil, err
		}
		module, values := call.Program()
		var inputs []*buf.Buffer
		for _, v := range values {
			inputs = append(inputs, v.(ops.BufferValue).Buffer)
		}
		return module, inputs, nil
	}
}

func modelProgram(path string) program {
	return func() (*mlir.Operation, []*buf.Buffer, error) {
		inputs, err := modelfile.Inputs(path, nil)
		if err != nil {
			return nil, nil, err
		}
		module, err := modelfile.LoadFor(path, inputs)
		return module, inputs, err
	}
}

func (s *textsSuite) Tests() []string { return s.names }

func (s *textsSuite) Run(d device.Device, name string) ([]Row, error) {
	module, inputs, err := s.programs[name]()
	if errors.Is(err, ops.ErrDataDependent) {
		return nil, nil // a program whose types are not known cannot be written
	}
	if err != nil {
		return nil, err
	}
	if err := simplify.DCE(module); err != nil { // as reading does
		return nil, err
	}
	hash := mlir.DigestOf(module, "")
	want, failure := Compute(d, module, inputs)
	var rows []Row
	for _, sp := range spellings {
		o := Outcome{Name: name + " " + sp.name, Outcome: "passed"}
		err := s.check(d, name, sp, hash, want, failure)
		var refused *exporter.Error
		var bits *bitsError
		switch {
		case errors.As(err, &refused):
			o.Outcome, o.Reason = "unsupported", err.Error()
		case errors.As(err, &bits) && !sp.exact && bits.close:
			o.Reason = err.Error()
		case err != nil:
			o.Outcome, o.Reason = "failed", err.Error()
		}
		rows = append(rows, o)
	}
	return rows, nil
}

func (s *textsSuite) check(d device.Device, name string, sp spelling, hash mlir.Digest, want []*buf.Buffer, failure error) (err error) {
	defer CatchPanic(&err)
	module, inputs, err := s.programs[name]()
	if err != nil {
		return err
	}
	if err := sp.write(module); err != nil {
		return err
	}
	text := module.String()
	again, err := mlir.Parse(sp.name, []byte(text))
	if err != nil {
		return err
	}
	switch {
	case mlir.Verify(again) != nil:
		return mlir.Verify(again)
	case again.String() != text:
		return errors.New("the text differs after reading and printing")
	case mlir.DigestOf(again, "") != mlir.DigestOf(module, ""):
		return errors.New("the hash is another one after the text was read")
	}
	if err := sp.read(again); err != nil {
		return err
	}
	if sp.exact && mlir.DigestOf(again, "") != hash {
		return errors.New("the program that was read is not the one that was written")
	}
	got, err := Compute(d, again, inputs)
	if failure != nil || err != nil {
		if (failure != nil) == (err != nil) || !sp.exact { // StableHLO has no indices out of range
			return nil
		}
		return fmt.Errorf("fails with %v, and read back with %v", failure, err)
	}
	return sameBits(got, want)
}

// bitsError is the first element of results that differ. They are close if all are within the tolerance of models.
type bitsError struct {
	result, element int
	got, want       complex128
	close           bool
}

func (e *bitsError) Error() string {
	return fmt.Sprintf("the last bits differ: element %d of result %d is %v, want %v", e.element, e.result, e.got, e.want)
}

// isNaN reports whether a part of a number is NaN, beside an infinity too.
func isNaN(c complex128) bool { return math.IsNaN(real(c)) || math.IsNaN(imag(c)) }

// sameBits compares results to the bit; NaN is NaN.
func sameBits(got, want []*buf.Buffer) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d results, want %d", len(got), len(want))
	}
	var first *bitsError
	for k := range want {
		if got[k].DType != want[k].DType || !slices.Equal(got[k].Shape, want[k].Shape) {
			return fmt.Errorf("result %d is %v%v, want %v%v", k, got[k].DType, got[k].Shape, want[k].DType, want[k].Shape)
		}
		a, b, size := got[k].Bytes(), want[k].Bytes(), want[k].DType.Size()
		for i := range want[k].Len() {
			x, y := want[k].Complex(i), got[k].Complex(i)
			if bytes.Equal(a[i*size:(i+1)*size], b[i*size:(i+1)*size]) || isNaN(x) && isNaN(y) {
				continue
			}
			if first == nil {
				first = &bitsError{k, i, y, x, true}
			}
			first.close = first.close && want[k].DType.IsFloat() && cmplx.Abs(x-y) <= ModelAbsolute+ModelRelative*cmplx.Abs(x)
		}
	}
	if first != nil {
		return first
	}
	return nil
}
