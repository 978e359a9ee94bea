package engine

import (
	"fmt"

	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/ops"
)

// Encode returns the program as bytes, without machine code. It fails if an operation of the
// program is a Go function.
func (p *Program) Encode() ([]byte, error) { return p.EncodeWith(nil) }

// EncodeWith is [Program.Encode] with the data of constants beside the program, unless blobs is nil. An operation that
// is evaluated as it is written is a [*graph.Error].
func (p *Program) EncodeWith(blobs *wire.Blobs) ([]byte, error) {
	for _, s := range p.Steps {
		if s.Host != nil {
			return nil, &graph.Error{Op: s.From[0].Op, Loc: s.From[0].Loc, Message: "an operation that is evaluated as it is written has no stored form"}
		}
	}
	return wire.WriteWith(blobs, p.Plan.Fields), nil
}

// Load makes a program from the data that [Program.Encode] wrote. ConstInputs and NoFusion come from the data and not
// from opts. Errors of the data wrap [wire.ErrMalformed].
func Load(data []byte, opts Options) (*Program, error) { return LoadWith(data, nil, opts) }

// LoadWith makes a program from the data that [Program.EncodeWith] wrote. Other bytes are a [wire.ErrMalformed];
// otherwise errors are those of the back end.
func LoadWith(data []byte, blobs *wire.Blobs, opts Options) (*Program, error) {
	p := &Program{}
	if err := p.configure(&opts); err != nil {
		return nil, err
	}
	if blobs != nil {
		p.keep = blobs.Keep
	}
	if err := wire.ReadWith(data, blobs, p.Fields); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", wire.ErrMalformed, err)
	}
	err := p.Generate(opts.Backend)
	if err == nil {
		err = p.Complete()
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Types returns the types of the inputs and of the results.
func (p *Program) Types() (inputs, results []ops.TensorType) {
	of := func(list []plan.Signature) (out []ops.TensorType) {
		for _, s := range list {
			out = append(out, ops.TensorType{DType: s.DType, Shape: s.Shape})
		}
		return out
	}
	return of(p.Args), of(p.Results)
}
