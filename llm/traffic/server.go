package traffic

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/account"
)

// Server returns a simulation whose passes take what the model's kernels take on a machine. An encoder is an error, and
// so is a longer context than the model's.
func Server(o *llm.Outline, m *machine.Machine, s llm.Simulation) (llm.Simulation, error) {
	if o.Encoder {
		return s, fmt.Errorf("traffic: a model of the architecture %s generates nothing", o.Architecture)
	}
	if s.Context > o.Context {
		return s, fmt.Errorf("traffic: a context of %d tokens; the model was made for up to %d", s.Context, o.Context)
	}
	s.Cost = costs(account.New(o, m))
	return s, nil
}

// Guessing adds a draft to a server: the model of an outline guesses the given tokens at once, each of which is right
// with a probability.
func Guessing(s llm.Simulation, o *llm.Outline, m *machine.Machine, tokens int, accepted float64) llm.Simulation {
	s.Draft, s.DraftTokens, s.Accepted = costs(account.New(o, m)), tokens, accepted
	return s
}

// costs tells what passes take by an account.
func costs(a *account.Account) func(p llm.Pass, all bool) (seconds, joules float64, err error) {
	return func(p llm.Pass, all bool) (float64, float64, error) {
		cost := a.Pass
		if all {
			cost = a.Checked
		}
		c, err := cost(p)
		return c.Seconds, c.Joules, err
	}
}
