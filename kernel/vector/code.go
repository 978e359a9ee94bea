package vector

import (
	"strings"

	"github.com/go-acap/acap/kernel"
)

// Code is the common part of the codes of kernels that consist of machines. Codes embed it.
type Code struct {
	kernel.OnePhase
	Count  int     // units of work
	Nanos  float64 // of a unit
	Memory int     // bytes of scratch memory
	Title  string  // what a listing begins with

	machines []*Machine
	err      error
}

// Build makes a machine of the code, see [Backend.Build]. It returns nil behind an error, see [Code.Err].
func (c *Code) Build(t Backend, write func() *Program, words, fault int) *Machine {
	if c.err != nil {
		return nil
	}
	m, err := t.Build(write, words, fault)
	if err != nil {
		c.err = err
		c.Close()
		return nil
	}
	c.machines = append(c.machines, m)
	return m
}

// On returns a backend whose machines become machines of the code.
func (c *Code) On(t Backend) Backend { return codeBackend{t, c} }

type codeBackend struct {
	Backend
	code *Code
}

func (b codeBackend) Build(write func() *Program, words, fault int) (*Machine, error) {
	return b.code.Build(b.Backend, write, words, fault), b.code.err
}

// Err returns the first error of [Code.Build], after which the code has no machines.
func (c *Code) Err() error { return c.err }

// BlockBytes returns the bytes of the call block of any of the machines.
func (c *Code) BlockBytes() (n int) {
	for _, m := range c.machines {
		n = max(n, m.BlockBytes())
	}
	return n
}

// Units implements [kernel.Code].
func (c *Code) Units() int { return c.Count }

// UnitNanos implements [kernel.Code].
func (c *Code) UnitNanos() float64 { return c.Nanos }

// Scratch implements [kernel.Code].
func (c *Code) Scratch() int { return c.Memory }

// Listing implements [kernel.Code].
func (c *Code) Listing() string {
	var b strings.Builder
	b.WriteString(c.Title)
	for _, m := range c.machines {
		b.WriteString(m.Listing())
	}
	return b.String()
}

// Close implements [kernel.Code].
func (c *Code) Close() {
	for _, m := range c.machines {
		m.Close()
	}
	c.machines = nil
}
