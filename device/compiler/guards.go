package compiler

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/guard"
)

// guards are the program that computes what the structure of a program depends on; see package
// translate/passes/guard. It runs on the host, as it did when the structure was found.
type guards struct {
	exe   *Executable
	names []string
}

// takeGuards compiles the guards of a module and takes them out of it. It returns nil if there are none.
func takeGuards(ctx context.Context, module *mlir.Operation) (*guards, error) {
	f := guard.Take(module)
	if f == nil {
		return nil, nil
	}
	names, err := guard.Names(f)
	if err != nil {
		return nil, err
	}
	if main, err := entry(module); err != nil {
		return nil, err
	} else if takes, own := signature(main).Inputs, signature(f).Inputs; fmt.Sprint(takes) != fmt.Sprint(own) {
		return nil, f.Errorf("guards take %v, the program takes %v", own, takes)
	}
	own := asModule(f)
	own.Body().Ops[0].Attrs = own.Body().Ops[0].Attrs.With("sym_name", mlir.StringAttr(Entry))
	exe, err := Compile(ctx, own)
	if err != nil {
		return nil, err
	}
	return &guards{exe, names}, nil
}

// check refuses inputs that differ in what the program's structure depends on.
func (g *guards) check(ctx context.Context, inputs []*buf.Buffer) error {
	results, err := g.exe.Run(context.WithValue(ctx, timerKey{}, (*timer)(nil)), inputs)
	if err != nil {
		return fmt.Errorf("the guards of the program: %w", err)
	}
	for i, name := range g.names {
		is, was := results[2*i], results[2*i+1]
		if bytes.Equal(is.Bytes(), was.Bytes()) {
			continue
		}
		at, size := 0, is.DType.Size()
		for bytes.Equal(is.Bytes()[at*size:(at+1)*size], was.Bytes()[at*size:(at+1)*size]) {
			at++
		}
		e := &device.GuardError{What: name, Was: elementText(was, at), Is: elementText(is, at)}
		if is.Len() > 1 {
			for d, step := range shape.Strides(is.Shape) {
				e.Element = append(e.Element, at/step%is.Shape[d])
			}
		}
		return e
	}
	return nil
}

func (g *guards) close() {
	if g != nil {
		g.exe.Close()
	}
}

// plan is the stored form of the guards.
func (g *guards) plan(p *plan.Program) error {
	if g == nil {
		return nil
	}
	own, err := g.exe.Plan()
	if err == nil {
		p.Guards, p.GuardNames = own.Encode(), g.names
	}
	return err
}

// loadGuards makes the guards of a stored program; nil if it has none.
func loadGuards(ctx context.Context, p *plan.Program) (*guards, error) {
	if len(p.Guards) == 0 && len(p.GuardNames) == 0 {
		return nil, nil
	}
	own, err := plan.Decode(p.Guards)
	if err != nil {
		return nil, err
	}
	if len(own.Guards) > 0 {
		return nil, malformed(fmt.Errorf("guards have guards"))
	}
	exe, err := Load(ctx, own)
	if err != nil {
		return nil, err
	}
	_, results := exe.Types()
	fits := len(results) == 2*len(p.GuardNames)
	for i := 0; fits && i < len(results); i += 2 {
		fits = results[i].DType == results[i+1].DType && shape.Equal(results[i].Shape, results[i+1].Shape)
	}
	if !fits {
		exe.Close()
		return nil, malformed(fmt.Errorf("%d guards with %d results", len(p.GuardNames), len(results)))
	}
	return &guards{exe, p.GuardNames}, nil
}

// Guards describes what a module's structure depends on, and what it was when the module was written: "the mask at
// model.py:7: [true false true]". Guards that are not as package guard writes them are an error.
func Guards(module *mlir.Operation) ([]string, error) {
	f := guard.Find(module)
	if f == nil {
		return nil, nil
	}
	list, err := guard.Names(f)
	if err != nil {
		return nil, err
	}
	for i, v := range f.Body().Terminator().Operands {
		if i%2 == 0 || v.Def == nil || v.Def.Name != "arith.constant" {
			continue
		}
		b, err := constant(v.Def)
		if err != nil {
			return nil, err
		}
		list[i/2] += ": " + elementsText(b)
	}
	return list, nil
}

// elementsText shows elements, the first ones of many.
func elementsText(b *buf.Buffer) string {
	const most = 16
	if len(b.Shape) == 0 {
		return elementText(b, 0)
	}
	var list []string
	for i := range min(b.Len(), most) {
		list = append(list, elementText(b, i))
	}
	if b.Len() > most {
		list = append(list, "…")
	}
	text := "[" + strings.Join(list, " ") + "]"
	if len(b.Shape) > 1 {
		text += " of shape " + shape.String(b.Shape)
	}
	return text
}

func elementText(b *buf.Buffer, i int) string {
	switch d := b.DType; {
	case d == dtype.Bool:
		return fmt.Sprint(b.Int64(i) != 0)
	case d.IsComplex():
		return fmt.Sprint(b.Complex(i))
	case d.IsInt():
		return fmt.Sprint(b.Int64(i))
	}
	return fmt.Sprint(b.Float64(i))
}
