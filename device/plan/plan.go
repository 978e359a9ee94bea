package plan

import (
	"fmt"

	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/mlir"
)

// Program is a compiled program.
type Program struct {
	// Module is the module in the linalg form, as text; groups are functions without a body.
	Module string
	// Locations has the location of each operation of Module, in the order of a walk.
	Locations []mlir.Location
	Entry     string // the function to run
	Groups    []Group
	// Operations is the number of operations of the whole module, from which follows what a
	// program takes.
	Operations int
	// Division says what became of the operations; see [device.Grouped].
	Division []device.Group
	// Hosted are the operators that the host runs in groups, because the device does not.
	Hosted []string
	// Guards is a program of its own, as [Program.Encode] writes it, for what the structure depends on;
	// GuardNames say what that is. See package translate/passes/guard.
	Guards     []byte
	GuardNames []string
	// Blobs are the byte strings that stand beside the program, if there are any: the data of
	// constants.
	Blobs *wire.Blobs
}

// Group is a compiled group.
type Group struct {
	Name    string
	Program []byte // as package engine writes it
	Hosted  bool   // it runs on the host because the device does not run it
	Ops     []string
	// Fixed and Packed are what the program computes once from its constants; see
	// engine.Prepared. They are there where they were asked for.
	Prepared bool
	Fixed    []byte
	Packed   [][]byte
}

// Encode returns the bytes of a program; equal programs have equal bytes.
func (p *Program) Encode() []byte { return wire.WriteWith(p.Blobs, p.fields) }

// Decode reads what [Program.Encode] wrote. Groups are parts of data, which must not change. Errors wrap
// [wire.ErrMalformed].
func Decode(data []byte) (*Program, error) { return DecodeWith(data, nil) }

// DecodeWith is [Decode] of a program with byte strings beside it. Bytes of another form are an error.
func DecodeWith(data []byte, blobs *wire.Blobs) (*Program, error) {
	p := &Program{Blobs: blobs}
	if err := wire.ReadWith(data, blobs, p.fields); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Program) fields(c *wire.Coder) {
	c.String(&p.Module)
	wire.Slice(c, &p.Locations, func(l *mlir.Location) { Location(c, l) })
	c.String(&p.Entry)
	wire.Slice(c, &p.Groups, func(g *Group) {
		c.String(&g.Name)
		c.Bytes(&g.Program)
		c.Bool(&g.Hosted)
		names(c, &g.Ops)
		c.Bool(&g.Prepared)
		c.Blob(&g.Fixed)
		wire.Slice(c, &g.Packed, c.Blob)
	})
	c.Int(&p.Operations)
	wire.Slice(c, &p.Division, func(g *device.Group) {
		c.String(&g.Name)
		c.String(&g.Device)
		names(c, &g.Ops)
		work := int(g.Work)
		c.Int(&work)
		g.Work = int64(work)
		c.String(&g.Problem)
	})
	names(c, &p.Hosted)
	c.Bytes(&p.Guards)
	names(c, &p.GuardNames)
}

func names(c *wire.Coder, list *[]string) { wire.Slice(c, list, func(s *string) { c.String(s) }) }

// Processor describes the processor for which programs are compiled here. A program that was compiled for another
// processor must not be loaded.
func Processor() string {
	f := cpu.Detect()
	return fmt.Sprintf("%v vnni=%t bf16=%t amx=%t dotprod=%t i8mm=%t l1d=%d l2=%d l3=%d cores=%d", f.Level, f.VNNI, f.BF16, f.Tiles,
		f.DotProduct, f.I8MM,
		f.L1D, f.L2, f.L3, f.Cores)
}
